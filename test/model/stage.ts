/** Plays sequences in a frame, and takes a fresh one whenever a sequence may have left something behind. */
import type { Result } from './runner.ts';
import type { Sequence } from './steps.ts';

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

  async play(sequence: Sequence, seed: number): Promise<Result> {
    const realm = await this.#open();
    this.#played += 1;
    const result = await realm(sequence, seed);
    for (const [name, count] of Object.entries(result.coverage)) {
      this.#coverage[name] = (this.#coverage[name] ?? 0) + count;
    }
    if (result.violations.length > 0 || this.#played >= MOST_PLAYED) this.close();
    return result;
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
