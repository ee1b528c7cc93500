/**
 * Runs what the state machine only describes: asks the broker, boots the SDK, places calls. Whatever happens becomes
 * an event into `transition`; the host hears of the new state and of what the page should know.
 */
import type { Hotline } from '../broker/contract.ts';
import type { Readiness } from '../broker/parse-answer.ts';
import { DialerError, toDialerError } from '../errors.ts';
import { checkMicrophone } from '../page/microphone.ts';
import type { SdkEvent, Sounds } from '../sdk/calling-sdk.ts';
import { failureCode, type CallInfo, type CallOptions } from './call.ts';
import { classifyFailure, type Verdict } from './classify-failure.ts';
import { Connection } from './connection.ts';
import type { DialerHost } from './host.ts';
import { toDialled } from './phone-number.ts';
import { isLive, type BlockSource, type DialerState } from './state.ts';
import { DialerStore } from './store.ts';

/** How long an agent waits for the broker's opinion about a call that failed without a reason, in milliseconds. */
const OPINION_PATIENCE_MS = 3000;

export class Dialer {
  readonly #host: DialerHost;
  readonly #store: DialerStore;
  #connection: Connection | undefined;
  /** The call asked for, until the SDK says that it began. */
  #placing: { readonly hotline?: string | undefined } | undefined;

  constructor(host: DialerHost) {
    this.#host = host;
    this.#store = new DialerStore((state, previous) => host.changed(state, previous));
  }

  get state(): DialerState {
    return this.#store.state;
  }

