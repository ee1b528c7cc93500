/** The connection to the exchange: opened, renewed and replaced, but never at the cost of a call. */
import { DialerError, toDialerError } from '../errors.ts';
import { watchNetwork } from '../page/network.ts';
import type { CallingSdk, SdkEvent } from '../sdk/calling-sdk.ts';
import { childOf, later } from '../wait.ts';
import { jittered } from './backoff.ts';
import type { DialerNotification } from './notifications.ts';
import { PhoneLock } from './phone-lock.ts';
import { RetryPolicy } from './retry-policy.ts';
import { BrokerSession } from './session.ts';
import { haveOtherHeaders, needNewConnection, type SdkScript, type Settings } from './settings.ts';
import { isElsewhere } from './state/block.ts';
import { isBusy, type Call } from './state/call.ts';
import type { DialerState } from './state/state.ts';
import type { DialerStore } from './store.ts';

/** Longer than all the timeouts on the way to a registration together. */
const CONNECT_TIMEOUT_MS = 90_000;
/** The SDK comes back from a lost socket within about 30 s, so a new one is started after this. */
const LOST_TIMEOUT_MS = 60_000;
/** Until the next attempt, when the broker has no other token yet. */
const RENEWAL_RETRY_MS = 30_000;
/** A token that lives for a moment only must not keep the dialer busy with itself. */
const SHORTEST_RENEWAL_MS = 1000;

/**
 * Why a new connection is made. A call delays it; of two reasons the later one in this list counts. A registration by the
 * SDK itself does away with the first.
 */
const REASONS = ['recovery', 'renewal', 'settings'] as const;
type Reason = (typeof REASONS)[number];

/** Dialers of this page that failed because another one was connected. They connect when that one has ended. */
const waitingForPage = new Set<Connection>();

export type CreateSdk = (script: SdkScript, listener: (event: SdkEvent) => void) => CallingSdk;

interface ConnectionListener {
  readonly onSdkEvent: (event: SdkEvent) => void;
  readonly notify: (notification: DialerNotification) => void;
}

export class Connection {
  readonly #store: DialerStore;
  readonly #createSdk: CreateSdk;
  readonly #listener: ConnectionListener;
  readonly #retryPolicy = new RetryPolicy();
  readonly phoneLock: PhoneLock;
  #settings: Settings | DialerError = new DialerError('configuration', 'The dialer is not configured.');
  /** From one `close()` to the next: everything that the dialer does hangs on it. */
  #life = new AbortController();
  #isWatching = false;
  /** From `#open()` to the next one. */
  #attempt = new AbortController();
  /** The settings that the present attempt was made with. */
  #attemptSettings: Settings | DialerError = this.#settings;
  #session: BrokerSession | undefined;
  #sdk: CallingSdk | undefined;
  /** Whether the SDK found any caller number, which it reads once per start; `undefined` until it is registered. */
  #hasSdkHotlines: boolean | undefined;
  /** Resolves when nothing is registered any more. */
  #closed: Promise<unknown> = Promise.resolve();
  #pendingReconnect: Reason | undefined;
  /** Aborted when the line needs no recovery any more. */
  #recovery = new AbortController();

