/**
 * The keys that were sent to the exchange. The SDK queues them and sends each in a SIP INFO of its own, about 600 ms
 * apart, so a key counts as sent when it passes on the socket.
 */
import { DialerError } from '../../errors.ts';
import { pause } from '../../wait.ts';

/** For each key in the queue, in milliseconds. */
const TIMEOUT_MS = 2000;

interface Request {
  /** Keys that have to be sent before the request is done: its own and those before them in the queue. */
  left: number;
  readonly done: AbortController;
}

export class SentKeys {
  readonly #requests = new Set<Request>();
  /** Is the socket watched? A page's own wrapper of `WebSocket` may hide it. */
  #isSocketSeen = false;

  /** A message to the exchange. */
  noteSent(message: string): void {
    this.#isSocketSeen = true;
    if (!/^INFO\b/.test(message) || !/^Signal\s*=/im.test(message)) return;
    for (const request of this.#requests) {
      request.left -= 1;
      if (request.left === 0) request.done.abort();
    }
  }

  /**
   * @param give hands the keys to the SDK
   * @param over aborted when the call is over
   * @throws {DialerError} `call-rejected` when the call ends before all of them were sent, or they are not sent in time
   */
  async send(count: number, give: () => void, over: AbortSignal): Promise<void> {
    const before = Math.max(0, ...[...this.#requests].map(({ left }) => left));
    const request = { left: before + count, done: new AbortController() };
    this.#requests.add(request);
    try {
      give();
      if (!this.#isSocketSeen) return;
      await pause(request.left * TIMEOUT_MS, AbortSignal.any([request.done.signal, over]));
      if (request.left > 0)
        throw new DialerError(
          'call-rejected',
          over.aborted ? 'The call ended before all keys were sent.' : 'The SDK did not send all keys.',
        );
    } finally {
      this.#requests.delete(request);
    }
  }
}
