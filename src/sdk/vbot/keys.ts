/**
 * The keys that were sent to the exchange. The SDK queues them and sends each in a SIP INFO of its own, about 600 ms
 * apart, so a key counts as sent when it passes on the socket.
 */
import { DialerError } from '../../errors.ts';
import { later } from '../../wait.ts';
import { isKey } from './sip.ts';

/** For each key in the queue, in milliseconds. */
const TIMEOUT_MS = 2000;

interface Request {
  /** Keys that have to be sent before the request is done: its own and those before them in the queue. */
  count: number;
  readonly done: AbortController;
}

export class SentKeys {
  readonly #requests = new Set<Request>();
  /** Is the socket watched? A page's own wrapper of `WebSocket` may hide it. */
  #isSocketSeen = false;

  /** A message to the exchange. */
  noteSent(message: string): void {
    this.#isSocketSeen = true;
    if (!isKey(message)) return;
    for (const request of this.#requests) {
      request.count -= 1;
      if (request.count === 0) request.done.abort();
    }
  }

  /**
   * @param give hands the keys to the SDK
   * @param over aborted when the call is over
   * @throws {DialerError} `call-rejected` when the call ends before all of them were sent, or they are not sent in time
   */
  async send(count: number, give: () => void, over: AbortSignal): Promise<void> {
    const before = Math.max(0, ...[...this.#requests].map((request) => request.count));
    const request = { count: before + count, done: new AbortController() };
    this.#requests.add(request);
    try {
      give();
      if (this.#isSocketSeen && request.count > 0) await untilSent(request, over);
    } finally {
      this.#requests.delete(request);
    }
  }
}

function untilSent({ count, done }: Request, over: AbortSignal): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    const fail = (why: string) => reject(new DialerError('call-rejected', why));
    const { signal } = done;
    signal.addEventListener('abort', () => resolve());
    over.addEventListener('abort', () => fail('The call ended before all DTMF tones were sent.'), { signal });
    later(count * TIMEOUT_MS, AbortSignal.any([signal, over]), () => fail('The SDK did not send all keys.'));
  });
}
