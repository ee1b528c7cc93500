/** What the page saw of its dialer, event by event, and what became of each promise: told to the walk as it happens. */
import type { Page } from '@playwright/test';

export interface Seen {
  readonly at: number;
  /** The type of an event, or a method that has settled. */
  readonly what: string;
  readonly status: string;
  readonly line: string;
  readonly block: string;
  readonly call: string;
  /** Of the call that the event is about. */
  readonly id: string | undefined;
  readonly isAnswered: boolean;
  readonly outcome: string | undefined;
  /** `resolved`, or the code of the error. */
  readonly settled: string | undefined;
}

/** Whoever leaves a page is told nothing any more. */
const LEFT = { what: 'left', id: undefined, isAnswered: false, outcome: undefined, settled: undefined };
const NOTHING = { status: 'gone', line: 'gone', block: 'gone', call: 'gone' };

/** Runs in the page. Nothing of it belongs to the product. */
/* oxlint-disable unicorn/consistent-function-scoping -- all of it is sent to the page */
const RECORDER = () => {
  const tell = (seen: object) =>
    void (Reflect.get(globalThis, 'tellWalk') as (seen: object) => unknown)(seen);
  const stateOf = (dialer: HTMLElementTagNameMap['partner-dialer'] | null) => ({
    at: Date.now(),
    status: dialer?.state.status ?? 'gone',
    line: dialer?.state.line.is ?? 'gone',
    block: dialer?.state.block.is ?? 'gone',
    call: dialer?.state.call.is ?? 'gone',
  });
  const CALL_EVENTS = ['callstart', 'callincoming', 'callconnect', 'callfail', 'callend'];
  for (const name of [...CALL_EVENTS, 'ready', 'blocked', 'error', 'statechange']) {
    document.addEventListener(`dialer-${name}`, (event) => {
      const dialer = document.querySelector('partner-dialer');
      const { call } =
        (event as CustomEvent<{ call?: { id: string; outcome?: string; answeredAt?: number } }>).detail ?? {};
      tell({
        ...stateOf(event.target instanceof HTMLElement ? (event.target as typeof dialer) : dialer),
        what: event.type,
        id: call?.id,
        isAnswered: call?.answeredAt !== undefined,
        outcome: call?.outcome,
      });
    });
  }
  let asked = 0;
  const pending = new Map<number, string>();
  const ask = (method: string, args: readonly unknown[]) => {
    const dialer = document.querySelector('partner-dialer');
    if (!dialer) return;
    const given = Reflect.get(dialer, method) as ((...list: readonly unknown[]) => Promise<void>) | undefined;
    // Its code may not have come yet.
    const promise = given?.apply(dialer, [...args]);
    if (!promise) return;
    const number = (asked += 1);
    pending.set(number, method);
    const settle = (settled: string) => {
      pending.delete(number);
      tell({ ...stateOf(dialer), what: `${method}()`, settled, isAnswered: false });
    };
    promise.then(
      () => settle('resolved'),
      (error: { code?: string }) => settle(error.code ?? String(error)),
    );
  };
  const tracks: MediaStreamTrack[] = [];
  const media = navigator.mediaDevices;
  const original = media.getUserMedia.bind(media);
  media.getUserMedia = async (constraints) => {
    const stream = await original(constraints);
    tracks.push(...stream.getAudioTracks());
    return stream;
  };
  Reflect.set(globalThis, 'walk', {
    ask,
    pending: () => [...pending.values()],
    liveTracks: () => tracks.filter(({ readyState }) => readyState === 'live').length,
    state: () => stateOf(document.querySelector('partner-dialer')),
  });
};

/* oxlint-enable unicorn/consistent-function-scoping */

interface InPage {
  ask(method: string, args: readonly unknown[]): void;
  pending(): string[];
  liveTracks(): number;
  state(): Pick<Seen, 'status' | 'line' | 'block' | 'call'>;
}

export class Recorder {
  readonly #page: Page;
  readonly seen: Seen[] = [];

  private constructor(page: Page) {
    this.#page = page;
  }

  /** Before the page is loaded. */
  static async start(page: Page): Promise<Recorder> {
    const recorder = new Recorder(page);
    page.on('framenavigated', () => recorder.seen.push({ ...NOTHING, ...LEFT, at: Date.now() }));
    await page.exposeFunction('tellWalk', (seen: Seen) => void recorder.seen.push(seen));
    await page.addInitScript(RECORDER);
    return recorder;
  }

  ask(calls: readonly (readonly [method: string, ...args: readonly unknown[]])[]): Promise<void> {
    return this.#page.evaluate((all) => {
      const { ask } = Reflect.get(globalThis, 'walk') as InPage;
      for (const [method, ...args] of all) ask(method, args);
    }, calls);
  }

  pending(): Promise<string[]> {
    return this.#page.evaluate(() => (Reflect.get(globalThis, 'walk') as InPage).pending());
  }

  liveTracks(): Promise<number> {
    return this.#page.evaluate(() => (Reflect.get(globalThis, 'walk') as InPage).liveTracks());
  }

  state(): Promise<Pick<Seen, 'status' | 'line' | 'block' | 'call'>> {
    return this.#page.evaluate(() => (Reflect.get(globalThis, 'walk') as InPage).state());
  }
}
