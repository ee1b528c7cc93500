/**
 * The dialer: its commands. Whatever happens becomes an event into the one state; the listener is told of the new state and of
 * what the page should know.
 */
import { DialerError, toDialerError } from '../errors.ts';
import type { SdkEvent } from '../sdk/calling-sdk.ts';
import { BrowserCheck } from './browser-check.ts';
import { CallControls } from './call-controls.ts';
import { CallCustomers } from './call-customers.ts';
import { isBlockedAs } from './call-refusal.ts';
import { Calls } from './calls.ts';
import { Connection, type CreateSdk } from './connection.ts';
import { MemberCheck, type HelpKind } from './member-check.ts';
import { StateNotifications, type DialerNotification } from './notifications.ts';
import { OutgoingCalls } from './outgoing-calls.ts';
import type { Settings } from './settings.ts';
import { isElsewhere, type GuideNotice } from './state/block.ts';
import type { CallInfo } from './state/call-info.ts';
import type { DialerState } from './state/state.ts';
import { DialerStore } from './store.ts';

/** Facts come up; nobody is asked back. */
export interface DialerListener {
  changed(state: DialerState, previous: DialerState): void;
  /** @returns `false`: the page handles it itself */
  notify(notification: DialerNotification): boolean;
  /** Somebody called while the line was taken. */
  missed(call: CallInfo): void;
  /** A call was asked for, by the page or by the agent; nothing has been checked yet. */
  callRequested(number: string): void;
  /** … and is not placed. The promise rejects with the same error. */
  callRefused(error: DialerError): void;
}

export class Dialer {
  readonly #listener: DialerListener;
  readonly #store: DialerStore;
  readonly #browser: BrowserCheck;
  readonly #connection: Connection;
  readonly #memberCheck: MemberCheck;
  readonly #outgoing: OutgoingCalls;
  readonly #calls: Calls;
  readonly #controls: CallControls;
  readonly #customers: CallCustomers;
  readonly #notifications = new StateNotifications();
  /** How many dispatches to the listener are going on, one inside the other. */
  #dispatches = 0;

