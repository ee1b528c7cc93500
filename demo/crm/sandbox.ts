/** Switches the sandbox to what can go wrong for an agent, and lets the dialer see it: no money, no caller number, no vendor. */
import type { PartnerDialer } from '../../src/index.ts';
import { isOnThePhone } from './customers/live-call.ts';
import { byId } from './dom.ts';
import { arrange, ringMember, type Scenario } from './sandbox-client.ts';

export class Sandbox {
  readonly #dialer: PartnerDialer;
  #lastTurn: Promise<unknown> = Promise.resolve();
  #seen: Promise<void> = Promise.resolve();

  constructor(dialer: PartnerDialer) {
    this.#dialer = dialer;
  }

  /** Resolves when the dialer has seen it. */
  async play(scenario: Scenario): Promise<void> {
    await this.#inTurn(async () => {
      await arrange(scenario, signedIn());
      // Not awaited: a dialer that is slow to connect must not hold up the next press.
      this.#seen = this.#letDialerSee(scenario);
    });
    await this.#seen;
  }

  /** @returns `false`: the dialer is not connected */
  ring(number: string): Promise<boolean> {
    return this.#inTurn(() => ringMember(signedIn(), number));
  }

  /** One after the other, so that two quick presses end with the second scenario. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#lastTurn.then(work);
    this.#lastTurn = turn.catch(() => undefined);
    return turn;
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
}

/** The member number of the agent. */
function signedIn(): string {
  return byId('agent', HTMLSelectElement).value;
}
