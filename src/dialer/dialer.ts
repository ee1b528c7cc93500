/** The dialer: its commands go down; what the SDK reports becomes events of the one state. */
import type { HelpKind } from '../broker/contract.ts';
import { DialerError } from '../errors.ts';
import type { CallAudio, CallDevices, CallingSdk, SdkEvent, SdkListener } from '../sdk/calling-sdk.ts';
import type { VendorScript } from '../sdk/script.ts';
import { BrowserCheck } from './browser-check.ts';
import { Calls, watchQuality } from './calls/calls.ts';
import { lookUpCosts, lookUpCustomers } from './calls/look-ups.ts';
import { Connection, disconnected } from './connection/connection.ts';
import { HelpRequests } from './member/help-requests.ts';
import { MemberCheck } from './member/member-check.ts';
import { PageEvents, type DialerListener } from './page-events.ts';
import { OutgoingCalls, type WaitingCall } from './calls/outgoing-calls.ts';
import type { Settings } from './settings.ts';
import { isBlockedBy, isNewlyBlocked, type HelpNotice } from './state/block.ts';
import { isLive } from './state/call.ts';
import { createCallInfo, isSameCall } from './state/call-info.ts';
import type { DialerState } from './state/state.ts';
import { DialerStore } from './store.ts';

export class Dialer {
  readonly #store = new DialerStore();
  readonly #events: PageEvents;
  readonly #browser: BrowserCheck;
  readonly #connection: Connection;
  readonly #memberCheck: MemberCheck;
  readonly #help: HelpRequests;
  readonly #outgoing: OutgoingCalls;
  readonly #calls: Calls;
  /** How often a `disconnect()` was asked for, done or not. */
  #disconnects = 0;
  /** Those that listeners have asked for, and that are not done. */
  #pendingDisconnects = 0;

