/**
 * The dialer: connection, readiness and calls around one state. Whatever happens becomes an event into `transition`; the
 * host is told of the new state and of what the page should know.
 */
import { DialerError } from '../errors.ts';
import type { SdkEvent, Sounds } from '../sdk/calling-sdk.ts';
import { isElsewhere, type GuideNotice } from './state/block.ts';
import { isBusy } from './state/call.ts';
import { BrowserCheck } from './browser-check.ts';
import type { CallOptions } from './state/call-info.ts';
import { CallCustomers } from './call-customers.ts';
import { Calls } from './calls.ts';
import { Connection } from './connection.ts';
import type { DialerHost } from './host.ts';
import { StateNotifications, type DialerNotification } from './notifications.ts';
import { MemberReadiness, type HelpKind } from './readiness.ts';
import type { DialerState } from './state/state.ts';
import { DialerStore } from './store.ts';

export class Dialer {
  readonly #host: DialerHost;
  readonly #store: DialerStore;
  readonly #browser: BrowserCheck;
  readonly #connection: Connection;
  readonly #readiness: MemberReadiness;
  readonly #calls: Calls;
  readonly #customers: CallCustomers;
  readonly #notifications = new StateNotifications();
  /** How many dispatches to listeners are going on, one inside the other. */
  #dispatches = 0;
  #disconnects = 0;

  constructor(host: DialerHost) {
    this.#host = host;
    const notify = (notification: DialerNotification) => this.#dispatch(() => host.notify(notification));
    const changed = (state: DialerState, previous: DialerState) => {
      if (state.call !== previous.call) this.#connection.callChanged(state.call);
      this.#dispatch(() => host.changed(state, previous));
      for (const notification of this.#notifications.between(previous, state)) {
        const goesOn = notify(notification);
        if (notification.name === 'blocked') this.#onBlocked(goesOn);
      }
      this.#browser.stateChanged(state, previous);
      this.#customers.stateChanged(state);
      if (isBusy(previous.call) && !isBusy(state.call)) this.#connection.callEnded();
    };
    const quietHost = { ...host, notify };
    this.#store = new DialerStore(changed);
    this.#browser = new BrowserCheck(this.#store, () => this.#readiness.returned());
    this.#connection = new Connection(quietHost, this.#store, (event) => this.#onSdkEvent(event));
    this.#readiness = new MemberReadiness(quietHost, this.#store, this.#connection, this.#browser);
    this.#calls = new Calls(quietHost, this.#store, this.#connection, this.#readiness);
    this.#customers = new CallCustomers(quietHost, this.#store, this.#connection);
  }

  get state(): DialerState {
    return this.#store.state;
  }

  connect(): Promise<void> {
    return this.#afterDispatch(() => this.#connection.connect());
  }

  async disconnect(): Promise<void> {
    if (this.#dispatches > 0) await undefined;
    this.#disconnects += 1;
    this.#calls.close();
    this.#customers.close();
    this.#readiness.close();
    this.#connection.close();
    this.#store.apply({ type: 'disconnect', at: Date.now() });
  }

  /** As `disconnect()`, for a page that is going away: what the SDK has to send leaves in this very task. */
  leave(): void {
    this.#connection.session?.sdk.leave();
    void this.disconnect();
  }

  /** The attributes of the connection have changed. */
  reconfigure(): void {
    this.#connection.reconfigure();
  }

  call(typed: string, options: CallOptions = {}): Promise<void> {
    return this.#afterDispatch(() => this.#calls.call(typed, options));
  }

  async answer(): Promise<void> {
    if (this.#dispatches > 0) await undefined;
    this.#requireHere();
    await this.#calls.answer();
  }

  async reject(): Promise<void> {
    if (this.#dispatches > 0) await undefined;
    this.#requireHere();
    await this.#calls.reject();
  }

  async hangUp(): Promise<void> {
    if (this.#dispatches > 0) await undefined;
    this.#requireHere();
    await this.#calls.hangUp();
  }

  async setMuted(on: boolean): Promise<void> {
    if (this.#dispatches > 0) await undefined;
    this.#requireHere();
    await this.#calls.switches.setMuted(on);
  }

  async setHeld(on: boolean): Promise<void> {
    if (this.#dispatches > 0) await undefined;
    this.#requireHere();
    await this.#calls.switches.setHeld(on);
  }

  async sendDtmf(tones: string, queued?: () => void): Promise<void> {
    if (this.#dispatches > 0) await undefined;
    this.#requireHere();
    await this.#calls.switches.sendDtmf(tones, queued);
  }

  /** Brings the phone into this tab, and connects it. */
  useHere(): Promise<void> {
    return this.#afterDispatch(async () => {
      if (isElsewhere(this.state.block)) await this.#readiness.takeOver();
      await this.#connection.connect();
    });
  }

  recheck(): Promise<void> {
    return this.#afterDispatch(async () => {
      this.#requireHere();
      await this.#readiness.recheck();
    });
  }

  requestHelp(kind: HelpKind): Promise<GuideNotice | undefined> {
    return this.#afterDispatch(async () => {
      this.#requireHere();
      return this.#readiness.requestHelp(kind);
    });
  }

  setSounds(sounds: Sounds): void {
    this.#connection.setSounds(sounds);
  }

  /** Leaves the last call's outcome, or "You can call again". */
  async dismiss(): Promise<void> {
    if (this.#dispatches > 0) await undefined;
    this.#store.apply({ type: 'dismiss' });
  }

  #onSdkEvent(event: SdkEvent): void {
    switch (event.type) {
      case 'registered':
        return this.#connection.registered(event);
      case 'lost':
        return this.#connection.lost();
      case 'failed':
        return this.#connection.fail(event.error);
      default:
        return this.#calls.onSdkEvent(event);
    }
  }

  /** What a listener asks for waits for the end of the dispatch; a `disconnect()` asked for in the same one counts. */
  async #afterDispatch<T>(work: () => Promise<T>): Promise<T> {
    const disconnects = this.#disconnects;
    if (this.#dispatches > 0) await undefined;
    if (disconnects !== this.#disconnects)
      throw new DialerError('not-ready', 'The dialer was disconnected meanwhile.');
    this.#requirePage();
    return await work();
  }

  #requirePage(): void {
    if (!this.#host.isInPage()) throw new DialerError('not-ready', 'The element is not in a page.');
  }

  /** @throws {DialerError} `active-elsewhere` while another tab has the phone */
  #requireHere(): void {
    if (isElsewhere(this.state.block))
      throw new DialerError('active-elsewhere', 'The phone is in use in another tab.');
  }

  #onBlocked(isOurGuide: boolean): void {
    this.#readiness.blocked();
    if (!isOurGuide) this.#store.apply({ type: 'guide-taken' });
  }

  /**
   * No state moves while listeners are told of one: what they call in turn waits for the end of the task's listeners, so
   * that each of them finds the state its event speaks of.
   */
  #dispatch<T>(work: () => T): T {
    this.#dispatches += 1;
    try {
      return work();
    } finally {
      this.#dispatches -= 1;
    }
  }
}
