/** Answering a call. The SDK's promise resolves whatever happens, or never. */
import { DialerError } from '../../errors.ts';
import { nextTask } from '../../wait.ts';
import { laterThanPrompt, type Microphones } from './microphones.ts';
import { troubleError } from './outcome.ts';

const ANSWER_TIMEOUT_MS = 10_000;

interface AnsweringOptions {
  /** The SDK's method. */
  readonly answer: () => Promise<unknown>;
  readonly microphones: Microphones;
  /** Aborts when the call is answered or over. */
  readonly settled: AbortSignal;
  /** The call rings on, and may be answered again. */
  readonly onFailed: (error: DialerError) => void;
}

export class Answering {
  readonly #options: AnsweringOptions;
  readonly #troubles: string[] = [];
  #attempt: AbortController | undefined;
  /** The SDK loses the data of a call whose answer is asked for a second time meanwhile. */
  #isSdkBusy = false;

  constructor(options: AnsweringOptions) {
    this.#options = options;
  }

  get isUnderWay(): boolean {
    return this.#attempt !== undefined;
  }

  /** An error that the SDK has just shown may be why it does not answer. */
  noteTrouble(text: string): void {
    if (this.isUnderWay) this.#troubles.push(text);
  }

  start(): void {
    const { answer, microphones, settled } = this.#options;
    if (this.isUnderWay || settled.aborted) return;
    this.#attempt = new AbortController();
    this.#troubles.length = 0;
    const signal = AbortSignal.any([this.#attempt.signal, settled]);
    void laterThanPrompt(ANSWER_TIMEOUT_MS, signal, () => this.#fail());
    if (this.#isSdkBusy) return;
    this.#isSdkBusy = true;
    const run = async () => microphones.watchTwice(answer);
    const judge = (isRejected: boolean) => {
      this.#isSdkBusy = false;
      nextTask(() => (isRejected || this.#troubles.length > 0) && this.#fail());
    };
    run().then(
      () => judge(false),
      () => judge(true),
    );
  }

  #fail(): void {
    if (!this.#attempt || this.#options.settled.aborted) return;
    this.#attempt.abort();
    this.#attempt = undefined;
    this.#options.onFailed(troubleError(this.#troubles, 'The SDK did not answer the call.'));
  }
}