  constructor(
    listener: DialerListener,
    createSdk: (script: VendorScript, listener: SdkListener) => CallingSdk,
  ) {
    const store = this.#store;
    const events = (this.#events = new PageEvents(store, listener));
    const browser = (this.#browser = new BrowserCheck(store, () => this.#memberCheck.returned()));
    const sdkListener = {
      onEvent: (event: SdkEvent) => this.#onSdkEvent(event),
      beforeRegistered: () => browser.registered(),
    };
    const connection = new Connection(store, (script) => createSdk(script, sdkListener));
    this.#connection = connection;
    const dependencies = { store, connection, browser, events };
    this.#memberCheck = new MemberCheck(dependencies);
    this.#help = new HelpRequests(dependencies, this.#memberCheck);
    this.#outgoing = new OutgoingCalls(dependencies);
    this.#calls = new Calls(dependencies, this.#outgoing, this.#memberCheck);
    lookUpCustomers(dependencies, this.#outgoing);
    lookUpCosts(dependencies, this.#memberCheck);
    watchQuality(dependencies);
    // Last: it may replace the connection, of which the others ask for the call that has ended.
    store.subscribe((state, previous) => this.#onChanged(state, previous));
  }

  /** While a listener runs, the state of its event. */
  get state(): DialerState {
    return this.#store.told;
  }

  /** For timers: epoch milliseconds, see `DialerStore`. */
  get now(): number {
    return this.#store.now;
  }

  /**
   * The page's settings. They may change at any time; the dialer decides when each of them takes effect.
   *
   * @param read returns the latest ones; with a `DialerError`, the next connection fails
   */
  configure(read: () => Settings | DialerError): void {
    if (this.#events.isDispatching) queueMicrotask(() => this.#connection.configure(read()));
    else this.#connection.configure(read());
  }

  /** The microphone that the present call sends; absent without an answered call. */
  get microphone(): MediaStreamTrack | undefined {
    return this.#connection.sdk?.call?.audio?.microphone;
  }

  useSession(source: unknown): void {
    this.#connection.useSession(source);
  }

  useDevices(devices: CallDevices): void {
    this.#connection.useDevices(devices);
  }

  /** A later `disconnect()` rejects this promise. A `disconnect()` that a listener called earlier does not. */
  connect(): Promise<void> {
    return this.#run(() => this.#connection.connect());
  }

  /** @param keepsPhone false: the page may freeze before it gives the phone back, so another tab need not wait for it */
  async disconnect(keepsPhone = true): Promise<void> {
    this.#disconnects += 1;
    if (this.#events.isDispatching) {
      this.#pendingDisconnects += 1;
      await undefined;
      this.#pendingDisconnects -= 1;
    }
    this.#calls.close();
    this.#connection.close(keepsPhone);
    this.#store.apply({ type: 'disconnect', at: this.#store.now });
  }

  /** As `disconnect()`, for a page that is going away: the SDK sends its last messages in this task. */
  leave(): void {
    this.#connection.sdk?.leave();
    void this.disconnect(false);
  }

  call(number: string, options?: unknown): Promise<void> {
    return this.#run(() => this.#outgoing.call(number, options));
  }

  get waitingCall(): WaitingCall | undefined {
    return this.#outgoing.waiting;
  }

  giveUpWaitingCall(): void {
    this.#outgoing.giveUpWaiting();
  }

  answer(): Promise<void> {
    return this.#runInCall(() => this.#calls.answer());
  }

  reject(): Promise<void> {
    return this.#runInCall(() => this.#calls.reject());
  }

  hangUp(): Promise<void> {
    // It may wait for the phone, which is still in another tab.
    this.#outgoing.giveUpWaiting();
    return this.#runInCall(() => this.#calls.hangUp(), true);
  }

  setMuted(on: boolean): Promise<void> {
    return this.#runHere(async () => this.#audio.setMuted(on));
  }

  setHeld(on: boolean): Promise<void> {
    return this.#runHere(async () => this.#audio.setHeld(on));
  }

  sendDtmf(tones: string, queued?: () => void): Promise<void> {
    return this.#runHere(() => this.#calls.sendDtmf(tones, queued));
  }

  useHere(): Promise<void> {
    return this.#run(() => this.#connection.connectHere());
  }

  recheck(): Promise<void> {
    return this.#run(() => this.#runHere(() => this.#memberCheck.recheck(this.#help.sent)));
  }

  requestHelp(kind: HelpKind): Promise<HelpNotice | undefined> {
    return this.#run(() => this.#runHere(() => this.#help.request(kind)));
  }

  async chooseHotline(number: string): Promise<void> {
    this.#outgoing.useHotline(number);
    if (this.#events.isDispatching) await undefined;
    this.#store.apply({ type: 'hotline-chosen', number });
  }

  /** Closes the last call's outcome, or "You can call again". */
  async dismiss(): Promise<void> {
    if (this.#events.isDispatching) await undefined;
    this.#store.apply({ type: 'dismiss' });
  }

  /** A command of a listener runs after all listeners, a later one after a pending `disconnect()`. If that came first, it rejects. */
  async #run<T>(work: () => Promise<T>): Promise<T> {
    const disconnects = this.#disconnects;
    if (this.#events.isDispatching || this.#pendingDisconnects > 0) await undefined;
    if (disconnects !== this.#disconnects) throw disconnected();
    return await work();
  }

  async #runHere<T>(work: () => Promise<T>): Promise<T> {
    if (this.#events.isDispatching) await undefined;
    if (!isBlockedBy(this.#store.state.block, 'tab')) return await work();
    throw new DialerError('active-elsewhere', 'The phone is in use in another tab.');
  }

  /**
   * A command for the call of which the listener is told: before it is carried out, the next caller may ring.
   *
   * @param isEnd then there is nothing left to do
   */
  #runInCall(work: () => Promise<void>, isEnd = false): Promise<void> {
    const { call: told } = this.state;
    return this.#runHere(async () => {
      const { call } = this.#store.state;
      if (call.is !== 'incoming' || (isLive(told) && isSameCall(told.info, call.info))) return work();
      if (!isEnd) throw new DialerError('not-ready', 'The call is already over.');
    });
  }

  get #audio(): CallAudio {
    const audio = this.#connection.sdk?.call?.audio;
    if (!audio) throw new DialerError('not-ready', 'There is no call.');
    return audio;
  }

  #onSdkEvent(event: SdkEvent): void {
    const at = this.#store.now;
    switch (event.type) {
      case 'registered':
        return this.#connection.registered(event.hotlines);
      case 'lost':
        return this.#connection.lost();
      case 'failed':
        return this.#connection.fail(event.error);
      case 'dialing':
      case 'incoming': {
        const { sdk } = this.#connection;
        this.#calls.endNow();
        // That end may have given the phone to another tab, and closed the SDK.
        if (this.#connection.sdk !== sdk) return;
        const options = event.type === 'dialing' ? this.#outgoing.options : {};
        return this.#store.apply({ type: event.type, call: createCallInfo(event.call, options, at) });
      }
      case 'missed':
        return this.#events.report({
          is: 'missed',
          call: { ...event.call, startedAt: at, endedAt: at, outcome: 'missed' },
        });
      case 'ringing':
      case 'answered':
        return this.#store.apply({ type: event.type, at });
      case 'ended':
        return this.#calls.onEnded(event);
      default:
        return this.#store.apply(event);
    }
  }

  #onChanged(state: DialerState, previous: DialerState): void {
    if (isNewlyBlocked(state.block, previous.block)) this.#memberCheck.blocked();
    // The tab that had the phone may have called, and what is known here is from before.
    if (isBlockedBy(previous.block, 'tab') && !isBlockedBy(state.block, 'tab'))
      void this.#memberCheck.refresh();
    this.#help.stateChanged(state, previous);
    this.#browser.stateChanged(state, previous);
    if (state.call !== previous.call) this.#connection.callChanged(state.call);
  }
}
