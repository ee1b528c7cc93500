/** Plays sequences in a frame, and takes a fresh one whenever a sequence may have left something behind. */
import { KNOWN } from './known.ts';
import type { Played } from './realm.ts';

/** A frame that has played so many is replaced as well. */
const MOST_PLAYED = 250;

export class Stage {
  readonly #script: string;
  readonly #coverage: Record<string, number> = {};
  #frame: HTMLIFrameElement | undefined;
  #played = 0;

  /** @param script the address of a script that leaves `playModel` in its window */
  constructor(script: string) {
    this.#script = script;
  }

  async play(seed: number, path?: readonly number[]): Promise<Played> {
    const realm = await this.#open();
    this.#played += 1;
    const played = await realm(seed, path);
    for (const [name, count] of Object.entries(played.coverage)) {
      this.#coverage[name] = (this.#coverage[name] ?? 0) + count;
    }
    if (played.violations.some(({ key }) => !KNOWN.includes(key)) || this.#played >= MOST_PLAYED)
      this.close();
    return played;
  }

  /**
   * The fewest steps, found by leaving parts out, after which the same invariant does not hold.
   *
   * @param mostAttempts how many shorter sequences are tried
   */
  async shrink(seed: number, key: string, mostAttempts: number): Promise<readonly number[]> {
    const { sequence } = await this.play(seed);
    let kept = sequence.steps.map((_, index) => index);
    const attempts: (readonly number[])[] = [];
    const fails = async (path: readonly number[]) => {
      attempts.push(path);
      const { violations } = await this.play(seed, path);
      return violations.some((violation) => violation.key === key);
    };
    for (let size = Math.ceil(kept.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
      for (let to = kept.length; to > 0; to -= size) {
        if (attempts.length >= mostAttempts) return kept;
        const fewer = [...kept.slice(0, Math.max(to - size, 0)), ...kept.slice(to)];
        if (fewer.length < kept.length && (await fails(fewer))) kept = fewer;
      }
    }
    return kept;
  }

  /** What happened in none of the sequences: nothing was proved of it. */
  notReached(): string[] {
    return Object.keys(this.#coverage).filter((name) => this.#coverage[name] === 0);
  }

  close(): void {
    this.#frame?.remove();
    this.#frame = undefined;
  }

  async #open(): Promise<NonNullable<Window['playModel']>> {
    if (!this.#frame) {
      const frame = document.createElement('iframe');
      // Nobody looks at it, and drawing it takes a third of the time.
      frame.style.display = 'none';
      frame.srcdoc = `<!doctype html><script type="module" src="${this.#script}"></script>`;
      const loaded = new Promise((resolve) => {
        frame.addEventListener('load', resolve, { once: true });
      });
      document.body.append(frame);
      await loaded;
      this.#frame = frame;
      this.#played = 0;
    }
    const realm = this.#frame.contentWindow?.playModel;
    if (!realm) throw new Error('The page of the dialers did not load.');
    return realm;
  }
}
