/**
 * What a call has come to. It never goes back; `moveTo` alone moves it:
 *
 *     placing ──▶ begun ──▶ answered ──▶ over
 *        │          │          │          ▲
 *        └──────────┴──────────┴─▶ left ──┘
 *
 * - placing: the SDK was asked for the call, and has not said that it began
 * - left: over for the agent, who hears and reads nothing more of it. The SDK still has it: it is placing the call, or it has
 *   no socket over which the exchange could be told
 */
const STATES = ['placing', 'begun', 'answered', 'left', 'over'] as const;
type CallState = (typeof STATES)[number];

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

  /** @returns false: the call has come to this, or further, already */
  moveTo(state: Exclude<CallState, 'placing'>): boolean {
    if (STATES.indexOf(state) <= STATES.indexOf(this.#state)) return false;
    this.#state = state;
    if (state === 'answered') this.#answered.abort();
    if (state === 'left' || state === 'over') this.#left.abort();
    if (state === 'over') this.#over.abort();
    return true;
  }
}
