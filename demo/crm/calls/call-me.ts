/** The button that has the vendor ring the agent's own dialer, and what came of it. */
import type { CallInfo, PartnerDialer } from '../../../src/index.ts';
import { describeError, toCompanionError } from '../companion.ts';
import { byId } from '../dom.ts';
import { isOnThePhone } from '../customers/live-call.ts';
import { onLanguage, words } from '../words/language.ts';
import { callMe } from './calls-client.ts';

export class CallMe {
  readonly #dialer: PartnerDialer;
  readonly #button = byId('call-me', HTMLButtonElement);
  readonly #outcome = byId('call-me-outcome', HTMLElement);
  /** Ends with the agent's session. */
  #life = new AbortController();
  #describe = () => '';
  #isAsking = false;
  /** The vendor's call has not come yet, or has not ended. */
  #isExpected = false;

  constructor(dialer: PartnerDialer) {
    this.#dialer = dialer;
    this.#button.addEventListener('click', () => void this.#ask());
    onLanguage(() => (this.#outcome.textContent = this.#describe()));
    dialer.addEventListener('dialer-callend', ({ detail }) => this.#ended(detail.call));
  }

  forget(): void {
    this.#life.abort();
    this.#life = new AbortController();
    this.#isAsking = false;
    this.#isExpected = false;
    this.#show(() => '');
  }

  async #ask(): Promise<void> {
    if (this.#isAsking) return;
    if (isOnThePhone(this.#dialer.state.status)) return this.#show(() => words().calls.hangUpFirst);
    const { signal } = this.#life;
    this.#isAsking = true;
    this.#isExpected = true;
    this.#show(() => words().calls.asking);
    try {
      await callMe(signal);
      if (signal.aborted) return;
      // It may be over before the companion responds.
      if (this.#isExpected) this.#show(() => words().calls.coming);
    } catch (error) {
      if (signal.aborted) return;
      this.#isExpected = false;
      const trouble = toCompanionError(error);
      this.#show(() => describeError(trouble), true);
    }
    this.#isAsking = false;
  }

  #ended({ direction, outcome }: CallInfo): void {
    if (!this.#isExpected || direction !== 'incoming') return;
    this.#isExpected = false;
    this.#show(() => (outcome === 'answered' ? words().calls.answered : words().calls.notTaken));
  }

  #show(describe: () => string, isTrouble = false): void {
    this.#describe = describe;
    this.#outcome.classList.toggle('refused', isTrouble);
    this.#outcome.textContent = describe();
  }
}