  /** Resolves when the line is up, or a guide tells why the member cannot call; rejects with the error shown. */
  async connect(): Promise<void> {
    if (this.state.line.is === 'off' || this.state.line.is === 'failed') this.#open();
    const { line } = await this.#store.until(
      (state) => state.line.is !== 'connecting' || this.#connection?.isTokenless === true,
    );
    if (line.is === 'failed') throw line.error;
  }

  disconnect(): void {
    this.#close();
    this.#store.apply({ type: 'disconnect' });
  }

  async call(typed: string, options: CallOptions = {}): Promise<void> {
    const number = toDialled(typed);
    checkExternalCallId(options.externalCallId);
    if (isLive(this.state.call) || this.#placing) throw new DialerError('busy', 'There is a call already.');
    this.#placing = options;
    try {
      await this.#place(number, options);
    } finally {
      this.#placing = undefined;
    }
  }

  async answer(): Promise<void> {
    if (this.state.call.is !== 'incoming') throw new DialerError('not-ready', 'Nobody is calling.');
    const { id } = this.state.call.info;
    try {
      await checkMicrophone();
    } catch (error) {
      const known = toDialerError(error, 'microphone-denied', 'The microphone cannot be used.');
      this.#reportAnswerTrouble(known);
      throw known;
    }
    this.#store.apply({ type: 'answer-trouble', error: undefined });
    this.#connection?.sdk.answer();
    const { call } = await this.#store.until(
      (state) => state.call.is !== 'incoming' || state.call.trouble !== undefined,
    );
    if (call.is === 'active' && call.info.id === id) return;
    if (call.is === 'incoming' && call.trouble) throw call.trouble;
    throw new DialerError('call-rejected', 'The call ended before it was answered.');
  }

  async hangUp(): Promise<void> {
    if (!isLive(this.state.call) && !this.#placing) return;
    this.#connection?.sdk.hangUp();
    await this.#store.until(({ call }) => !isLive(call));
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
    this.#connection?.setSounds(sounds);
  }

  /** Leaves the last call's outcome, or "You can call again". */
  dismiss(): void {
    this.#store.apply({ type: 'dismiss' });
  }

  /** Asks again whether the member can call; connects where there is no connection. */
  async recheck(): Promise<void> {
    const { block } = this.state;
    if (block.is === 'blocked' && block.source === 'browser') return this.#recheckMicrophone();
    await this.#ask('check', (connection) => connection.check());
  }

  /** Asks the broker for what is missing; the page may take that over. */
  async requestHelp(kind: 'topUp' | 'hotline'): Promise<void> {
    const mayAsk = this.#host.announce({ name: kind === 'topUp' ? 'topuprequest' : 'hotlinerequest' });
    if (mayAsk && this.#connection?.canAskFor(kind)) {
      return this.#ask('help', (connection) => connection.askFor(kind));
    }
    // Somebody outside was or has to be asked; "check again" will tell what came of it.
    this.#store.apply({ type: 'waited', notice: mayAsk ? 'ask-admin' : 'help-requested' });
  }

  #open(): void {
    this.#close();
    this.#store.apply({ type: 'connect' });
    let connection: Connection;
    try {
      connection = this.#createConnection();
    } catch (error) {
      return this.#fail(toDialerError(error, 'configuration', 'The dialer is not configured.'));
    }
    this.#connection = connection;
    connection
      .start((session) => this.#useReadiness(session))
      .catch((error: unknown) => {
        if (connection.signal.aborted) return;
        this.#fail(toDialerError(error, 'sdk-load-failed', 'The SDK could not be started.'));
      });
  }

  #createConnection(): Connection {
    const sdk = this.#host.createSdk((event) => {
      if (!connection.signal.aborted) this.#hear(event);
    });
    const connection = new Connection(this.#host.settings(), sdk);
    return connection;
  }

  #close(): void {
    if (isLive(this.state.call)) this.#end({ outcome: 'cancelled', confidence: 'certain' }, undefined);
    this.#connection?.close();
    this.#connection = undefined;
  }

  #fail(error: DialerError): void {
    this.#store.apply({ type: 'failed', error });
    this.#host.announce({ name: 'error', error });
  }

  async #ask(what: 'check' | 'help', request: (connection: Connection) => Promise<Readiness>): Promise<void> {
    const connection = this.#connection;
    if (!connection || this.state.line.is === 'failed') return this.connect();
    const wasBlocked = this.state.block.is === 'blocked';
    this.#store.apply({ type: 'waiting', for: what });
    try {
      const answer = await request(connection);
      this.#useReadiness(answer);
      const notice = answer.notice ?? (what === 'help' ? 'help-requested' : 'still-blocked');
      if (answer.blockers.length > 0) {
        // A guide that has only just come has nothing to add to itself.
        if (wasBlocked) this.#store.apply({ type: 'waited', notice });
        return;
      }
      await this.#clear(connection);
    } catch (error) {
      if (connection.signal.aborted) return;
      const known = toDialerError(error, 'broker-unreachable', 'The broker failed.');
      this.#store.apply({ type: 'waited', notice: 'check-failed' });
      this.#host.announce({ name: 'error', error: known });
      throw known;
    }
  }

  /** The SDK reads its hotlines once, and a session without a token never booted it: then it takes a new connection. */
  async #clear(connection: Connection): Promise<void> {
    if (connection.booted && connection.isClear) return this.#store.apply({ type: 'cleared' });
    this.#store.apply({ type: 'lost' });
    this.#open();
    await this.connect();
    const cleared = this.#connection?.isClear === true;
    this.#store.apply(cleared ? { type: 'cleared' } : { type: 'waited', notice: 'still-blocked' });
  }

  async #recheckMicrophone(): Promise<void> {
    this.#store.apply({ type: 'waiting', for: 'check' });
    try {
      await checkMicrophone();
      this.#store.apply({ type: 'cleared' });
    } catch {
      this.#store.apply({ type: 'waited', notice: 'still-blocked' });
    }
  }

  #useReadiness(readiness: Readiness): void {
    this.#store.apply({ type: 'readiness', readiness });
    const [reason] = readiness.blockers;
    if (reason !== undefined) this.#block(reason, 'broker');
  }

  #block(reason: string, source: BlockSource): void {
    const before = this.state.block;
    this.#store.apply({ type: 'blocked', reason, source });
    if (before.is === 'blocked' && before.reason === reason) return;
    if (!this.#host.announce({ name: 'blocked', reason, source })) this.#store.apply({ type: 'guide-taken' });
  }

  async #place(number: string, options: CallOptions): Promise<void> {
    if (this.state.line.is !== 'up') await this.connect();
    const { block, line, hotlines } = this.state;
    if (block.is === 'blocked' && block.source !== 'browser') throw blockedError(block.reason);
    if (line.is === 'lost') throw new DialerError('network-lost', 'The connection to the exchange is lost.');
    const connection = this.#connection;
    if (line.is !== 'up' || !connection) throw new DialerError('not-ready', 'The dialer is not connected.');

    const hotline = options.hotline ?? this.#host.preferredHotline() ?? hotlines[0]?.number;
    this.#placing = { hotline };
    if (!this.#host.announce({ name: 'beforecall', number, options: { ...options, hotline } })) {
      throw new DialerError('call-rejected', 'The page called the call off.');
    }
    try {
      await checkMicrophone();
      connection.signal.throwIfAborted();
      await connection.sdk.dial(number, hotline, options.externalCallId);
    } catch (error) {
      const known = toDialerError(error, 'not-ready', 'The dialer was disconnected.');
      if (isMicrophoneCode(known.code)) this.#block(known.code, 'browser');
      throw known;
    }
  }

  #hear(event: SdkEvent): void {
    switch (event.type) {
      case 'registered':
        return this.#becomeReady(event.hotlines);
      case 'failed':
        return this.#fail(event.error);
      case 'dialing':
      case 'incoming': {
        const hotline = event.type === 'dialing' ? this.#placing?.hotline : undefined;
        const call: CallInfo = { ...event.call, hotline, startedAt: Date.now() };
        this.#store.apply({ type: event.type, call });
        this.#host.announce({ name: event.type === 'dialing' ? 'callstart' : 'callincoming', call });
        return;
      }
      case 'answered': {
        this.#store.apply({ type: 'answered', at: Date.now() });
        const { call } = this.state;
        if (call.is === 'active') this.#host.announce({ name: 'callconnect', call: call.info });
        return;
      }
      case 'answer-trouble':
        return this.#reportAnswerTrouble(event.error);
      case 'ended':
        void this.#judge(event);
        return;
      default:
        this.#store.apply(event);
    }
  }

  #becomeReady(hotlines: readonly Hotline[]): void {
    if (this.#connection) this.#connection.sdkHotlines = hotlines;
    this.#store.apply({ type: 'registered', hotlines });
    if (hotlines.length === 0) this.#block('no-hotline', 'sdk');
    if (this.state.status === 'ready') this.#host.announce({ name: 'ready' });
  }

  #reportAnswerTrouble(error: DialerError): void {
    this.#store.apply({ type: 'answer-trouble', error });
    this.#host.announce({ name: 'error', error });
  }

  async #judge(ended: Extract<SdkEvent, { type: 'ended' }>): Promise<void> {
    const { call } = this.state;
    if (!isLive(call)) return;
    let verdict = classifyFailure(call.info, ended);
    if (verdict.confidence === 'unknown') verdict = await this.#askForOpinion(verdict);
    this.#end(verdict, ended.failure?.text);
  }

  /** The SDK gave no usable reason: what does the broker say about the member now? */
  async #askForOpinion(verdict: Verdict): Promise<Verdict> {
    const connection = this.#connection;
    if (!connection) return verdict;
    const signal = AbortSignal.any([connection.signal, AbortSignal.timeout(OPINION_PATIENCE_MS)]);
    try {
      const { blockers } = await connection.check(signal);
      const outcome = (['insufficient-funds', 'no-hotline'] as const).find((code) => blockers.includes(code));
      return outcome ? { outcome, confidence: 'likely' } : verdict;
    } catch {
      return verdict;
    }
  }

  #end({ outcome }: Verdict, text: string | undefined): void {
    this.#store.apply({ type: 'ended', outcome, at: Date.now() });
    const { call } = this.state;
    if (call.is !== 'ended') return;
    const code = failureCode(outcome);
    if (code) this.#host.announce({ name: 'callfail', call: call.info, code, reason: text ?? '' });
    this.#host.announce({ name: 'callend', call: call.info });
    if (outcome === 'insufficient-funds' || outcome === 'no-hotline') this.#block(outcome, 'call');
    if (outcome === 'answered') void this.#refresh();
  }

  /** A call costs money: the agent learns before the next one, not by it, that there is none left. */
  async #refresh(): Promise<void> {
    const connection = this.#connection;
    if (!connection?.hasStatus) return;
    try {
      this.#useReadiness(await connection.check());
    } catch {
      // Nobody asked, so nobody is told; the next call or check will.
    }
  }

  #activeSdk() {
    if (this.state.call.is !== 'active' || !this.#connection)
      throw new DialerError('not-ready', 'There is no call.');
    return this.#connection.sdk;
  }
}

function blockedError(reason: string): DialerError {
  const code = reason === 'insufficient-funds' || reason === 'no-hotline' ? reason : 'not-ready';
  return new DialerError(code, `The member cannot call: ${reason}.`);
}

function isMicrophoneCode(code: string): boolean {
  return code === 'microphone-denied' || code === 'microphone-missing' || code === 'insecure-context';
}

function checkExternalCallId(id: string | undefined): void {
  // The SDK puts it into a SIP header unfiltered; a line break in it would add headers.
  if (id === undefined || /^[a-z0-9]{1,32}$/.test(id)) return;
  throw new DialerError('configuration', 'An external call id is at most 32 of a-z and 0-9.');
}
