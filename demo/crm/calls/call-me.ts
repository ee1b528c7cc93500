/** The button that has the vendor ring the agent's own dialer, and what came of it. */
import type { CallInfo, PartnerDialer } from '../../../src/index.ts';
import { describeError, toCompanionError } from '../companion.ts';
import { byId } from '../dom.ts';
import { isOnThePhone } from '../customers/live-call.ts';
import { onLanguage, words } from '../words/language.ts';
import { describeResult } from './call-words.ts';
import { callMe, type CallEvent } from './calls-client.ts';

const NOT_TAKEN_RESULTS = ['NOANSWER', 'CANCEL', 'BUSY', 'DECLINE', 'TIME_OUT'];

export class CallMe {
  readonly #dialer: PartnerDialer;
  readonly #button = byId('call-me', HTMLButtonElement);
  readonly #outcome = byId('call-me-outcome', HTMLElement);
  /** Ends with the agent's session. */
  #life = new AbortController();
  #describe = () => '';
  #isAsking = false;
  /** The call that is on its way. */
  #expected: string | undefined;
  /** Results by our id: the call may be over before the companion has returned that id. */
  readonly #results = new Map<string, string>();

  constructor(dialer: PartnerDialer) {
    this.#dialer = dialer;
    this.#button.addEventListener('click', () => void this.#ask());
    onLanguage(() => (this.#outcome.textContent = this.#describe()));
    // Without webhooks, only the dialer reports the end.
    dialer.addEventListener('dialer-callend', ({ detail }) => this.#ended(detail.call));
  }

  forget(): void {
    this.#life.abort();
    this.#life = new AbortController();
    this.#isAsking = false;
    this.#expected = undefined;
    this.#show(() => '');
  }

  handle({ externalCallId, disposition }: CallEvent): void {
    if (externalCallId === undefined || disposition === undefined) return;
    this.#results.set(externalCallId, disposition);
    this.#showResult();
  }

  async #ask(): Promise<void> {
    if (this.#isAsking) return;
    if (isOnThePhone(this.#dialer.state.status)) return this.#show(() => words().calls.hangUpFirst);
    const { signal } = this.#life;
    this.#isAsking = true;
    this.#expected = undefined;
    this.#results.clear();
    this.#show(() => words().calls.asking);
    try {
      const expected = await callMe(signal);
      if (signal.aborted) return;
      this.#expected = expected;
      this.#show(() => words().calls.coming);
      this.#showResult();
    } catch (error) {
      if (signal.aborted) return;
      const trouble = toCompanionError(error);
      this.#show(() => describeError(trouble), true);
    }
    this.#isAsking = false;
  }

  #showResult(): void {
    const result = this.#results.get(this.#expected ?? '');
    if (result === undefined) return;
    this.#expected = undefined;
    if (result === 'ANSWER') this.#show(() => words().calls.answered);
    else if (NOT_TAKEN_RESULTS.includes(result)) this.#show(() => words().calls.notTaken);
    else {
      const describe = () => describeResult(result, 'outgoing').toLowerCase();
      this.#show(() => words().calls.notThrough(describe()), true);
    }
  }

  #ended({ direction, outcome }: CallInfo): void {
    if (this.#expected === undefined || direction !== 'incoming') return;
    this.#expected = undefined;
    this.#show(() => (outcome === 'answered' ? words().calls.answered : words().calls.notTaken));
  }

  #show(describe: () => string, isTrouble = false): void {
    this.#describe = describe;
    this.#outcome.classList.toggle('refused', isTrouble);
    this.#outcome.textContent = describe();
  }
}
