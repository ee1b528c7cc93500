/** Plays what an agent meets on bad days: no money, no caller number, no vendor. Only the sandbox can do that. */
import type { DialerStatus, PartnerDialer } from '../../src/index.ts';
import type { CustomerFile } from './customer-file.ts';
import { byId, onPick, pick } from './dom.ts';
import { arrange, readScenario, ringMember, scenarioSchema, type Scenario } from './sandbox-client.ts';

const HINTS: Readonly<Record<Scenario, string>> = {
  ready: 'Play money, real audio: you hear your own voice.',
  'no-funds': 'The balance is 0. Ask for a top-up in the dialer.',
  'no-hotline': 'No caller number is assigned. Ask for one in the dialer.',
  'vendor-down': 'Nothing at the vendor answers. Come back to Ready and try again.',
};

export class ScenarioBar {
  readonly #dialer: PartnerDialer;
  readonly #file: CustomerFile;
  readonly #group = byId('scenario', HTMLFieldSetElement);
  readonly #hint = byId('scenario-hint', HTMLElement);
  #memberNo: string | undefined;

  constructor(dialer: PartnerDialer, file: CustomerFile) {
    this.#dialer = dialer;
    this.#file = file;
    byId('rehearsal', HTMLFormElement).hidden = false;
    onPick(this.#group, (value) => void this.#play(scenarioSchema.parse(value)));
    byId('ring', HTMLButtonElement).addEventListener('click', () => void this.#ring());
    // A top-up or a new hotline ends the scenario: the bar shows how things are, not what was pressed.
    dialer.addEventListener('dialer-statechange', ({ detail: { state, previous } }) => {
      if (state.block !== previous.block || state.line !== previous.line) void this.#refresh();
    });
  }

  follow(memberNo: string): void {
    this.#memberNo = memberNo;
    void this.#refresh();
  }

  async #play(scenario: Scenario): Promise<void> {
    if (this.#memberNo === undefined) return;
    this.#say(HINTS[scenario]);
    await arrange(scenario, this.#memberNo);
    await this.#letDialerSee(scenario);
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
    const { name, phone } = this.#file.selected;
    const rings = await ringMember(this.#memberNo, phone);
    this.#say(rings ? `${name} is calling you.` : 'The dialer has to be connected before it can ring.');
  }

  async #refresh(): Promise<void> {
    if (this.#memberNo === undefined) return;
    const scenario = await readScenario(this.#memberNo);
    pick(this.#group, scenario);
    this.#say(HINTS[scenario]);
  }

  #say(hint: string): void {
    if (this.#hint.textContent !== hint) this.#hint.textContent = hint;
  }
}

function isOnThePhone(status: DialerStatus): boolean {
  return status === 'dialing' || status === 'incoming' || status === 'in-call';
}
