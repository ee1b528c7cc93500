/** An attempt to answer a call. The SDK's promise resolves whatever happens, or not at all. */
import { DialerError } from '../../errors.ts';
import type { VbotCall } from './call.ts';
import { troubleError } from './texts.ts';
import { laterThanPrompt } from './prompt.ts';
import { nextTask } from '../../wait.ts';

const ANSWER_TIMEOUT_MS = 10_000;

export class Answering {
  readonly #call: VbotCall;
  readonly #troubles: string[] = [];
  /** The SDK is at it; asked a second time meanwhile, it would lose the data of the call. */
  #isUnderWay = false;
  #fail: () => void = () => undefined;

  constructor(call: VbotCall) {
    this.#call = call;
  }

  /** An error that the SDK has just shown may be why it does not answer. */
  noteTrouble(text: string): void {
    if (this.#call.isAnswering) this.#troubles.push(text);
  }

  /** @param failed the call rings on, and may be answered again */
  try(answer: () => Promise<unknown>, failed: (error: DialerError) => void): void {
    const call = this.#call;
    if (call.isAnswering || call.isAnswered) return;
    call.isAnswering = true;
    this.#troubles.length = 0;
    const attempt = new AbortController();
    const signal = AbortSignal.any([attempt.signal, call.over]);
    this.#fail = () => {
      if (signal.aborted || call.isAnswered) return;
      attempt.abort();
      call.isAnswering = false;
      failed(troubleError(this.#troubles));
    };
    void laterThanPrompt(ANSWER_TIMEOUT_MS, signal, this.#fail);
    if (this.#isUnderWay) return;
    this.#isUnderWay = true;
    const run = async () => call.microphones.watchTwice(answer);
    const settle = (isRejected: boolean) => {
      this.#isUnderWay = false;
      nextTask(() => (isRejected || this.#troubles.length > 0) && this.#fail());
    };
    run().then(
      () => settle(false),
      () => settle(true),
    );
  }
}
