/** The one call there can be: placed, answered, ended, with an end to every wait. State follows the SDK's word. */
import { DialerError, toDialerError, type DialerErrorCode } from '../errors.ts';
import { checkMicrophone } from '../page/microphone.ts';
import { painted } from '../page/visibility.ts';
import type { SdkEvent } from '../sdk/calling-sdk.ts';
import {
  blockedCode,
  checkExternalCallId,
  isBlockedByBrowser,
  isBrowserCode,
  requireReady,
  throwIfGivenUp,
  unlessAborted,
  usableId,
  type Attempt,
} from './attempt.ts';
import { isElsewhere } from './state/block.ts';
import { failureCode, type CallInfo, type CallOptions } from './state/call-info.ts';
import { isBusy, isLive, type CallEvent } from './state/call.ts';
import { CallSwitches } from './call-switches.ts';
import { chooseCallerNumber } from './caller-number.ts';
import type { Connection } from './connection.ts';
import type { DialerHost } from './host.ts';
import { toDialled } from '../numbers/read.ts';
import type { MemberReadiness } from './readiness.ts';
import type { DialerState } from './state/state.ts';
import type { DialerStore } from './store.ts';

type Ended = Extract<SdkEvent, { type: 'ended' }>;
export type CallSdkEvent = Exclude<SdkEvent, { type: 'registered' | 'lost' | 'failed' }>;

/** How long an agent waits for the broker's word about a call that failed without a reason. */
const BROKER_WORD_TIMEOUT_MS = 3000;
/** Longer than the SDK's own ringing (60 s) and than its silence before a call counts as failed. */
const ANSWER_TIMEOUT_MS = 90_000;
const HANG_UP_TIMEOUT_MS = 15_000;

export class Calls {
  readonly #host: DialerHost;
  readonly #store: DialerStore;
  readonly #connection: Connection;
  readonly #readiness: MemberReadiness;
  readonly switches: CallSwitches;
  #attempt: Attempt | undefined;
  #answering: Promise<void> | undefined;
  /** Ends the call that the SDK has ended already, while the broker is still asked why. */
  #endNow: (() => void) | undefined;

  constructor(host: DialerHost, store: DialerStore, connection: Connection, readiness: MemberReadiness) {
    this.#host = host;
    this.#store = store;
    this.#connection = connection;
    this.#readiness = readiness;
    this.switches = new CallSwitches(store, connection);
  }

