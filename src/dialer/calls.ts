/** The one call there can be: answered and ended, with an end to every wait. The state follows what the SDK reports. */
import { DialerError, toDialerError } from '../errors.ts';
import { checkMicrophone } from '../page/microphone.ts';
import { painted } from '../page/visibility.ts';
import type { SdkEvent } from '../sdk/calling-sdk.ts';
import { isOfBrowser } from './call-refusal.ts';
import type { Connection } from './connection.ts';
import type { MemberCheck } from './member-check.ts';
import type { DialerNotification } from './notifications.ts';
import type { OutgoingCalls } from './outgoing-calls.ts';
import { failureCode, type CallInfo } from './state/call-info.ts';
import { isBusy, isLive } from './state/call.ts';
import type { DialerStore } from './store.ts';

type Ended = Extract<SdkEvent, { type: 'ended' }>;
type Beginning = Extract<SdkEvent, { type: 'dialing' | 'incoming' }>;
export type CallSdkEvent = Exclude<
  SdkEvent,
  { type: 'registered' | 'lost' | 'failed' | 'missed' | 'hold-refused' }
>;

/** How long an agent waits for the broker's word about a call that failed without a reason. */
const BROKER_TIMEOUT_MS = 3000;
/** Longer than the SDK's own ringing (60 s) and than its silence before a call counts as failed. */
const ANSWER_TIMEOUT_MS = 90_000;
const HANG_UP_TIMEOUT_MS = 15_000;

export class Calls {
  readonly #store: DialerStore;
  readonly #connection: Connection;
  readonly #memberCheck: MemberCheck;
  readonly #outgoing: OutgoingCalls;
  readonly #notify: (notification: DialerNotification) => boolean;
  /** The answer under way; that of an earlier call may still wait for the browser. */
  #answering: { readonly id: string | undefined; readonly promise: Promise<void> } | undefined;
  /** Ends the call that the SDK has ended already, while the broker is still asked why. */
  #endNow: (() => void) | undefined;

  constructor(
    store: DialerStore,
    connection: Connection,
    memberCheck: MemberCheck,
    outgoing: OutgoingCalls,
    notify: (notification: DialerNotification) => boolean,
  ) {
    this.#store = store;
    this.#connection = connection;
    this.#memberCheck = memberCheck;
    this.#outgoing = outgoing;
    this.#notify = notify;
  }

  answer(): Promise<void> {
    const { call } = this.#store.state;
    const id = call.is === 'incoming' ? call.info.id : this.#answering?.id;
    if (this.#answering && this.#answering.id === id) return this.#answering.promise;
    const promise = this.#answer().finally(() => {
      if (this.#answering?.promise === promise) this.#answering = undefined;
    });
    this.#answering = { id, promise };
    return promise;
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

  /** Gives up a call that has not begun, and ends one that the SDK has ended. */
  close(): void {
    this.#outgoing.giveUp();
    this.#endNow?.();
  }

  onSdkEvent(event: CallSdkEvent): void {
    switch (event.type) {
      case 'dialing':
      case 'incoming':
        this.#endNow?.();
        return this.#store.apply({ type: event.type, call: this.#infoOf(event) });
      case 'ringing':
      case 'answered':
        return this.#store.apply({ type: event.type, at: Date.now() });
      case 'answer-trouble':
        return this.#reportAnswerTrouble(event.error);
      case 'ended':
        return this.#onEnded(event);
      default:
        return this.#store.apply(event);
    }
  }

  async #answer(): Promise<void> {
    const { id } = this.#incomingCall();
    try {
      await painted();
      const permission = await checkMicrophone();
      if (this.#incomingCall().id !== id) throw new DialerError('not-ready', 'That call is over.');
      this.#store.apply({ type: 'answering', asksMicrophone: permission === 'prompt' });
    } catch (error) {
      const known = toDialerError(error, 'microphone-denied', 'The microphone cannot be used.');
      if (isOfBrowser(known)) this.#reportAnswerTrouble(known);
      throw known;
    }
    this.#connection.sdk?.answer();
    const { call } = await this.#store.until(
      (state) => state.call.is !== 'incoming' || state.call.trouble !== undefined,
      ANSWER_TIMEOUT_MS,
    );
    if (call.is === 'active' && call.info.id === id) return;
    if (call.is === 'incoming' && call.trouble) throw call.trouble;
    throw new DialerError('call-rejected', 'The call ended before it was answered.');
  }

  #incomingCall(): CallInfo {
    const { call } = this.#store.state;
    if (call.is !== 'incoming') throw new DialerError('not-ready', 'Nobody is calling.');
    return call.info;
  }

  #infoOf({ type, call }: Beginning): CallInfo {
    const { name, hotline, externalCallId } = type === 'dialing' ? this.#outgoing.options : {};
    return {
      ...call,
      name: name ?? call.name,
      hotline,
      externalCallId: externalCallId ?? call.externalCallId,
      startedAt: Date.now(),
    };
  }

  #reportAnswerTrouble(error: DialerError): void {
    this.#store.apply({ type: 'answer-trouble', error });
    this.#notify({ name: 'error', error });
  }

  #onEnded(ended: Ended): void {
    if (!isLive(this.#store.state.call)) return;
    if (ended.confidence !== 'unknown') return this.#end(ended);
    this.#endNow = () => this.#end(ended);
    void this.#askBrokerWhy(ended, this.#endNow);
  }

  /** The SDK gave no usable reason: the call ends for what the broker has against the member now, if there is something. */
  async #askBrokerWhy(ended: Ended, endNow: () => void): Promise<void> {
    const outcome = await this.#memberCheck.blockerOfCall(BROKER_TIMEOUT_MS);
    if (this.#endNow !== endNow) return;
    this.#end(outcome ? { ...ended, outcome, confidence: 'likely' } : ended);
  }

  #end({ outcome, confidence, status, reason }: Ended): void {
    this.#endNow = undefined;
    const code = failureCode(outcome);
    const failure = code && { code, reason, confidence };
    this.#store.apply({ type: 'ended', outcome, status, failure, at: Date.now() });
    const { call } = this.#store.state;
    if (call.is !== 'ended') return;
    if (call.info.answeredAt !== undefined || outcome === 'insufficient-funds')
      void painted().then(() => this.#memberCheck.refresh());
  }
}
