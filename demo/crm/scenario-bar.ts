/** Switches the sandbox to what can go wrong for an agent: no money, no caller number, no vendor. */
import type { PartnerDialer } from '../../src/index.ts';
import { isOnThePhone } from './customers/live-call.ts';
import { byId } from './dom.ts';
import { arrange, readScenario, ringMember, scenarioSchema, type Scenario } from './sandbox-client.ts';
import { onLanguage, words } from './words/language.ts';

interface Caller {
  readonly name: string;
  readonly number: string;
}

export class ScenarioBar {
  readonly #dialer: PartnerDialer;
  readonly #caller: () => Caller;
  readonly #buttons = byId('scenario', HTMLElement).querySelectorAll('button');
  readonly #hint = byId('scenario-hint', HTMLElement);
  #memberNo: string | undefined;
  #lastTurn: Promise<void> = Promise.resolve();
  #seen: Promise<void> = Promise.resolve();

  /** @param caller who is calling when somebody is to call */
  constructor(dialer: PartnerDialer, caller: () => Caller) {
    this.#dialer = dialer;
    this.#caller = caller;
    byId('rehearsal', HTMLElement).hidden = false;
    for (const button of this.#buttons) {
      button.addEventListener('click', () => void this.play(scenarioSchema.parse(button.value)));
    }
    byId('ring', HTMLButtonElement).addEventListener('click', () => void this.ring());
    onLanguage(() => void this.#inTurn(() => this.#refresh()));
    // A top-up or a new hotline ends the scenario: the bar shows how things are, not what was pressed.
    dialer.addEventListener('dialer-statechange', ({ detail: { state, previous } }) => {
      if (state.block !== previous.block || state.line !== previous.line) {
        void this.#inTurn(() => this.#refresh());
      }
    });
  }

  follow(memberNo: string): void {
    this.#memberNo = memberNo;
    void this.#inTurn(() => this.#refresh());
  }

  /** Resolves when the dialer has seen it. */
  async play(scenario: Scenario): Promise<void> {
    await this.#inTurn(() => this.#play(scenario));
    await this.#seen;
  }

  ring(): Promise<void> {
    return this.#inTurn(() => this.#ring());
  }

  /** One after the other, so that two quick presses end with the second scenario. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    this.#lastTurn = this.#lastTurn.then(work).catch(() => this.#showHint(words().scenarios.noAnswer));
    return this.#lastTurn;
  }

  async #play(scenario: Scenario): Promise<void> {
    if (this.#memberNo === undefined) return;
    this.#show(scenario);
    await arrange(scenario, this.#memberNo);
    // Not awaited: a dialer that is slow to connect must not hold up the next press.
    this.#seen = this.#letDialerSee(scenario);
  }

  async #letDialerSee(scenario: Scenario): Promise<void> {
    const { status } = this.#dialer.state;
    if (isOnThePhone(status)) return;
    // A dialer that is connected would not notice before the next call.
    if (scenario === 'vendor-down') await this.#dialer.disconnect();
    const isOff = status === 'idle' || status === 'failed' || scenario === 'vendor-down';
    // What fails is shown by the dialer and written to the log.
    await (isOff ? this.#dialer.connect() : this.#dialer.recheck()).catch(() => undefined);
  }

  async #ring(): Promise<void> {
    if (this.#memberNo === undefined) return;
    const { name, number } = this.#caller();
    const rings = await ringMember(this.#memberNo, number);
    const { isCalling, notConnected } = words().scenarios;
    this.#showHint(rings ? isCalling(name) : notConnected);
  }

  async #refresh(): Promise<void> {
    if (this.#memberNo === undefined) return;
    const scenario = await readScenario(this.#memberNo);
    this.#show(scenario);
  }

  #show(scenario: Scenario): void {
    for (const button of this.#buttons) {
      button.setAttribute('aria-pressed', String(button.value === scenario));
    }
    this.#showHint(words().scenarios[scenario]);
  }

  #showHint(hint: string): void {
    if (this.#hint.textContent !== hint) this.#hint.textContent = hint;
  }
}
