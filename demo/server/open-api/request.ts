/** One request and its whole answer, within its time. */
import type { Dispatcher, Pool } from 'undici';

export interface Answer {
  readonly status: number;
  /** Empty when the answer names none. */
  readonly type: string;
  readonly body: Buffer;
}

/** The answer was not there in time, whichever part of it was slow. */
export class TooLate extends Error {
  override readonly name = 'TooLate';
}

type Controller = Dispatcher.DispatchController;

/**
 * The library's own `request` makes a stream and a signal for every answer, which would be a third of a broker's work.
 * Redirects are not followed: they would carry the key to wherever they point.
 *
 * @param ms from now on
 * @throws {TooLate}, or what the library throws when the connection fails
 */
export function exchange(pool: Pool, request: Dispatcher.DispatchOptions, ms: number): Promise<Answer> {
  return new Promise((resolve, reject) => {
    pool.dispatch(request, new Collector(resolve, reject, ms));
  });
}

class Collector implements Dispatcher.DispatchHandler {
  readonly #resolve: (answer: Answer) => void;
  readonly #reject: (error: Error) => void;
  readonly #timer: NodeJS.Timeout;
  readonly #chunks: Buffer[] = [];
  #controller: Controller | undefined;
  #late: TooLate | undefined;
  #status = 0;
  #type = '';

  constructor(resolve: (answer: Answer) => void, reject: (error: Error) => void, ms: number) {
    this.#resolve = resolve;
    this.#reject = reject;
    this.#timer = setTimeout(() => this.#giveUp(), ms);
  }

  /** It leaves the queue: too late for whoever has given up, so it must not be sent after all. */
  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    if (this.#late) controller.abort(this.#late);
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
    this.#late = new TooLate('no answer in time');
    this.#reject(this.#late);
    this.#controller?.abort(this.#late);
  }
}
