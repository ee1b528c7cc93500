/** One request and its whole response, within its time. */
import type { Dispatcher, Pool } from 'undici';
import { TimeoutError } from './timeout.ts';

export interface WholeResponse {
  readonly status: number;
  /** Empty when the response names none. */
  readonly type: string;
  readonly body: Buffer;
}

type Controller = Dispatcher.DispatchController;

/**
 * The library's own `request` makes a stream and a signal for every response, a third of a broker's CPU time.
 * Redirects are not followed: they would carry the key to wherever they point.
 *
 * @param ms from now on
 * @throws {TimeoutError}, or what the library throws when the connection fails
 */
export function send(pool: Pool, request: Dispatcher.DispatchOptions, ms: number): Promise<WholeResponse> {
  return new Promise((resolve, reject) => {
    pool.dispatch(request, new Collector(resolve, reject, ms));
  });
}

class Collector implements Dispatcher.DispatchHandler {
  readonly #resolve: (response: WholeResponse) => void;
  readonly #reject: (error: Error) => void;
  readonly #timer: NodeJS.Timeout;
  readonly #chunks: Buffer[] = [];
  #controller: Controller | undefined;
  #timeout: TimeoutError | undefined;
  #status = 0;
  #type = '';

  constructor(resolve: (response: WholeResponse) => void, reject: (error: Error) => void, ms: number) {
    this.#resolve = resolve;
    this.#reject = reject;
    this.#timer = setTimeout(() => this.#giveUp(), ms);
  }

  /** It leaves the queue of the pool: whoever asked may have given up meanwhile, and then it must not be sent. */
  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    if (this.#timeout) controller.abort(this.#timeout);
  }

  onResponseStart(_: Controller, status: number, headers: Readonly<Record<string, unknown>>): void {
    this.#status = status;
    this.#type = String(headers['content-type'] ?? '');
  }

  onResponseData(_: Controller, chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    clearTimeout(this.#timer);
    const [first] = this.#chunks;
    const body = first && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks);
    this.#resolve({ status: this.#status, type: this.#type, body });
  }

  onResponseError(_: Controller | undefined, error: Error): void {
    clearTimeout(this.#timer);
    this.#reject(error);
  }

  #giveUp(): void {
    this.#timeout = new TimeoutError('no response in time');
    this.#reject(this.#timeout);
    this.#controller?.abort(this.#timeout);
  }
}
