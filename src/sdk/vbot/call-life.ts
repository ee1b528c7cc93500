/**
 * What a call has come to, moved by `moveTo` alone:
 *
 *     placing ──▶ begun ──▶ answered ──▶ over
 *        │          │          │          ▲
 *        └──────────┴──────────┴─▶ left ──┘
 *
 * - placing: the SDK was asked for the call, and has not said that it began
 * - left: over for the agent, who hears and reads nothing more of it. The SDK still has it: it is placing the call, or it has
 *   no socket over which the exchange could be told
 */
type CallState = 'placing' | 'begun' | 'answered' | 'left' | 'over';

const MOVES: Readonly<Record<CallState, readonly CallState[]>> = {
  placing: ['begun', 'left', 'over'],
  begun: ['answered', 'left', 'over'],
  answered: ['left', 'over'],
  left: ['over'],
  over: [],
};

export class CallLife {
  #state: CallState;
  readonly #answered = new AbortController();
  readonly #left = new AbortController();
  readonly #over = new AbortController();
  /** Aborts when the call is answered, if it ever is. */
  readonly answered = this.#answered.signal;
  /** Aborts when the agent is out of the call. */
  readonly left = this.#left.signal;
  /** Aborts after that, when the SDK is out of it, too. */
  readonly over = this.#over.signal;

  constructor(state: 'placing' | 'begun') {
    this.#state = state;
  }

  /** @returns false: the call cannot come to this any more */
  moveTo(state: Exclude<CallState, 'placing'>): boolean {
    if (!MOVES[this.#state].includes(state)) return false;
    this.#state = state;
    if (state === 'answered') this.#answered.abort();
    if (state === 'left' || state === 'over') this.#left.abort();
    if (state === 'over') this.#over.abort();
    return true;
  }
}