  async call(typed: string, options: CallOptions): Promise<void> {
    const number = toDialled(typed);
    checkExternalCallId(options.externalCallId);
    if (this.#attempt) throw new DialerError('busy', 'There is a call already.');
    this.#requireNoCall();
    const attempt: Attempt = { abort: new AbortController(), options };
    this.#attempt = attempt;
    try {
      await this.#place(attempt, number);
    } catch (error) {
      const known = toDialerError(error, 'call-rejected', 'The call could not be placed.');
      if (this.#attempt !== attempt) throw known;
      this.#apply({ type: 'not-placed' });
      if (isBrowserCode(known.code) && !this.#isBlockedBy(known.code)) {
        this.#store.apply({ type: 'blocked', reason: known.code, source: 'browser' });
      }
      throw known;
    } finally {
      if (this.#attempt === attempt) this.#attempt = undefined;
    }
  }

  answer(): Promise<void> {
    this.#answering ??= this.#answer().finally(() => {
      this.#answering = undefined;
    });
    return this.#answering;
  }

  async reject(): Promise<void> {
    if (this.#state.call.is !== 'incoming') throw new DialerError('not-ready', 'Nobody is calling.');
    await this.hangUp();
  }

  async hangUp(): Promise<void> {
    this.#giveUp();
    this.#endNow?.();
    if (!isBusy(this.#state.call)) return;
    this.#connection.sdk?.hangUp();
    await this.#store.until(({ call }) => !isBusy(call), HANG_UP_TIMEOUT_MS);
  }

  /** Nothing that was begun may go on once the dialer is disconnected. */
  close(): void {
    this.#giveUp();
    this.#endNow?.();
  }

  onSdkEvent(event: CallSdkEvent): void {
    switch (event.type) {
      case 'dialing':
      case 'incoming':
        this.#endNow?.();
        return this.#apply({ type: event.type, call: this.#infoOf(event) });
      case 'missed': {
        const now = Date.now();
        return this.#host.missed({ ...event.call, startedAt: now, endedAt: now, outcome: 'missed' });
      }
      case 'ringing':
      case 'answered':
        return this.#apply({ type: event.type, at: Date.now() });
      case 'answer-trouble':
        return this.#reportAnswerTrouble(event.error);
      case 'ended':
        return this.#onEnded(event);
      case 'hold-refused':
        return this.switches.holdRefused();
      default:
        return this.#apply(event);
    }
  }

  get #state(): DialerState {
    return this.#store.state;
  }

  async #place(attempt: Attempt, number: string): Promise<void> {
    const { signal } = attempt.abort;
    if (isElsewhere(this.#state.block)) await unlessAborted(this.#readiness.takeOver(), signal);
    if (isBlockedByBrowser(this.#state)) {
      // It may have been put right without the browser having told.
      await unlessAborted(this.#readiness.browser.lookAgain(), signal);
      if (isBlockedByBrowser(this.#state)) requireReady(this.#state);
    }
    // The SDK is coming back by itself, at a moment that nobody knows: an agent would rather press again.
    if (this.#state.line.is === 'lost')
      throw new DialerError('network-lost', 'The connection to the exchange is lost.');
    if (this.#state.line.is !== 'up') await unlessAborted(this.#connection.connect(), signal);
    requireReady(this.#state);
    // Somebody may have called while the dialer connected.
    this.#requireNoCall();
    const preferences = this.#host.preferences();
    const preferred = [attempt.options.hotline, ...preferences.hotlines];
    const hotline = chooseCallerNumber(this.#state.hotlines, preferred);
    const externalCallId = attempt.options.externalCallId ?? usableId(preferences.externalCallId);
    const options = { ...attempt.options, hotline, externalCallId };
    attempt.options = options;
    if (!this.#host.notify({ name: 'beforecall', number, options })) {
      throw new DialerError('call-rejected', 'The page called the call off.');
    }
    // The page had its say, and somebody may have called meanwhile.
    this.#requireNoCall();
    this.#apply({ type: 'placing', number, name: options.name });
    // Asking the browser and the SDK's own work would keep the press from showing.
    await unlessAborted(painted(), signal);
    const permission = await checkMicrophone();
    throwIfGivenUp(signal);
    if (this.#state.call.is !== 'placing') throw new DialerError('busy', 'Somebody is calling.');
    if (permission === 'prompt') this.#apply({ type: 'microphone-asked' });
    const { sdk } = this.#connection;
    if (!sdk) throw new DialerError('not-ready', 'The dialer was disconnected.');
    await sdk.dial(number, hotline, options.externalCallId);
  }

  #requireNoCall(): void {
    if (isBusy(this.#state.call)) throw new DialerError('busy', 'There is a call already.');
  }

  #isBlockedBy(code: DialerErrorCode): boolean {
    const { block } = this.#state;
    return block.is === 'blocked' && blockedCode(block.reason) === code;
  }

  async #answer(): Promise<void> {
    const { id } = this.#incomingCall();
    try {
      await painted();
      const permission = await checkMicrophone();
      if (this.#incomingCall().id !== id) throw new DialerError('not-ready', 'That call is over.');
      this.#apply({ type: 'answering', asksMicrophone: permission === 'prompt' });
    } catch (error) {
      const known = toDialerError(error, 'microphone-denied', 'The microphone cannot be used.');
      if (isBrowserCode(known.code)) this.#reportAnswerTrouble(known);
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
    const { call } = this.#state;
    if (call.is !== 'incoming') throw new DialerError('not-ready', 'Nobody is calling.');
    return call.info;
  }

  /** Nothing has begun yet, so nothing has to end: whoever is placing the call sees that it was given up. */
  #giveUp(): void {
    const attempt = this.#attempt;
    this.#attempt = undefined;
    if (!attempt) return;
    attempt.abort.abort();
    if (this.#state.call.is !== 'placing') return;
    const { sdk } = this.#connection;
    this.#apply({ type: 'not-placed' });
    sdk?.hangUp();
  }

  #infoOf({ type, call }: Extract<CallSdkEvent, { type: 'dialing' | 'incoming' }>): CallInfo {
    const own: CallOptions = (type === 'dialing' && this.#attempt?.options) || {};
    return {
      ...call,
      name: own.name ?? call.name,
      hotline: own.hotline,
      externalCallId: own.externalCallId ?? call.externalCallId,
      startedAt: Date.now(),
    };
  }

  #reportAnswerTrouble(error: DialerError): void {
    this.#apply({ type: 'answer-trouble', error });
    this.#host.notify({ name: 'error', error });
  }

  /** Where the SDK gave no usable reason, the broker is asked what it has against the member now. */
  #onEnded(ended: Ended): void {
    if (!isLive(this.#state.call)) return;
    if (ended.confidence !== 'unknown') return this.#end(ended);
    this.#endNow = () => this.#end(ended);
    void this.#endOnBrokersWord(ended, this.#endNow);
  }

  async #endOnBrokersWord(ended: Ended, endNow: () => void): Promise<void> {
    const outcome = await this.#readiness.blockerOfCall(BROKER_WORD_TIMEOUT_MS);
    if (this.#endNow !== endNow) return;
    this.#end(outcome ? { ...ended, outcome, confidence: 'likely' } : ended);
  }

  #end({ outcome, confidence, status, reason }: Ended): void {
    this.#endNow = undefined;
    const code = failureCode(outcome);
    const failure = code && { code, reason, confidence };
    this.#apply({ type: 'ended', outcome, status, failure, at: Date.now() });
    const { call } = this.#state;
    if (call.is !== 'ended') return;
    if (call.info.answeredAt !== undefined || outcome === 'insufficient-funds')
      void painted().then(() => this.#readiness.refresh());
  }

  #apply(event: CallEvent): void {
    this.#store.apply(event);
  }
}
