/** What can be switched in a call: mute, hold, keys. Each resolves when it is so, and rejects when it does not come to that. */
import { DialerError } from '../errors.ts';
import type { CallingSdk } from '../sdk/calling-sdk.ts';
import type { Connection } from './connection.ts';
import type { DialerState } from './state/state.ts';
import type { DialerStore } from './store.ts';

const SWITCH_TIMEOUT_MS = 10_000;

export class CallSwitches {
  readonly #store: DialerStore;
  readonly #connection: Connection;
  /** Counted, so that whoever waits for a hold sees the refusal of that one. */
  #refusedHolds = 0;

  constructor(store: DialerStore, connection: Connection) {
    this.#store = store;
    this.#connection = connection;
  }

  async setMuted(on: boolean): Promise<void> {
    this.#activeSdk().setMuted(on);
    await this.#switched(({ call }) => call.is === 'active' && call.muted === on);
  }

  async setHeld(on: boolean): Promise<void> {
    const sdk = this.#activeSdk();
    const refused = this.#refusedHolds;
    sdk.setHeld(on);
    await this.#switched(
      ({ call }) => call.is === 'active' && call.held === on,
      () => this.#refusedHolds > refused,
    );
  }

  /** @param queued the SDK has taken them, and sends one after the other */
  async sendDtmf(tones: string, queued?: () => void): Promise<void> {
    const sdk = this.#activeSdk();
    if (!/^[\d*#]+$/.test(tones)) throw new DialerError('invalid-number', 'Keys are 0 to 9, * and #.');
    await sdk.sendDtmf(tones, queued);
  }

  /** The other side did not agree, and the call goes on as it was. */
  holdRefused(): void {
    this.#refusedHolds += 1;
    this.#store.check();
  }

  /** @throws {DialerError} when the call or the exchange did not let it come to that */
  async #switched(
    holds: (state: DialerState) => boolean,
    isRefused: () => boolean = () => false,
  ): Promise<void> {
    const state = await this.#store.until(
      (now) => now.call.is !== 'active' || holds(now) || isRefused(),
      SWITCH_TIMEOUT_MS,
    );
    if (holds(state)) return;
    const why = state.call.is === 'active' ? 'The other side did not agree.' : 'The call has ended.';
    throw new DialerError('call-rejected', why);
  }

  #activeSdk(): CallingSdk {
    const { sdk } = this.#connection;
    if (this.#store.state.call.is !== 'active' || !sdk)
      throw new DialerError('not-ready', 'There is no call.');
    return sdk;
  }
}
