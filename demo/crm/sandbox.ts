/** Switches the sandbox to what can go wrong for an agent: no money, no caller number, no vendor. */
import type { PartnerDialer } from '../../src/index.ts';
import { isOnThePhone } from './customers/live-call.ts';
import { arrange, readScenario, ringMember, type Scenario } from './sandbox-client.ts';

export class Sandbox {
  readonly #dialer: PartnerDialer;
  readonly #changed: (scenario: Scenario) => void;
  #memberNo: string | undefined;
  #lastTurn: Promise<unknown> = Promise.resolve();
  #seen: Promise<void> = Promise.resolve();

  /** @param changed told how things are with this member */
  constructor(dialer: PartnerDialer, changed: (scenario: Scenario) => void) {
    this.#dialer = dialer;
    this.#changed = changed;
    dialer.addEventListener('dialer-statechange', ({ detail: { state, previous } }) => {
      if (state.block !== previous.block || state.line !== previous.line) this.#refresh();
    });
  }

  follow(memberNo: string): void {
    this.#memberNo = memberNo;
    this.#refresh();
  }

  /** Resolves when the dialer has seen it. */
  async play(scenario: Scenario): Promise<void> {
    await this.#inTurn(() => this.#play(scenario));
    await this.#seen;
  }

  /** @returns `false`: the dialer is not connected */
  ring(number: string): Promise<boolean> {
    return this.#inTurn(async () => this.#memberNo !== undefined && ringMember(this.#memberNo, number));
  }

  /** One after the other, so that two quick presses end with the second scenario. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#lastTurn.then(work);
    this.#lastTurn = turn.catch(() => undefined);
    return turn;
  }

  async #play(scenario: Scenario): Promise<void> {
    if (this.#memberNo === undefined) return;
    this.#changed(scenario);
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

  #refresh(): void {
    const read = async () => {
      if (this.#memberNo !== undefined) this.#changed(await readScenario(this.#memberNo));
    };
    // The next press tells when the sandbox does not answer.
    this.#inTurn(read).catch(() => undefined);
  }
}
