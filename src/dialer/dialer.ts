/**
 * Runs what the state machine only describes. Whatever happens becomes an event into `transition`; the host hears of
 * the new state and of what the page should know. This file is about calls; the way to the exchange is in `line.ts`.
 */
import { DialerError, toDialerError } from '../errors.ts';
import { checkMicrophone } from '../page/microphone.ts';
import type { CallingSdk, SdkEvent, Sounds } from '../sdk/calling-sdk.ts';
import { failureCode, isExternalCallId, type CallInfo, type CallOptions } from './call.ts';
import { isBusy, isLive } from './call-state.ts';
import type { DialerHost } from './host.ts';
import { Connection } from './connection.ts';
import { toDialled } from './phone-number.ts';
import type { DialerState } from './state.ts';
import { DialerStore } from './store.ts';

/** How long an agent waits for the broker's opinion about a call that failed without a reason, in milliseconds. */
const OPINION_TIMEOUT_MS = 3000;

type Ended = Omit<Extract<SdkEvent, { type: 'ended' }>, 'type'>;

export class Dialer {
  readonly #host: DialerHost;
  readonly #store: DialerStore;
  readonly #line: Connection;
  /** Caller number of the call that is being placed. */
  #hotline: string | undefined;

  constructor(host: DialerHost) {
    this.#host = host;
    this.#store = new DialerStore((state, previous) => host.changed(state, previous));
    this.#line = new Connection(host, this.#store, (event) => this.#onSdkEvent(event));
  }

  get state(): DialerState {
    return this.#store.state;
  }

  connect(): Promise<void> {
    return this.#line.connect();
  }

  disconnect(): void {
    this.#line.close();
    const { call } = this.state;
    if (isLive(call)) this.#end({ outcome: OUTCOME_HERE[call.is], confidence: 'certain', reason: '' });
    this.#store.apply({ type: 'disconnect' });
  }

  async call(typed: string, options: CallOptions = {}): Promise<void> {
    const number = toDialled(typed);
    checkExternalCallId(options.externalCallId);
    if (isBusy(this.state.call)) throw new DialerError('busy', 'There is a call already.');
    if (this.state.line.is !== 'up') await this.#line.connect();
    this.#requireReady();

    this.#hotline = options.hotline ?? this.#host.preferredHotline() ?? this.state.hotlines[0]?.number;
    if (!this.#host.notify({ name: 'beforecall', number, options: { ...options, hotline: this.#hotline } })) {
      throw new DialerError('call-rejected', 'The page called the call off.');
    }
    // The page had its say, and time has passed with it.
    if (isBusy(this.state.call)) throw new DialerError('busy', 'There is a call already.');
    await this.#place(number, options.externalCallId);
  }

