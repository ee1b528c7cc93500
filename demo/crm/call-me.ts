/** The button that has the vendor ring the agent's own dialer, and what came of it. */
import type { CallInfo, PartnerDialer } from '../../src/index.ts';
import { describeResult, describeError } from './call-words.ts';
import { callMe, CallsError, type CallEvent } from './calls-client.ts';
import { isOnThePhone } from './customer-file.ts';
import { byId } from './dom.ts';

const ANSWERED = 'You answered.';
const NOT_TAKEN = 'You did not take the call. If nothing rang, see that the dialer is ready.';
const NOT_TAKEN_RESULTS = ['NOANSWER', 'CANCEL', 'BUSY', 'DECLINE', 'TIME_OUT'];

export class CallMe {
  readonly #dialer: PartnerDialer;
  readonly #button = byId('call-me', HTMLButtonElement);
  readonly #outcome = byId('call-me-outcome', HTMLElement);
  /** Of one agent. */
  #life = new AbortController();
  #isAsking = false;
  /** The call that is on its way. */
  #expected: string | undefined;
  /** Results by our id: the call may be over before the companion has returned that id. */
  readonly #results = new Map<string, string>();

  constructor(dialer: PartnerDialer) {
    this.#dialer = dialer;
    this.#button.addEventListener('click', () => void this.#ask());
    // Without webhooks, only the dialer reports the end.
    dialer.addEventListener('dialer-callend', ({ detail }) => this.#ended(detail.call));
  }

  forget(): void {
    this.#life.abort();
    this.#life = new AbortController();
    this.#isAsking = false;
    this.#expected = undefined;
    this.#show('');
  }

  handle({ externalCallId, disposition }: CallEvent): void {
    if (externalCallId === undefined || disposition === undefined) return;
    this.#results.set(externalCallId, disposition);
    this.#showResult();
  }

  async #ask(): Promise<void> {
    if (this.#isAsking) return;
    if (isOnThePhone(this.#dialer.state.status)) return this.#show('You are on the phone. Hang up first.');
    const { signal } = this.#life;
    this.#isAsking = true;
    this.#expected = undefined;
    this.#results.clear();
    this.#show('Asking the vendor to call you…');
    try {
      const expected = await callMe(signal);
      if (signal.aborted) return;
      this.#expected = expected;
      this.#show('The vendor is calling you. Your dialer rings in a moment.');
      this.#showResult();
    } catch (error) {
      if (signal.aborted) return;
      this.#show(describeError(error instanceof CallsError ? error : new CallsError('failed')), true);
    }
    this.#isAsking = false;
  }

  #showResult(): void {
    const result = this.#results.get(this.#expected ?? '');
    if (result === undefined) return;
    this.#expected = undefined;
    if (result === 'ANSWER') this.#show(ANSWERED);
    else if (NOT_TAKEN_RESULTS.includes(result)) this.#show(NOT_TAKEN);
    else
      this.#show(`The call did not come through: ${describeResult(result, 'outgoing').toLowerCase()}.`, true);
  }

  #ended({ direction, outcome }: CallInfo): void {
    if (this.#expected === undefined || direction !== 'incoming') return;
    this.#expected = undefined;
    this.#show(outcome === 'answered' ? ANSWERED : NOT_TAKEN);
  }

  #show(text: string, isTrouble = false): void {
    this.#outcome.classList.toggle('refused', isTrouble);
    this.#outcome.textContent = text;
  }
}
