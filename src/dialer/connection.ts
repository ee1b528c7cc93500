/** The dialer's connection to the exchange: opened, kept, renewed and replaced, but never at the cost of a call. */
import type { Readiness, Session } from '../broker/answer.ts';
import { DialerError, toDialerError } from '../errors.ts';
import { watchNetwork } from '../page/network.ts';
import type { CallingSdk, SdkEvent, Sounds } from '../sdk/calling-sdk.ts';
import { isElsewhere } from './state/block.ts';
import { isBusy, type Call } from './state/call.ts';
import type { DialerHost } from './host.ts';
import { Leadership } from './leadership.ts';
import { RetryPolicy } from './retry.ts';
import { BrokerSession } from './session.ts';
import type { DialerState } from './state/state.ts';
import type { DialerStore } from './store.ts';

/** Longer than all the timeouts on the way to a registration together. */
const CONNECT_TIMEOUT_MS = 90_000;
/** The SDK comes back from a lost socket within about 30 s of its return; after this it is started anew. */
const LOST_TIMEOUT_MS = 60_000;

/** Why a new connection is due while a call keeps the old one; a later one of these counts for more. */
const DUES = ['network', 'failure', 'token', 'tab', 'settings'] as const;
type Due = (typeof DUES)[number];

/** Those of this page that another one keeps from connecting. */
const kept = new Set<Connection>();