  async answer(): Promise<void> {
    if (this.state.call.is !== 'incoming') throw new DialerError('not-ready', 'Nobody is calling.');
    const { id } = this.state.call.info;
    try {
      this.#store.apply({ type: 'answering', asksMicrophone: (await checkMicrophone()) === 'prompt' });
    } catch (error) {
      const known = toDialerError(error, 'microphone-denied', 'The microphone cannot be used.');
      this.#reportAnswerTrouble(known);
      throw known;
    }
    this.#line.sdk?.answer();
    const { call } = await this.#store.until(
      (state) => state.call.is !== 'incoming' || state.call.trouble !== undefined,
    );
    if (call.is === 'active' && call.info.id === id) return;
    if (call.is === 'incoming' && call.trouble) throw call.trouble;
    throw new DialerError('call-rejected', 'The call ended before it was answered.');
  }

  async hangUp(): Promise<void> {
    if (!isBusy(this.state.call)) return;
    // Nothing has begun yet, so nothing has to end: whoever is placing the call sees that it was given up.
    this.#store.apply({ type: 'not-placed' });
    this.#line.sdk?.hangUp();
    await this.#store.until(({ call }) => !isBusy(call));
  }

  async setMuted(on: boolean): Promise<void> {
    this.#activeSdk().setMuted(on);
    await this.#store.until(({ call }) => call.is !== 'active' || call.muted === on);
  }

  async setHeld(on: boolean): Promise<void> {
    this.#activeSdk().setHeld(on);
    await this.#store.until(({ call }) => call.is !== 'active' || call.held === on);
  }

  async sendDtmf(tones: string): Promise<void> {
    const sdk = this.#activeSdk();
    if (!/^[\d*#]+$/.test(tones)) throw new DialerError('invalid-number', 'Keys are 0 to 9, * and #.');
    sdk.sendDtmf(tones);
  }

  setSounds(sounds: Sounds): void {
    this.#line.setSounds(sounds);
  }

  /** Leaves the last call's outcome, or "You can call again". */
  dismiss(): void {
    this.#store.apply({ type: 'dismiss' });
  }

  /** Asks again whether the member can call; connects where there is no connection. */
  async recheck(): Promise<void> {
    const { block } = this.state;
    if (block.is !== 'blocked' || block.source !== 'browser') return this.#line.check();
    this.#store.apply({ type: 'waiting', for: 'check' });
    const isFree = await checkMicrophone().then(
      () => true,
      () => false,
    );
    this.#store.apply(isFree ? { type: 'cleared' } : { type: 'waited', notice: 'still-blocked' });
  }

  requestHelp(kind: 'topUp' | 'hotline'): Promise<void> {
    return this.#line.requestHelp(kind);
  }

  #requireReady(): void {
    const { block, line } = this.state;
    if (block.is === 'blocked' && block.source !== 'browser') throw blockedError(block.reason);
    if (line.is === 'lost') throw new DialerError('network-lost', 'The connection to the exchange is lost.');
    if (line.is !== 'up') throw new DialerError('not-ready', 'The dialer is not connected.');
  }

  async #place(number: string, externalCallId: string | undefined): Promise<void> {
    this.#store.apply({ type: 'placing', number });
    try {
      const permission = await checkMicrophone();
      if (this.state.call.is !== 'placing') throw new DialerError('call-rejected', 'The call was given up.');
      if (permission === 'prompt') this.#store.apply({ type: 'microphone-asked' });
      const { sdk } = this.#line;
      if (!sdk) throw new DialerError('not-ready', 'The dialer was disconnected.');
      await sdk.dial(number, this.#hotline, externalCallId);
    } catch (error) {
      this.#store.apply({ type: 'not-placed' });
      const known = toDialerError(error, 'call-rejected', 'The call could not be placed.');
      if (isMicrophoneCode(known.code)) this.#line.block(known.code, 'browser');
      throw known;
    }
  }

  #onSdkEvent(event: SdkEvent): void {
    switch (event.type) {
      case 'registered':
        return this.#line.becomeReady(event.hotlines);
      case 'failed':
        return this.#line.fail(event.error);
      case 'dialing':
      case 'incoming': {
        const hotline = event.type === 'dialing' ? this.#hotline : undefined;
        const call: CallInfo = { ...event.call, hotline, startedAt: Date.now() };
        this.#store.apply({ type: event.type, call });
        this.#host.notify({ name: event.type === 'dialing' ? 'callstart' : 'callincoming', call });
        return;
      }
      case 'answered': {
        this.#store.apply({ type: 'answered', at: Date.now() });
        const { call } = this.state;
        if (call.is === 'active') this.#host.notify({ name: 'callconnect', call: call.info });
        return;
      }
      case 'answer-trouble':
        return this.#reportAnswerTrouble(event.error);
      case 'ended':
        void this.#judge(event);
        return;
      case 'hold-refused':
        return;
      default:
        this.#store.apply(event);
    }
  }

  #reportAnswerTrouble(error: DialerError): void {
    this.#store.apply({ type: 'answer-trouble', error });
    this.#host.notify({ name: 'error', error });
  }

  async #judge(ended: Ended): Promise<void> {
    if (!isLive(this.state.call)) return;
    this.#end(ended.confidence === 'unknown' ? await this.#askForOpinion(ended) : ended);
  }

  /** The SDK gave no usable reason: what does the broker say about the member now? */
  async #askForOpinion(ended: Ended): Promise<Ended> {
    if (!this.#line.hasStatus) return ended;
    const readiness = await this.#line.readiness(OPINION_TIMEOUT_MS).catch(() => undefined);
    const codes = ['insufficient-funds', 'no-hotline'] as const;
    const outcome = codes.find((code) => readiness?.blockers.includes(code));
    return outcome ? { ...ended, outcome, confidence: 'likely' } : ended;
  }

  #end({ outcome, confidence, status, reason }: Ended): void {
    this.#store.apply({ type: 'ended', outcome, status, at: Date.now() });
    const { call } = this.state;
    if (call.is !== 'ended') return;
    const code = failureCode(outcome);
    if (code) this.#host.notify({ name: 'callfail', call: call.info, code, reason, confidence });
    this.#host.notify({ name: 'callend', call: call.info });
    if (outcome === 'insufficient-funds' || outcome === 'no-hotline') this.#line.block(outcome, 'call');
    if (outcome === 'answered' || outcome === 'insufficient-funds') void this.#line.refresh();
    this.#line.callEnded();
  }

  #activeSdk(): CallingSdk {
    const { sdk } = this.#line;
    if (this.state.call.is !== 'active' || !sdk) throw new DialerError('not-ready', 'There is no call.');
    return sdk;
  }
}

/** How a call ends that this side ends. */
const OUTCOME_HERE = { dialing: 'cancelled', incoming: 'declined', active: 'answered' } as const;

function blockedError(reason: string): DialerError {
  const code = reason === 'insufficient-funds' || reason === 'no-hotline' ? reason : 'not-ready';
  return new DialerError(code, `The member cannot call: ${reason}.`);
}

function isMicrophoneCode(code: string): boolean {
  return code === 'microphone-denied' || code === 'microphone-missing' || code === 'insecure-context';
}

function checkExternalCallId(id: string | undefined): void {
  if (id === undefined || isExternalCallId(id)) return;
  throw new DialerError('configuration', 'An external call id is at most 32 of a-z and 0-9.');
}
