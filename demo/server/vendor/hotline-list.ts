/** The project's hotlines, kept for a while: a list that is a little old is used while a new one is on its way. */
import type { HotlineRow } from './data.ts';

/** How long a list counts as new, and how long an older one is good enough. */
const FRESH_MS = 60_000;
const USABLE_MS = 10 * 60_000;

export class HotlineList {
  readonly #ask: () => Promise<readonly HotlineRow[]>;
  #known: { readonly hotlines: readonly HotlineRow[]; readonly at: number } | undefined;
  #asking: Promise<readonly HotlineRow[]> | undefined;

  constructor(ask: () => Promise<readonly HotlineRow[]>) {
    this.#ask = ask;
  }

  /** Usually without asking; @throws what asking throws. */
  async get(): Promise<readonly HotlineRow[]> {
    const age = performance.now() - (this.#known?.at ?? 0);
    if (!this.#known || age > USABLE_MS) return this.#refresh();
    // A failure shows when the list is too old to be used.
    if (age > FRESH_MS) this.#refresh().catch(() => undefined);
    return this.#known.hotlines;
  }

  #refresh(): Promise<readonly HotlineRow[]> {
    this.#asking ??= this.#ask()
      .then((hotlines) => {
        this.#known = { hotlines, at: performance.now() };
        return hotlines;
      })
      .finally(() => (this.#asking = undefined));
    return this.#asking;
  }
}
