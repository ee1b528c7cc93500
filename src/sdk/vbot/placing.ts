/** What a call has come to; requests to the SDK to place or answer it. The SDK's promise resolves whatever happens, or never. */
import { DialerError } from '../../errors.ts';
import { nextTask, stopwatch } from '../../wait.ts';
import { laterWithoutPrompt } from './microphones.ts';
import { troubleError } from './outcome.ts';

/** A call that has not begun within this time will not begin. */
const PLACING_TIMEOUT_MS = 10_000;
/** It is waited for twice. */
const ANSWER_TIMEOUT_MS = 5000;
/**
 * From the request to the INVITE: the browser may ask the agent, and another call may have to end. If the machine has slept
 * meanwhile, nobody expects the call any more.
 */
export const INVITE_TIMEOUT_MS = 600_000;

/**
 * What a call has come to. It never goes back; `moveTo` alone moves it:
 *
 *      ┌─────────────────────┐
 *      │                     ▼
 *     open ──▶ answered ──▶ over
 *      │          │          ▲
 *      └──────────┴─▶ left ──┘
 *
 * In `left`, it is over for the agent, who hears and reads nothing more of it. The SDK still has it: it is placing the call, or
 * it has no socket over which the exchange could be told.
 */
const STATES = ['open', 'answered', 'left', 'over'] as const;
type CallState = (typeof STATES)[number];

export class CallLife {
  #state: CallState = 'open';
  /** Milliseconds since the request. */
  readonly age = stopwatch();
  readonly #answered = new AbortController();
  readonly #left = new AbortController();
  readonly #over = new AbortController();
  /** Aborts when the call is answered, if it ever is. */
  readonly answered = this.#answered.signal;
  /** Aborts when the agent is out of the call; its reason is what a request for the call fails with. */
  readonly left = this.#left.signal;
  /** Aborts after that, when the SDK is out of it, too. */
  readonly over = this.#over.signal;

  /**
   * @param why a call that has not begun never will
   * @returns false: the call has come to this, or further, already
   */
  moveTo(state: Exclude<CallState, 'open'>, why?: DialerError): boolean {
    if (STATES.indexOf(state) <= STATES.indexOf(this.#state)) return false;
    this.#state = state;
    if (state === 'answered') this.#answered.abort();
    else
      this.#left.abort(why ?? new DialerError('call-rejected', 'The call was cancelled before it started.'));
    if (state === 'over') this.#over.abort();
    return true;
  }
}

/** A call that was asked for, until the SDK says that it began. */
export class Placing {
  readonly life: CallLife;
  /** Texts of the errors that the SDK has shown meanwhile. */
  readonly troubles: string[] = [];
  readonly #settled = new AbortController();
  /** Aborts when the call has begun or failed. */
  readonly settled = this.#settled.signal;

  /**
   * @param life if the agent leaves the call and it begins all the same, it is ended
   * @param onFailed the call never began. `isStuck`: the SDK's promise has not settled either, so the SDK may stay busy
   */
  constructor(life: CallLife, make: () => Promise<unknown>, onFailed: (isStuck: boolean) => void) {
    this.life = life;
    const end = (isStuck: boolean) => {
      if (this.settled.aborted) return;
      this.fail(troubleError(this.troubles, 'The SDK did not place the call.'));
      onFailed(isStuck);
    };
    // The events that say whether there is a call come before the promise settles.
    const judge = () => nextTask(() => end(false));
    make().then(judge, judge);
    const wait = (work: () => void) => void laterWithoutPrompt(PLACING_TIMEOUT_MS, this.settled, work);
    wait(() => {
      life.moveTo('left', new DialerError('call-rejected', 'The SDK did not place the call.'));
      wait(() => end(true));
    });
  }

  /** The SDK says that the call is under way. */
  begin(): void {
    this.#settled.abort();
  }

  fail(error: DialerError): void {
    this.life.moveTo('over', error);
    this.#settled.abort();
  }
}

interface AnsweringOptions {
  readonly answer: () => Promise<unknown>;
  /** As the session says; `undefined`: it does not. */
  readonly isAnswered: () => boolean | undefined;
  /** Aborts when the call is answered or over. */
  readonly settled: AbortSignal;
  /** The call rings on, and may be answered again. */
  readonly onFailed: (error: DialerError) => void;
}

export class Answering {
  readonly #options: AnsweringOptions;
  /** Of the present attempt: texts of the errors that the SDK has shown. Each may be the reason why it does not answer. */
  troubles: string[] | undefined;
  /** The SDK is still answering. A second command would make it lose the data of the call. */
  #isSdkBusy = false;

  constructor(options: AnsweringOptions) {
    this.#options = options;
  }

  get isUnderWay(): boolean {
    return this.troubles !== undefined;
  }

  async start(): Promise<void> {
    const { answer, settled } = this.#options;
    if (this.isUnderWay || settled.aborted) return;
    const troubles: string[] = [];
    this.troubles = troubles;
    const wait = (work: () => void) => void laterWithoutPrompt(ANSWER_TIMEOUT_MS, settled, work);
    // Twice: if the page stands still after the press, the first timer ends before the SDK can answer.
    wait(() => wait(() => this.#fail(troubles)));
    if (this.#isSdkBusy) return;
    this.#isSdkBusy = true;
    const [{ status }] = await Promise.allSettled([answer()]);
    this.#isSdkBusy = false;
    nextTask(() => {
      // A text may be of another call, and the SDK shows the same one only once in 3 s.
      const isAnswered = this.#options.isAnswered() ?? this.troubles?.length === 0;
      if (status === 'rejected' || !isAnswered) this.#fail(this.troubles);
    });
  }

  /** @param troubles of the attempt that has failed */
  #fail(troubles: readonly string[] | undefined): void {
    if (!troubles || troubles !== this.troubles || this.#options.settled.aborted) return;
    this.troubles = undefined;
    this.#options.onFailed(troubleError(troubles, 'The SDK did not answer the call.'));
  }
}