export class Connection {
  readonly #host: DialerHost;
  readonly #store: DialerStore;
  readonly #onSdkEvent: (event: SdkEvent) => void;
  readonly #retryPolicy = new RetryPolicy(
    () => this.#replace('failure'),
    () => void this.#renew(),
  );
  readonly #leadership: Leadership;
  #session: BrokerSession | undefined;
  /** Resolves when no earlier session has anything registered any more. */
  #closed = Promise.resolve();
  #watching: AbortController | undefined;
  #due: Due | undefined;
  #lostTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: DialerHost, store: DialerStore, onSdkEvent: (event: SdkEvent) => void) {
    this.#host = host;
    this.#store = store;
    this.#onSdkEvent = onSdkEvent;
    this.#leadership = new Leadership(store, {
      lead: () => this.#lead(),
      follow: () => this.#follow(),
      give: () => this.#give(),
    });
  }

  get session(): BrokerSession | undefined {
    return this.#session;
  }

  get sdk(): CallingSdk | undefined {
    return this.#session?.sdk;
  }

  /**
   * Resolves when the member is registered, or a guide tells why the member cannot call.
   *
   * @throws {DialerError} the error shown; `busy` while a call keeps the failed connection; `not-ready` when it was
   *   overtaken by a `disconnect()`
   */
  async connect(): Promise<void> {
    const { line, call } = this.#store.state;
    if (line.is === 'failed' && isBusy(call)) {
      this.#postpone('failure');
      throw new DialerError('busy', 'There is a call; the dialer connects again after it.');
    }
    if (line.is === 'off' || line.is === 'failed') {
      this.#retryPolicy.reset();
      this.#open();
    }
    const state = await this.#store.until((now) => this.#isDecided(now), CONNECT_TIMEOUT_MS);
    if (state.line.is === 'failed') {
      // What was asked before may have been asked before the page had signed in.
      if (line.is === 'connecting' && state.line.error.code === 'broker-unauthorized') return this.connect();
      throw state.line.error;
    }
    if (state.line.is === 'off') throw new DialerError('not-ready', 'The dialer was disconnected meanwhile.');
  }

  /** Asks the tab that has the phone for it; resolves to whether it is here now. */
  take(): Promise<boolean> {
    return this.#leadership.take();
  }

  /** The attributes have changed: they count from the next connection on, which waits for the end of a call. */
  reconfigure(): void {
    if (this.#store.state.line.is === 'off') return;
    this.#retryPolicy.reset();
    this.#replace('settings');
  }

  /** A new connection for a member whom the present one cannot serve. */
  async reopen(): Promise<void> {
    this.#replace('failure');
    await this.connect();
  }

  /** The call is over, or was not placed after all: what had to wait for that happens now. */
  callEnded(): void {
    if (!this.#due || isBusy(this.#store.state.call)) return;
    if (this.#due === 'tab') this.#follow();
    else this.#replace(this.#due);
  }

  close(): void {
    this.#retryPolicy.reset();
    this.#watching?.abort();
    this.#watching = undefined;
    this.#due = undefined;
    this.#leadership.end(this.#closeSession());
    if (kept.delete(this)) return;
    queueMicrotask(() => {
      for (const other of kept) other.#replace('failure');
    });
  }

  /** Other tabs show what is going on here. */
  callChanged(call: Call): void {
    this.#leadership.callChanged(call);
  }

  setSounds(sounds: Sounds): void {
    this.#session?.setSounds(sounds);
  }

  /** What the broker has just said of the member. */
  learn(readiness: Readiness): void {
    const isUsable = this.#session?.sdkHotlines?.length !== 0;
    this.#store.apply({ type: 'readiness', readiness, isUsable });
  }

  /** The SDK has registered. */
  registered(event: Extract<SdkEvent, { type: 'registered' }>): void {
    if (this.#session) this.#session.sdkHotlines = event.hotlines;
    clearTimeout(this.#lostTimer);
    this.#retryPolicy.succeed();
    if (this.#due === 'network' || this.#due === 'failure') this.#due = undefined;
    this.#store.apply(event);
  }

  /** The socket is gone. The SDK tries to come back by itself. */
  lost(): void {
    if (this.#store.state.line.is !== 'up') return;
    this.#lostTimer = setTimeout(() => this.#replace('network'), LOST_TIMEOUT_MS);
    this.#store.apply({ type: 'lost' });
  }

  fail(error: DialerError): void {
    clearTimeout(this.#lostTimer);
    if (error.code === 'active-elsewhere') kept.add(this);
    this.#store.apply({ type: 'failed', error, retryAt: this.#retryPolicy.plan(error) });
    this.#host.notify({ name: 'error', error });
  }

  #isDecided({ line, block, status }: DialerState): boolean {
    if (isElsewhere(block)) return true;
    if (line.is === 'connecting') return this.#session?.isTokenless === true && status === 'blocked';
    return line.is !== 'lost';
  }

  #replace(due: Due): void {
    const { line, call } = this.#store.state;
    if (line.is === 'off') return;
    if (isBusy(call)) return this.#postpone(due);
    // What another broker said of another member is not to be seen any more.
    if (due === 'settings') this.#store.apply({ type: 'disconnect', at: Date.now() });
    this.#open();
  }

  /** What the SDK may put right by itself does not stand for what it cannot. */
  #postpone(due: Due): void {
    if (this.#due === undefined || DUES.indexOf(due) > DUES.indexOf(this.#due)) this.#due = due;
  }

  #open(renewed?: Session): void {
    void this.#closeSession();
    kept.delete(this);
    this.#due = undefined;
    this.#watch();
    this.#store.apply({ type: 'connect' });
    let session: BrokerSession;
    try {
      session = this.#createSession();
    } catch (error) {
      return this.fail(toDialerError(error, 'configuration', 'The dialer is not configured.'));
    }
    this.#session = session;
    const onSession = async (answer: Session) => {
      const isHere = await this.#join(session, answer);
      session.signal.throwIfAborted();
      if (isHere) this.#retryPolicy.planRenewal(answer.expiresAt);
      // What keeps the member from calling is told in the tab that has the phone.
      this.learn(isHere ? answer : { ...answer, blockers: [] });
      return isHere;
    };
    session.start(onSession, renewed).catch((error: unknown) => {
      if (session.signal.aborted) return;
      this.fail(toDialerError(error, 'sdk-load-failed', 'The SDK could not be started.'));
    });
  }

  /** Without a token there is nothing to register, so that each tab may say what is the matter. */
  async #join({ brokerUrl }: BrokerSession, { token, member }: Session): Promise<boolean> {
    if (token !== undefined) return this.#leadership.join(brokerUrl, member?.memberNo, this.#closed);
    this.#leadership.end(this.#closed);
    return true;
  }

  /** The other tab is gone, or gave the phone to this one. */
  #lead(): void {
    // It was taken from this tab for a while, and the call kept it.
    if (isBusy(this.#store.state.call)) return;
    this.#store.apply({ type: 'here' });
    this.#open();
  }

  #follow(): void {
    const { line, call } = this.#store.state;
    if (line.is === 'off') return;
    if (isBusy(call)) return this.#postpone('tab');
    this.#due = undefined;
    if (this.#leadership.isHere) return;
    this.#retryPolicy.reset();
    this.#leadership.show();
    void this.#closeSession();
  }

  async #give(): Promise<boolean> {
    if (isBusy(this.#store.state.call)) return false;
    this.#retryPolicy.reset();
    this.#leadership.show();
    await this.#closeSession();
    return true;
  }

  /** The next token is fetched while the phone goes on; only a token that is really new is worth a new registration. */
  async #renew(): Promise<void> {
    const session = this.#session;
    if (!session) return;
    if (this.#store.state.line.is !== 'up') return this.#retryPolicy.planRenewalAgain();
    if (isBusy(this.#store.state.call)) return this.#replace('token');
    try {
      const { session: next, isNew } = await session.renew();
      if (isBusy(this.#store.state.call)) return this.#replace('token');
      if (isNew) return this.#open(next);
      this.learn(next);
      this.#retryPolicy.planRenewalAgain();
    } catch (error) {
      if (session.signal.aborted) return;
      // The agent can go on calling: what is wrong is told when it keeps them from it.
      this.#retryPolicy.planRenewalAgain(error instanceof DialerError ? error.retryAfter : undefined);
    }
  }

  /** A socket may have died unnoticed while the machine slept or had no network. */
  #watch(): void {
    if (this.#watching) return;
    this.#watching = new AbortController();
    watchNetwork(this.#watching.signal, () => {
      const { is } = this.#store.state.line;
      if ((is !== 'failed' && is !== 'lost' && is !== 'up') || this.#retryPolicy.mustWait) return;
      this.#retryPolicy.succeed();
      this.#replace('network');
    });
  }

  #createSession(): BrokerSession {
    const sdk = this.#host.createSdk((event) => {
      if (!session.signal.aborted) this.#onSdkEvent(event);
    });
    const session = new BrokerSession(this.#host.settings(), sdk);
    return session;
  }

  #closeSession(): Promise<void> {
    clearTimeout(this.#lostTimer);
    this.#closed = this.#session?.close() ?? this.#closed;
    this.#session = undefined;
    return this.#closed;
  }
}
