/**
 * The keys that have left for the exchange. The SDK queues them and sends each in a SIP INFO of its own, about 600 ms
 * apart, so that "sent" is read off the socket.
 */
import { DialerError } from '../../errors.ts';
import { later } from '../../wait.ts';

/** For each key that is to leave, in milliseconds. */
const TIMEOUT_MS = 2000;

interface Waiting {
  /** Keys that have to leave before it is done, its own and those in front of them. */
  count: number;
  readonly done: AbortController;
}

export class SentKeys {
  readonly #waiting = new Set<Waiting>();
  /** Is what passes on the socket seen at all? */
  #isWatched = false;

  /** A message to the exchange. */
  noteSent(message: string): void {
    this.#isWatched = true;
    if (!/^INFO\b/.test(message) || !/^Signal\s*=/im.test(message)) return;
    for (const waiting of this.#waiting) {
      waiting.count -= 1;
      if (waiting.count === 0) waiting.done.abort();
    }
  }

  /**
   * @param give hands the keys to the SDK
   * @param over aborted when the call is over
   * @throws {DialerError} `call-rejected` when the call ended before all of them had left, or they did not leave in time
   */
  async send(count: number, give: () => void, over: AbortSignal): Promise<void> {
    const before = Math.max(0, ...[...this.#waiting].map((waiting) => waiting.count));
    const waiting = { count: before + count, done: new AbortController() };
    this.#waiting.add(waiting);
    try {
      give();
      if (this.#isWatched && waiting.count > 0) await this.#settled(waiting, over);
    } finally {
      this.#waiting.delete(waiting);
    }
  }

  async #settled({ count, done }: Waiting, over: AbortSignal): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const fail = (why: string) => reject(new DialerError('call-rejected', why));
      done.signal.addEventListener('abort', () => resolve());
      over.addEventListener('abort', () => fail('The call ended before all keys had left.'), {
        signal: done.signal,
      });
      later(count * TIMEOUT_MS, AbortSignal.any([done.signal, over]), () =>
        fail('The SDK did not send all keys.'),
      );
    });
  }
}
