/** A call asked for, of which the SDK has not said yet that it began. */
import { DialerError } from '../../errors.ts';
import { Microphones } from './microphones.ts';
import { troubleError } from './texts.ts';
import { laterThanPrompt } from './prompt.ts';
import { nextTask } from '../../wait.ts';

/** A call that does not begin within this time after it was asked for never will. */
const PLACING_TIMEOUT_MS = 10_000;

interface PlacingOptions {
  readonly number: string;
  /** The SDK's method; it resolves whatever happens. */
  readonly make: () => Promise<unknown>;
  readonly signal: AbortSignal;
  /** It has come to nothing. Stuck: the SDK has not even said so, and may be busy with it for ever. */
  readonly over: (isStuck: boolean) => void;
}

export class Placing {
  readonly number: string;
  readonly microphones = new Microphones();
  /** Resolves once the call is under way. */
  readonly begun: Promise<void>;
  /** Texts of errors that came meanwhile. */
  readonly troubles: string[] = [];
  /** Not wanted any more, but it may still begin, and has to be ended then. */
  isGivenUp = false;
  readonly #over: (isStuck: boolean) => void;
  readonly #settled = new AbortController();
  readonly #signal: AbortSignal;
  #begun: () => void = () => undefined;
  #failed: (error: DialerError) => void = () => undefined;

  constructor({ number, make, signal, over }: PlacingOptions) {
    this.number = number;
    this.#over = over;
    this.#signal = AbortSignal.any([signal, this.#settled.signal]);
    this.begun = new Promise((resolve, reject) => {
      this.#begun = resolve;
      this.#failed = reject;
    });
    // Whoever gave it up need not wait for it.
    this.begun.catch(() => undefined);
    signal.addEventListener('abort', () => this.#close(new DialerError('not-ready', 'The SDK was closed.')), {
      once: true,
      signal: this.#settled.signal,
    });
    const run = async () => this.microphones.watch(make);
    // Only the events before it settles tell whether there is a call.
    const judge = () => nextTask(() => this.#end(false));
    run().then(judge, judge);
    void laterThanPrompt(PLACING_TIMEOUT_MS, this.#signal, () => this.#giveUpWaiting());
  }

  /** Aborts when it has begun or come to nothing. */
  get over(): AbortSignal {
    return this.#settled.signal;
  }

  /** The SDK says that the call is under way. */
  begin(): void {
    this.#settled.abort();
    this.#begun();
  }

  giveUp(error: DialerError): void {
    this.isGivenUp = true;
    this.#failed(error);
  }

  #giveUpWaiting(): void {
    this.giveUp(new DialerError('call-rejected', 'The SDK did not start the call.'));
    void laterThanPrompt(PLACING_TIMEOUT_MS, this.#signal, () => this.#end(true));
  }

  #end(isStuck: boolean): void {
    if (this.#signal.aborted) return;
    this.#close(troubleError(this.troubles));
    this.#over(isStuck);
  }

  #close(error: DialerError): void {
    this.#settled.abort();
    this.microphones.close();
    this.#failed(error);
  }
}
