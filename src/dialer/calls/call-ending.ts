/** Ends the call that the SDK has ended. If the SDK gave no usable reason, the broker is asked for one first. */
import { painted } from '../../page/visibility.ts';
import type { SdkEvent } from '../../sdk/calling-sdk.ts';
import type { MemberCheck } from '../member/member-check.ts';
import { failureCode } from '../state/call-info.ts';
import { isLive } from '../state/call.ts';
import type { DialerStore } from '../store.ts';

type Ended = Extract<SdkEvent, { type: 'ended' }>;

/** How long the end of a call waits for the broker's answer. */
const BROKER_TIMEOUT_MS = 3000;

export class CallEnding {
  readonly #store: DialerStore;
  readonly #memberCheck: MemberCheck;
  /** Set while the broker is asked. */
  #endNow: (() => void) | undefined;

  constructor(store: DialerStore, memberCheck: MemberCheck) {
    this.#store = store;
    this.#memberCheck = memberCheck;
  }

  onEnded(ended: Ended): void {
    if (!isLive(this.#store.state.call)) return;
    if (ended.confidence !== 'unknown') return this.#end(ended);
    this.#endNow = () => this.#end(ended);
    void this.#askBrokerWhy(ended, this.#endNow);
  }

  /** Ends the call without waiting for the broker any longer. */
  endCall(): void {
    this.#endNow?.();
  }

  /** If the broker names a blocker now, that is why the call failed. */
  async #askBrokerWhy(ended: Ended, endNow: () => void): Promise<void> {
    const outcome = await this.#memberCheck.blockerOfCall(BROKER_TIMEOUT_MS);
    if (this.#endNow !== endNow) return;
    this.#end(outcome ? { ...ended, outcome, confidence: 'likely' } : ended);
  }

  #end({ outcome, confidence, status, reason }: Ended): void {
    this.#endNow = undefined;
    const code = failureCode(outcome);
    const failure = code && { code, reason, confidence };
    this.#store.apply({ type: 'ended', outcome, status, failure, at: this.#store.now });
    const { call } = this.#store.state;
    if (call.is !== 'ended') return;
    if (call.info.answeredAt !== undefined || outcome === 'insufficient-funds')
      void painted().then(() => this.#memberCheck.refresh());
  }
}
