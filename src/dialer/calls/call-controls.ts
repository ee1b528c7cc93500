/** Mute, hold and keys. Each promise resolves when the SDK confirms it, else it rejects. */
import { DialerError } from '../../errors.ts';
import type { SdkCallControls } from '../../sdk/calling-sdk.ts';
import { within } from '../../wait.ts';
import type { Dependencies } from '../dependencies.ts';
import type { DialerState } from '../state/state.ts';

const TIMEOUT_MS = 10_000;

export class CallControls {
  readonly #store: Dependencies['store'];
  readonly #connection: Dependencies['connection'];

  constructor({ store, connection }: Dependencies) {
    this.#store = store;
    this.#connection = connection;
  }

  async setMuted(on: boolean): Promise<void> {
    this.#active().setMuted(on);
    const isMuted = ({ call }: DialerState) => call.is === 'active' && call.muted === on;
    const state = await this.#store.until((now) => now.call.is !== 'active' || isMuted(now), TIMEOUT_MS);
    if (!isMuted(state)) throw new DialerError('call-rejected', 'The call has ended.');
  }

  /** A later request supersedes an earlier one, which rejects. */
  async setHeld(on: boolean): Promise<void> {
    const holding = this.#active().setHeld(on);
    const isDone = await within(
      holding.then(() => true),
      TIMEOUT_MS,
    );
    if (!isDone) throw new DialerError('call-rejected', 'The exchange did not answer in time.');
  }

  /** @param queued the SDK has taken the keys, and sends one after the other */
  async sendDtmf(tones: string, queued?: () => void): Promise<void> {
    const active = this.#active();
    if (!/^[\d*#]+$/.test(tones)) throw new DialerError('invalid-number', 'Keys are 0 to 9, * and #.');
    await active.sendDtmf(tones, queued);
  }

  #active(): SdkCallControls {
    const call = this.#connection.sdk?.call;
    if (this.#store.state.call.is !== 'active' || !call)
      throw new DialerError('not-ready', 'There is no call.');
    return call;
  }
}