  constructor(store: DialerStore, createSdk: CreateSdk, listener: ConnectionListener) {
    this.#store = store;
    this.#createSdk = createSdk;
    this.#listener = listener;
    this.phoneLock = new PhoneLock(store, async () => void (await this.#closed));
  }

  /** `undefined` while they are wrong. */
  get settings(): Settings | undefined {
    return this.#settings instanceof DialerError ? undefined : this.#settings;
  }

  /** Aborted when the dialer is disconnected. */
  get life(): AbortSignal {
    return this.#life.signal;
  }

  /** Aborted when the connection is replaced or closed. */
  get signal(): AbortSignal {
    return this.#attempt.signal;
  }

  /** The latest sign-in; `undefined` until the broker has answered. */
  get session(): BrokerSession | undefined {
    return this.#session;
  }

  get sdk(): CallingSdk | undefined {
    return this.#sdk;
  }

  /** As far as broker and SDK have said, could the member call on this connection? */
  get isUsable(): boolean {
    return this.#session?.isUsable === true && this.#hasSdkHotlines !== false;
  }

  /** What needs a new connection gets one, after a call; headers and sounds count at once, the rest for the next call. */
  configure(settings: Settings | DialerError): void {
    this.#settings = settings;
    if (this.#store.state.line.is === 'off') return;
    if (needNewConnection(settings, this.#attemptSettings)) {
      if (this.#pendingReconnect === 'settings') return;
      this.#retryPolicy.reset();
      return this.#replace('settings');
    }
    if (settings instanceof DialerError) return;
    // The broker is asked again: without these headers it may refuse the request that is under way.
    if (!this.#session && this.#isAsking && haveOtherHeaders(settings, this.#attemptSettings)) this.#open();
    this.#session?.useHeadersOf(settings.broker);
    this.#sdk?.setSounds(settings.sounds);
  }

  /**
   * Resolves when the member is registered, or a guide tells why the member cannot call.
   *
   * @throws {DialerError} the error shown; `busy` while a call keeps the failed connection; `not-ready` when a
   *   `disconnect()` came first
   */
  async connect(): Promise<void> {
    const { line, call } = this.#store.state;
    if (line.is === 'failed' && isBusy(call)) {
      this.#postpone('recovery');
      throw new DialerError('busy', 'There is a call; the dialer connects again after it.');
    }
    if (line.is === 'off' || line.is === 'failed') {
      this.#retryPolicy.reset();
      this.#open();
    }
    const state = await this.#store.until((now) => this.#isDecided(now), CONNECT_TIMEOUT_MS);
    if (state.line.is === 'failed') {
      // A request sent before the page had signed in fails: send it again.
      if (line.is === 'connecting' && state.line.error.code === 'broker-unauthorized') return this.connect();
      throw state.line.error;
    }
    if (state.line.is === 'off') throw new DialerError('not-ready', 'The dialer was disconnected meanwhile.');
  }

  get #isAsking(): boolean {
    return this.#store.state.line.is === 'connecting';
  }

  /** A new connection for a member whom the present one cannot serve. */
  async reopen(): Promise<void> {
    this.#open(this.#session?.next);
    await this.connect();
  }

  /** Other tabs show what goes on here; a connection that had to wait for the end of the call is made now. */
  callChanged(call: Call): void {
    this.phoneLock.callChanged(call);
    if (this.#pendingReconnect && !isBusy(call)) this.#replace(this.#pendingReconnect);
  }

  close(): void {
    this.#life.abort(new DialerError('not-ready', 'The dialer was disconnected meanwhile.'));
    this.#life = new AbortController();
    this.#isWatching = false;
    this.#retryPolicy.reset();
    this.#pendingReconnect = undefined;
    this.#closeSdk();
    this.phoneLock.end();
    if (waitingForPage.delete(this)) return;
    queueMicrotask(() => {
      for (const other of waitingForPage) other.#replace('recovery');
    });
  }

  /** The page is going away: what the SDK has to send leaves in this very task. */
  leave(): void {
    this.#sdk?.leave();
  }

  onSdkEvent(event: Extract<SdkEvent, { type: 'registered' | 'lost' | 'failed' }>): void {
    if (event.type === 'registered') this.#onRegistered(event);
    else if (event.type === 'lost') this.#onLost();
    else this.#fail(event.error);
  }

  #onRegistered(event: Extract<SdkEvent, { type: 'registered' }>): void {
    this.#hasSdkHotlines = event.hotlines.length > 0;
    this.#recovery.abort();
    this.#retryPolicy.reset();
    if (this.#pendingReconnect === 'recovery') this.#pendingReconnect = undefined;
    this.#store.apply(event);
  }

  /** The SDK tries to come back by itself. */
  #onLost(): void {
    if (this.#store.state.line.is !== 'up') return;
    this.#recoverIn(LOST_TIMEOUT_MS);
    this.#store.apply({ type: 'lost' });
  }

  #fail(error: DialerError): void {
    if (error.code === 'active-elsewhere') waitingForPage.add(this);
    const wait = this.#retryPolicy.waitAfter(error);
    this.#recoverIn(wait);
    const retryAt = wait === undefined ? undefined : Date.now() + wait;
    this.#store.apply({ type: 'failed', error, retryAt });
    this.#listener.notify({ name: 'error', error });
  }

  /** @param wait in milliseconds; `undefined`: not by itself */
  #recoverIn(wait: number | undefined): void {
    this.#recovery.abort();
    this.#recovery = childOf(this.#attempt.signal);
    if (wait !== undefined) later(wait, this.#recovery.signal, () => this.#replace('recovery'));
  }

  #isDecided({ line, block, status }: DialerState): boolean {
    if (isElsewhere(block)) return true;
    if (line.is !== 'connecting') return line.is !== 'lost';
    // A broker that gives no token only says why the member cannot call.
    return this.#session !== undefined && this.#session.token === undefined && status === 'blocked';
  }

  #replace(reason: Reason): void {
    const { line, call } = this.#store.state;
    if (line.is === 'off') return;
    if (isBusy(call)) return this.#postpone(reason);
    // What another broker said of another member must not be seen any more.
    if (reason === 'settings') this.#store.apply({ type: 'disconnect', at: Date.now() });
    this.#open();
  }

  #postpone(reason: Reason): void {
    const pending = this.#pendingReconnect;
    if (pending === undefined || REASONS.indexOf(reason) > REASONS.indexOf(pending))
      this.#pendingReconnect = reason;
  }

  /** @param known a sign-in whose token can still be used */
  #open(known?: BrokerSession): void {
    this.#closeSdk();
    waitingForPage.delete(this);
    this.#pendingReconnect = undefined;
    this.#watchNetwork();
    this.#attempt = childOf(this.#life.signal);
    this.#attemptSettings = this.#settings;
    const { signal } = this.#attempt;
    this.#store.apply({ type: 'connect' });
    this.#signIn(this.#settings, signal, known).catch((error: unknown) => {
      if (!signal.aborted)
        this.#fail(toDialerError(error, 'sdk-load-failed', 'The SDK could not be started.'));
    });
  }

  /** The way to a registration: session, phone lock, lease, SDK, while the SDK's script loads. */
  async #signIn(
    settings: Settings | DialerError,
    signal: AbortSignal,
    known: BrokerSession | undefined,
  ): Promise<void> {
    if (settings instanceof DialerError) throw settings;
    const sdk = this.#createSdk(settings.script, (event) => {
      if (!signal.aborted) this.#listener.onSdkEvent(event);
    });
    this.#sdk = sdk;
    const loading = sdk.load();
    // A broker that fails first is reported; the failure of the script must not surface as unhandled.
    loading.catch(() => undefined);
    const session = known ?? (await BrokerSession.request(settings.broker, signal));
    this.#session = session;
    const { token, readiness } = session;
    // Without a token there is nothing to register, so each tab tells what is the matter.
    if (token === undefined) {
      this.phoneLock.end();
      return this.applyReadiness(readiness);
    }
    const isFree = await this.phoneLock.enter(session.brokerUrl, session.memberNo);
    signal.throwIfAborted();
    // The tab that has the phone tells what keeps the member from calling.
    if (!isFree) this.applyReadiness({ ...readiness, blockers: [] });
    const lease = await this.phoneLock.lease(signal);
    signal.throwIfAborted();
    // The other tab may have had the phone for hours.
    if (!isFree && !session.isFresh) return this.#open();
    lease.addEventListener('abort', () => this.#open(session), { signal });
    this.#planRenewal(session, signal);
    this.applyReadiness(readiness);
    await loading;
    signal.throwIfAborted();
    const { sdkBaseUrl: baseUrl, vendorUi } = settings;
    const { sounds } = this.settings ?? settings;
    await sdk.boot({ token, baseUrl, sounds, vendorUi }, signal);
  }

  /** What the broker has just said of the member. */
  applyReadiness(readiness: BrokerSession['readiness']): void {
    this.#store.apply({ type: 'readiness', readiness, isUsable: this.#hasSdkHotlines !== false });
  }

  #planRenewal({ renewalIn }: BrokerSession, signal: AbortSignal): void {
    if (renewalIn === undefined) return;
    later(Math.max(renewalIn, SHORTEST_RENEWAL_MS), signal, () => void this.#renew(signal));
  }

  #planRenewalAgain(signal: AbortSignal, retryAfter = 0): void {
    later(Math.max(jittered(RENEWAL_RETRY_MS), retryAfter), signal, () => void this.#renew(signal));
  }

  /** The next token is fetched while the phone goes on; only a token that is really new is worth a new registration. */
  async #renew(signal: AbortSignal): Promise<void> {
    const { settings } = this;
    const { line, call } = this.#store.state;
    if (!settings || line.is !== 'up') return this.#planRenewalAgain(signal);
    if (isBusy(call)) return this.#replace('renewal');
    try {
      const next = await BrokerSession.request(settings.broker, signal);
      if (isBusy(this.#store.state.call)) return this.#replace('renewal');
      if (next.token !== undefined && next.token !== this.#session?.token) return this.#open(next);
      this.applyReadiness(next.readiness);
      this.#planRenewalAgain(signal);
    } catch (error) {
      // The agent can go on calling: an error is told when it keeps them from it.
      this.#planRenewalAgain(signal, error instanceof DialerError ? error.retryAfter : undefined);
    }
  }

  /** A socket may have died unnoticed while the machine slept or had no network. */
  #watchNetwork(): void {
    if (this.#isWatching) return;
    this.#isWatching = true;
    watchNetwork(this.#life.signal, () => {
      const { is } = this.#store.state.line;
      if ((is !== 'failed' && is !== 'lost' && is !== 'up') || this.#retryPolicy.mustWait) return;
      this.#retryPolicy.reset();
      this.#replace('recovery');
    });
  }

  #closeSdk(): void {
    this.#attempt.abort(new DialerError('not-ready', 'Another connection has taken the place of this one.'));
    this.#closed = Promise.all([this.#closed, this.#sdk?.close()]);
    this.#sdk = undefined;
    this.#session = undefined;
    this.#hasSdkHotlines = undefined;
  }
}