  constructor(listener: DialerListener, createSdk: CreateSdk) {
    this.#listener = listener;
    const store = (this.#store = new DialerStore((state, previous) => this.#onChanged(state, previous)));
    const notify = (notification: DialerNotification) => this.#dispatch(() => listener.notify(notification));
    const onSdkEvent = (event: SdkEvent) => this.#onSdkEvent(event);
    const connection = (this.#connection = new Connection(store, createSdk, { onSdkEvent, notify }));
    this.#browser = new BrowserCheck(store, () => this.#memberCheck.returned());
    this.#memberCheck = new MemberCheck(store, connection, this.#browser, notify);
    this.#outgoing = new OutgoingCalls(store, connection, this.#browser, notify);
    this.#calls = new Calls(store, connection, this.#memberCheck, this.#outgoing, notify);
    this.#controls = new CallControls(store, connection);
    this.#customers = new CallCustomers(store, connection, notify);
  }

  get state(): DialerState {
    return this.#store.state;
  }

  /**
   * What the page has configured: it may come at any time, and the dialer decides when which part of it counts.
   *
   * @param settings a `DialerError` is what the next connection fails with
   */
  configure(settings: Settings | DialerError): void {
    if (this.#dispatches > 0) queueMicrotask(() => this.#connection.configure(settings));
    else this.#connection.configure(settings);
  }

  /** A `disconnect()` that a listener has asked for before has been done by then, and does not count. */
  async connect(): Promise<void> {
    if (this.#dispatches > 0) await undefined;
    await this.#connection.connect();
  }

  async disconnect(): Promise<void> {
    if (this.#dispatches > 0) await undefined;
    this.#calls.close();
    this.#connection.close();
    this.#store.apply({ type: 'disconnect', at: Date.now() });
  }

  /** As `disconnect()`, for a page that is going away: what the SDK has to send leaves in this very task. */
  leave(): void {
    this.#connection.leave();
    void this.disconnect();
  }

  /** @param options {@link CallOptions}, or whatever the page gave for them */
  async call(number: string, options?: unknown): Promise<void> {
    try {
      await this.#run(() => {
        this.#dispatch(() => this.#listener.callRequested(number));
        return this.#outgoing.call(number, options);
      });
    } catch (error) {
      const known = toDialerError(error, 'call-rejected', 'The call could not be placed.');
      this.#onRefused(known);
      throw known;
    }
  }

  answer(): Promise<void> {
    return this.#runHere(() => this.#calls.answer());
  }

  reject(): Promise<void> {
    return this.#runHere(() => this.#calls.reject());
  }

  hangUp(): Promise<void> {
    return this.#runHere(() => this.#calls.hangUp());
  }

  setMuted(on: boolean): Promise<void> {
    return this.#runHere(() => this.#controls.setMuted(on));
  }

  setHeld(on: boolean): Promise<void> {
    return this.#runHere(() => this.#controls.setHeld(on));
  }

  sendDtmf(tones: string, queued?: () => void): Promise<void> {
    return this.#runHere(() => this.#controls.sendDtmf(tones, queued));
  }

  /** Brings the phone into this tab, and connects it. */
  useHere(): Promise<void> {
    return this.#run(async () => {
      if (isElsewhere(this.state.block)) await this.#connection.phoneLock.take();
      await this.#connection.connect();
    });
  }

  recheck(): Promise<void> {
    return this.#run(() => this.#runHere(() => this.#memberCheck.recheck()));
  }

  requestHelp(kind: HelpKind): Promise<GuideNotice | undefined> {
    return this.#run(() => this.#runHere(() => this.#memberCheck.requestHelp(kind)));
  }

  /** The caller number that the agent wants to call with from now on. */
  async chooseHotline(number: string): Promise<void> {
    if (this.#dispatches > 0) await undefined;
    this.#store.apply({ type: 'hotline-chosen', number });
  }

  /** Leaves the last call's outcome, or "You can call again". */
  async dismiss(): Promise<void> {
    if (this.#dispatches > 0) await undefined;
    this.#store.apply({ type: 'dismiss' });
  }

  /** A command from within a listener waits until the other listeners have been told; a `disconnect()` before it counts. */
  async #run<T>(work: () => Promise<T>): Promise<T> {
    const { life } = this.#connection;
    if (this.#dispatches > 0) await undefined;
    life.throwIfAborted();
    return await work();
  }

  /** @throws {DialerError} `active-elsewhere` while another tab has the phone */
  async #runHere<T>(work: () => Promise<T>): Promise<T> {
    if (this.#dispatches > 0) await undefined;
    if (!isElsewhere(this.state.block)) return await work();
    throw new DialerError('active-elsewhere', 'The phone is in use in another tab.');
  }

  #onSdkEvent(event: SdkEvent): void {
    switch (event.type) {
      case 'registered':
      case 'lost':
      case 'failed':
        return this.#connection.onSdkEvent(event);
      case 'missed': {
        const at = Date.now();
        return this.#listener.missed({ ...event.call, startedAt: at, endedAt: at, outcome: 'missed' });
      }
      case 'hold-refused':
        return this.#controls.onHoldAnswer(event);
      case 'held':
        this.#calls.onSdkEvent(event);
        return this.#controls.onHoldAnswer(event);
      default:
        return this.#calls.onSdkEvent(event);
    }
  }

  #onChanged(state: DialerState, previous: DialerState): void {
    const isBlockNews = this.#notify(state, previous);
    if (isBlockNews) this.#memberCheck.blocked();
    this.#browser.stateChanged(state, previous);
    this.#customers.stateChanged(state);
    if (state.call !== previous.call) this.#connection.callChanged(state.call);
  }

  /** @returns whether the member has become blocked, or for another reason than before */
  #notify(state: DialerState, previous: DialerState): boolean {
    this.#dispatch(() => this.#listener.changed(state, previous));
    const list = this.#notifications.between(previous, state);
    for (const notification of list) this.#tell(notification);
    return list.some(({ name }) => name === 'blocked');
  }

  #tell(notification: DialerNotification): void {
    const isOurs = this.#dispatch(() => this.#listener.notify(notification));
    if (notification.name === 'blocked') this.#store.apply({ type: 'guide-drawn', byPage: !isOurs });
  }

  /** A page with a guide of its own is told of it again, each time that it keeps a call from being placed. */
  #onRefused(error: DialerError): void {
    const { block } = this.state;
    if (block.is === 'blocked' && block.drawnByPage && isBlockedAs(block, error.code))
      this.#tell({ name: 'blocked', reason: block.reason, source: block.source });
    this.#dispatch(() => this.#listener.callRefused(error));
  }

  /** No state moves while the listener is told of one: it finds the state that the event speaks of. */
  #dispatch<T>(work: () => T): T {
    this.#dispatches += 1;
    try {
      return work();
    } finally {
      this.#dispatches -= 1;
    }
  }
}
