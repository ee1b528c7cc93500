/** Mute, hold and keys. Each promise resolves when the SDK confirms it, else it rejects. */
import { DialerError } from '../../errors.ts';
import type { SdkCallControls, SdkEvent } from '../../sdk/calling-sdk.ts';
import type { Dependencies } from '../dependencies.ts';
import type { DialerState } from '../state/state.ts';

const TIMEOUT_MS = 10_000;

type HoldAnswer = Extract<SdkEvent, { type: 'held' | 'hold-refused' }>;

export class CallControls {
  readonly #store: Dependencies['store'];
  readonly #connection: Dependencies['connection'];
  readonly #holdListeners = new Set<(answer: HoldAnswer) => void>();

  constructor({ store, connection }: Dependencies) {
    this.#store = store;
    this.#connection = connection;
  }

  async setMuted(on: boolean): Promise<void> {
    this.#active().setMuted(on);
    const isMuted = ({ call }: DialerState) => call.is === 'active' && call.muted === on;
    const state = await this.#untilCallEnds(isMuted);
    if (!isMuted(state)) throw callEnded();
  }

  /** A later request supersedes an earlier one, which rejects. */
  async setHeld(on: boolean): Promise<void> {
    const active = this.#active();
    let answer: HoldAnswer | undefined;
    const listener = (each: HoldAnswer) => {
      if (each.on === on) answer ??= each;
    };
    this.#holdListeners.add(listener);
    try {
      active.setHeld(on);
      await this.#untilCallEnds(() => answer !== undefined);
    } finally {
      this.#holdListeners.delete(listener);
    }
    if (!answer) throw callEnded();
    if (answer.type === 'hold-refused')
      throw new DialerError('call-rejected', 'The other party refused, or a later request came first.');
  }

  /** @param queued the SDK has taken the keys, and sends one after the other */
  async sendDtmf(tones: string, queued?: () => void): Promise<void> {
    const active = this.#active();
    if (!/^[\d*#]+$/.test(tones)) throw new DialerError('invalid-number', 'Keys are 0 to 9, * and #.');
    await active.sendDtmf(tones, queued);
  }

  /** The SDK has answered a request to hold or to resume. */
  onHoldAnswer(answer: HoldAnswer): void {
    for (const listener of this.#holdListeners) listener(answer);
    // A refusal is not in the state.
    this.#store.check();
  }

  #untilCallEnds(holds: (state: DialerState) => boolean): Promise<DialerState> {
    return this.#store.until((state) => state.call.is !== 'active' || holds(state), TIMEOUT_MS);
  }

  #active(): SdkCallControls {
    const call = this.#connection.sdk?.call;
    if (this.#store.state.call.is !== 'active' || !call)
      throw new DialerError('not-ready', 'There is no call.');
    return call;
  }
}

function callEnded(): DialerError {
  return new DialerError('call-rejected', 'The call has ended.');
}
