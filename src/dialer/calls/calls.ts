/** Commands for the one call there can be, and its end. Each has a timeout; the state follows the SDK. */
import { CALL_BLOCKERS } from '../../broker/contract.ts';
import { DialerError, toDialerError } from '../../errors.ts';
import { checkMicrophone } from '../../page/microphone.ts';
import { painted } from '../../page/visibility.ts';
import { monitorQuality, type QualityReport } from '../../quality/monitor.ts';
import type { SdkEvent } from '../../sdk/calling-sdk.ts';
import type { Dependencies } from '../page-events.ts';
import type { MemberCheck } from '../member/member-check.ts';
import type { OutgoingCalls } from './outgoing-calls.ts';
import type { CallInfo } from '../state/call-info.ts';
import { isBusy, isLive } from '../state/call.ts';

/** Longer than the SDK rings (60 s), and longer than it may be silent until a call counts as failed. */
const ANSWER_TIMEOUT_MS = 90_000;
const HANG_UP_TIMEOUT_MS = 15_000;
/** How long the end of a call waits for the broker's answer. */
const END_TIMEOUT_MS = 3000;

type Ended = Extract<SdkEvent, { type: 'ended' }>;

export class Calls {
  readonly #store: Dependencies['store'];
  readonly #connection: Dependencies['connection'];
  readonly #outgoing: OutgoingCalls;
  readonly #memberCheck: MemberCheck;
  /** While the broker is asked why the call has ended. */
  #ending: Ended | undefined;

  constructor({ store, connection }: Dependencies, outgoing: OutgoingCalls, memberCheck: MemberCheck) {
    this.#store = store;
    this.#connection = connection;
    this.#outgoing = outgoing;
    this.#memberCheck = memberCheck;
  }

  /** A second one waits for the same answer: the SDK ignores its command. */
  async answer(): Promise<void> {
    const { id } = this.#incomingCall();
    await painted();
    const permission = await checkMicrophone().catch((error: unknown) => {
      const known = toDialerError(error, 'microphone-denied', 'The microphone cannot be used.');
      this.#store.apply({ type: 'answer-trouble', error: known });
      throw known;
    });
    const { call: present } = this.#store.state;
    if (!isLive(present) || present.info.id !== id)
      throw new DialerError('not-ready', 'The call is already over.');
    this.#store.apply({ type: 'microphone-checked', willAsk: permission === 'prompt' });
    this.#connection.sdk?.call?.answer();
    const { call } = await this.#store.until(
      (state) => state.call.is !== 'incoming' || state.call.trouble !== undefined,
      ANSWER_TIMEOUT_MS,
    );
    if (call.is === 'active' && call.info.id === id) return;
    if (call.is === 'incoming' && call.trouble) throw call.trouble;
    throw new DialerError('call-rejected', 'The call ended before it was answered.');
  }

  async reject(): Promise<void> {
    this.#incomingCall();
    await this.hangUp();
  }

  async hangUp(): Promise<void> {
    this.close();
    if (!isBusy(this.#store.state.call)) return;
    this.#connection.sdk?.hangUp();
    await this.#store.until(({ call }) => !isBusy(call), HANG_UP_TIMEOUT_MS);
  }

  async sendDtmf(tones: string, queued?: () => void): Promise<void> {
    const call = this.#connection.sdk?.call;
    if (this.#store.state.call.is !== 'active' || !call)
      throw new DialerError('not-ready', 'There is no call.');
    if (!/^[\d*#]+$/.test(tones)) throw new DialerError('invalid-number', 'DTMF tones are 0 to 9, * and #.');
    await call.sendDtmf(tones, queued);
  }

  /** Gives up a call that has not begun. */
  close(): void {
    this.#outgoing.giveUp();
    this.endNow();
  }

  /** If the SDK gave no usable reason, the broker is asked for one first. */
  onEnded(ended: Ended): void {
    if (!isLive(this.#store.state.call)) return;
    if (ended.confidence !== 'unknown') return this.#end(ended);
    this.#ending = ended;
    void this.#askBrokerWhy(ended);
  }

  /** Does not wait any longer for the reason why a call has ended. */
  endNow(): void {
    if (this.#ending) this.#end(this.#ending);
  }

  /** If the broker names a blocker now, that is why the call failed. */
  async #askBrokerWhy(ended: Ended): Promise<void> {
    const { session, signal } = this.#connection;
    const end = AbortSignal.any([signal, AbortSignal.timeout(END_TIMEOUT_MS)]);
    const asking = session?.hasStatus ? session.fetchReadiness(end).catch(() => undefined) : undefined;
    const blockers = (await asking)?.blockers;
    const outcome = CALL_BLOCKERS.find((reason) => blockers?.includes(reason));
    if (this.#ending === ended) this.#end(outcome ? { ...ended, outcome, confidence: 'likely' } : ended);
  }

  #end(ended: Ended): void {
    this.#ending = undefined;
    this.#store.apply({ ...ended, at: this.#store.now });
    const { call } = this.#store.state;
    if (call.is !== 'ended') return;
    if (call.info.answeredAt !== undefined || ended.outcome === 'insufficient-funds')
      void painted().then(() => this.#memberCheck.refresh());
  }

  #incomingCall(): CallInfo {
    const { call } = this.#store.state;
    if (call.is !== 'incoming') throw new DialerError('not-ready', 'There is no incoming call.');
    return call.info;
  }
}

/** From the answer of a call to its end, tells the state how the call sounds. */
export function watchQuality({ store, connection }: Dependencies): void {
  const monitored = {
    audio: () => connection.sdk?.call?.audio,
    isMuted: () => store.state.call.is === 'active' && store.state.call.muted,
    isHeld: () => store.state.call.is === 'active' && store.state.call.held,
    onReport: (report: QualityReport) => store.apply({ type: 'quality', ...report }),
  };
  let active = new AbortController();
  store.subscribe(({ call }, previous) => {
    if (call.is === previous.call.is) return;
    active.abort();
    active = new AbortController();
    if (call.is === 'active') void monitorQuality(monitored, active.signal);
  });
}
