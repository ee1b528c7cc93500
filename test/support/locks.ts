/** Web Locks and channels of one page and of the tabs that a test plays in it: a lock answers in a microtask, a channel in a task. */
import { nextTask } from '../../src/wait.ts';

interface Request {
  readonly mode: 'shared' | 'exclusive';
  readonly callback: () => unknown;
  readonly settle: (result: unknown) => void;
  readonly fail: (reason: unknown) => void;
}

interface Options {
  readonly mode?: Request['mode'];
  readonly signal?: AbortSignal;
  readonly steal?: boolean;
}

export class PlayedLocks {
  readonly #held = new Map<string, Set<Request>>();
  readonly #queues = new Map<string, Request[]>();

  /** With or without options, as the browser takes it. */
  request(name: string, ...rest: [Options, () => unknown] | [() => unknown]): Promise<unknown> {
    const [options, callback] = rest.length === 2 ? rest : [{}, rest[0]];
    const { mode = 'exclusive', signal, steal = false } = options;
    return new Promise((settle, fail) => {
      const request = { mode, callback, settle, fail };
      if (steal) this.#end(name);
      const queue = this.#queues.get(name) ?? [];
      this.#queues.set(name, queue);
      queue[steal ? 'unshift' : 'push'](request);
      signal?.addEventListener('abort', () => {
        const index = queue.indexOf(request);
        if (index === -1) return;
        queue.splice(index, 1);
        fail(signal.reason);
      });
      queueMicrotask(() => this.#grant(name));
    });
  }

  async query(): Promise<{ held: { name: string }[] }> {
    return { held: [...this.#held].flatMap(([name, requests]) => [...requests].map(() => ({ name }))) };
  }

  #end(name: string): void {
    for (const { fail } of this.#held.get(name) ?? []) fail(new DOMException('stolen', 'AbortError'));
    this.#held.delete(name);
  }

  #grant(name: string): void {
    const held = this.#held.get(name) ?? new Set();
    const next = this.#queues.get(name)?.[0];
    const isFree =
      held.size === 0 || (next?.mode === 'shared' && [...held].every(({ mode }) => mode === 'shared'));
    if (!next || !isFree) return;
    this.#queues.get(name)?.shift();
    held.add(next);
    this.#held.set(name, held);
    void this.#hold(name, held, next);
    this.#grant(name);
  }

  async #hold(name: string, held: Set<Request>, request: Request): Promise<void> {
    request.settle(await request.callback());
    if (held.delete(request) && held.size === 0 && this.#held.get(name) === held) this.#held.delete(name);
    this.#grant(name);
  }
}

export class PlayedChannel extends EventTarget {
  static readonly #open = new Set<PlayedChannel>();
  readonly name: string;

  constructor(name: string) {
    super();
    this.name = name;
    PlayedChannel.#open.add(this);
  }

  postMessage(message: unknown): void {
    const data: unknown = structuredClone(message);
    for (const other of PlayedChannel.#open)
      if (other !== this && other.name === this.name)
        nextTask(
          () => PlayedChannel.#open.has(other) && other.dispatchEvent(new MessageEvent('message', { data })),
        );
  }

  close(): void {
    PlayedChannel.#open.delete(this);
  }
}

/** For this page: the browser's own answer in real time, which a waiting test runs ahead of. */
export function playLocks(): void {
  Object.defineProperty(navigator, 'locks', { configurable: true, value: new PlayedLocks() });
}
