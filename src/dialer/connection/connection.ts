/** The connection to the exchange: made, replaced and closed. */
import type { Readiness } from '../../broker/answers.ts';
import type { Hotline } from '../../broker/contract.ts';
import { receiveSession, type GivenSession } from '../../broker/given-session.ts';
import { BrokerSession } from '../../broker/session.ts';
import { DialerError, toDialerError } from '../../errors.ts';
import { watchNetwork } from '../../page/network.ts';
import { SYSTEM_DEVICES, type CallDevices, type CallingSdk } from '../../sdk/calling-sdk.ts';
import type { VendorScript } from '../../sdk/script.ts';
import { childOf } from '../../wait.ts';
import { PhoneLock } from './phone-lock.ts';
import { Reconnection } from './reconnection.ts';
import { nextSession } from './renewal.ts';
import { SignedInMember } from './signed-in-member.ts';
import { brokerKey, brokerOf, needNewConnection, type Settings } from '../settings.ts';
import { isBlockedBy } from '../state/block.ts';
import { isBusy, type Call } from '../state/call.ts';
import type { DialerState } from '../state/state.ts';
import type { DialerStore } from '../store.ts';

/** Longer than the wait for a lost socket and all the timeouts on the way to a registration together. */
const CONNECT_TIMEOUT_MS = 150_000;

/** A promise that a `disconnect()` has overtaken rejects with this error. */
export const disconnected = () => new DialerError('not-ready', 'The dialer has been disconnected.');

type CreateSdk = (script: VendorScript) => CallingSdk;

/** Why the dialer reconnects. */
type Reason =
  /** The connection failed. The SDK may still register again by itself. */
  | 'recovery'
  /** The present token ends soon, or it belongs to other settings or to another member. */
  | 'sign-in';

export class Connection {
  readonly #store: DialerStore;
  readonly #createSdk: CreateSdk;
  readonly #reconnection = new Reconnection(() => this.#reconnect('recovery'));
  readonly #member: SignedInMember;
  readonly #phoneLock: PhoneLock;
  /** Absent before the first `configure()`: an error created with each element would record the stack of the whole script. */
  #settings: Settings | DialerError | undefined;
  /** The latest without a mistake. */
  #validSettings: Settings | undefined;
  /** Until `close()`, or until another member or another broker comes. All but a request for help that was sent ends with it. */
  #life = new AbortController();
  #attempt = new AbortController();
  /** The settings that the present attempt was made with. */
  #attemptSettings: Settings | DialerError | undefined;
  /** The present connection is replaced at the end of the call. */
  #pending: Reason | undefined;
  /** `awaited`: a sign-in is under way. */
  #session: BrokerSession | 'awaited' | undefined;
  /** What the page gave for the first sign-in. */
  #given: GivenSession | undefined;
  #sdk: CallingSdk | undefined;
  #devices = SYSTEM_DEVICES;
  /** Resolves when nothing is registered any more. */
  #closed: Promise<unknown> = Promise.resolve();

  constructor(store: DialerStore, createSdk: CreateSdk) {
    this.#store = store;
    this.#createSdk = createSdk;
    this.#member = new SignedInMember(store);
    this.#phoneLock = new PhoneLock(store, () => this.#closed);
  }

  /** `undefined` while they are wrong. */
  get settings(): Settings | undefined {
    return this.#settings instanceof DialerError ? undefined : this.#settings;
  }

  get life(): AbortSignal {
    return this.#life.signal;
  }

  /** Aborted when the connection is replaced or closed. */
  get signal(): AbortSignal {
    return this.#attempt.signal;
  }

  /** The latest sign-in; `undefined` until the broker has answered. */
  get session(): BrokerSession | undefined {
    return this.#session === 'awaited' ? undefined : this.#session;
  }

  get sdk(): CallingSdk | undefined {
    return this.#sdk;
  }

  /** As far as broker and SDK have said, could the member call on this connection? */
  get isUsable(): boolean {
    return this.session?.isUsable === true && this.#member.hasHotline;
  }

  /** Connects again, after a call, if a setting needs it. Headers and sounds apply at once, the rest to the next call. */
  configure(settings: Settings | DialerError): void {
    const before = this.#validSettings;
    this.#settings = settings;
    this.#validSettings = this.settings ?? before;
    if (before && needNewConnection(settings, before, true)) this.#given = undefined;
    // The agent and the page can both choose a caller number: the later choice is used.
    if (before && this.settings && this.settings.hotline !== before.hotline)
      this.#store.apply({ type: 'hotline-chosen', number: this.settings.hotline });
    const isSigningIn = this.#session === 'awaited';
    if (this.#attemptSettings && needNewConnection(settings, this.#attemptSettings, isSigningIn)) {
      this.#reconnection.reset();
      this.#reconnect('sign-in');
    } else if (this.settings) this.#sdk?.setSounds(this.settings.sounds);
  }

  /** The broker's answer, which the page has asked for itself; once the first sign-in has begun, it is not used. */
  useSession(source: unknown): void {
    if (source === this.#given?.source) return;
    const given = receiveSession(source);
    if (!this.#attemptSettings) this.#given = given;
  }

  useDevices(devices: CallDevices): void {
    this.#devices = devices;
    this.#sdk?.useDevices(devices);
  }

  /**
   * Resolves when the member is registered, or a guide tells why the member cannot call.
   *
   * @param wanted aborted: nobody waits for it any more
   * @throws {DialerError} the error shown; `busy` while a call keeps the failed connection; `not-ready` when a
   *   `disconnect()` came first; `registration-failed` after the timeout
   */
  async connect(wanted = this.life): Promise<void> {
    const { line, call } = this.#store.state;
    if (line.is === 'failed' && isBusy(call)) {
      this.#reconnect('recovery');
      throw new DialerError('busy', 'A call is in progress; the dialer reconnects when it ends.');
    }
    if (line.is === 'off' || line.is === 'failed') {
      this.#reconnection.reset();
      this.#open();
    }
    const state = await this.#store.until(
      (now) => this.#isDecided(now),
      CONNECT_TIMEOUT_MS,
      'registration-failed',
    );
    if (state.line.is === 'failed') {
      const isUnauthorized = state.line.error.code === 'broker-unauthorized';
      // A request sent before the page had signed in fails: send it again.
      if (isUnauthorized && line.is === 'connecting' && !wanted.aborted) return this.connect(wanted);
      throw state.line.error;
    }
    if (state.line.is === 'off') throw disconnected();
  }

  /** As `connect()`; takes the phone from another tab, also if only the sign-in tells of that, but not if the agent has asked for it there since. */
  async connectHere(wanted = this.life): Promise<void> {
    const askedAt = Date.now();
    const isThere = () => isBlockedBy(this.#store.state.block, 'tab');
    if (!isThere()) await this.connect(wanted);
    if (isThere() && !wanted.aborted) {
      await this.#phoneLock.take(askedAt, this.life);
      await this.connect(wanted);
    }
    if (isThere()) throw new DialerError('active-elsewhere', 'The phone is in use in another tab.');
  }

  /** A new connection for a member whom the present one cannot serve. */
  async reopen(): Promise<void> {
    if (this.session || this.#store.state.line.is !== 'connecting') this.#open(this.session?.next);
    await this.connect();
  }

  /** A connection that had to wait for the end of the call is made now. */
  callChanged(call: Call): void {
    if (this.#pending && !isBusy(call)) this.#reconnect(this.#pending);
  }

  /** @param keepsPhone see `TabLock.end()` */
  close(keepsPhone: boolean): void {
    this.#endLife();
    this.#given = undefined;
    this.#reconnection.reset();
    this.#closeSdk();
    this.#member.forget();
    this.#phoneLock.end(keepsPhone);
  }

  #endLife(): void {
    this.#life.abort(disconnected());
    this.#life = new AbortController();
  }

  registered(hotlines: readonly Hotline[]): void {
    this.#reconnection.reset();
    if (this.#pending === 'recovery') this.#pending = undefined;
    this.#member.registered(hotlines);
  }

  lost(): void {
    this.#reconnection.lost(this.signal);
    this.#store.apply({ type: 'lost' });
  }

  fail(error: DialerError): void {
    if (this.#session === 'awaited') this.#session = undefined;
    const { signal } = this;
    const isElsewhereOnPage = error.code === 'active-elsewhere';
    // An attempt with the same wrong settings would fail likewise.
    const isFinal = isElsewhereOnPage || error === this.#attemptSettings;
    const wait = isFinal ? undefined : this.#reconnection.failed(error, signal);
    // Another tab may be able to sign in, or be in sight.
    const isSoon = wait !== undefined && document.visibilityState === 'visible';
    if (!this.#session) this.#phoneLock[isSoon ? 'leavePage' : 'end']();
    const retryAt = wait === undefined ? undefined : this.#store.now + wait;
    this.#store.apply({ type: 'failed', error, retryAt });
    if (isElsewhereOnPage) void this.#retryWhenPageIsFree(signal);
  }

  async #retryWhenPageIsFree(signal: AbortSignal): Promise<void> {
    await this.#phoneLock.untilPageIsFree(signal);
    if (!signal.aborted) this.#reconnect('recovery');
  }

  #isDecided({ line, block, status }: DialerState): boolean {
    if (isBlockedBy(block, 'tab')) return true;
    if (line.is !== 'connecting') return line.is !== 'lost';
    // A broker that gives no token only says why the member cannot call.
    return this.session !== undefined && this.session.token === undefined && status === 'blocked';
  }

  /**
   * Replaces the connection, never in a call. While the other party is still in a call that the agent has left, the SDK stays for
   * the same member; for a new sign-in it closes, and tells the exchange before the next one boots.
   */
  #reconnect(reason: Reason, known?: BrokerSession): void {
    const { line, call } = this.#store.state;
    if (line.is === 'off') return;
    const sdk = this.#sdk;
    // If it waited for the end of a call, the screen shows that call, and no failure that could stay.
    const isQuiet = reason === 'recovery' && this.#pending === undefined;
    // The SDK may be in the next call, of which the state is told after the end of this one.
    const isFree = !sdk?.call || (reason === 'sign-in' && sdk.leaving !== undefined);
    if (!isBusy(call) && isFree) return this.#open(known, isQuiet);
    if (this.#pending !== 'sign-in') this.#pending = reason;
    void sdk?.leaving?.then(() => this.callChanged(this.#store.state.call));
  }

  /**
   * @param known a sign-in whose token can still be used
   * @param isQuiet nobody asked for it
   */
  #open(known?: BrokerSession, isQuiet = false): void {
    // Read first: `#closeSdk()` forgets it.
    const session = this.#pending === 'sign-in' ? undefined : known;
    this.#closeSdk();
    const settings = this.#settings ?? new DialerError('configuration', 'The dialer is not configured.');
    // The page must no longer see what another broker said about another member, nor what it still answers.
    if (!this.#attemptSettings || brokerKey(settings) !== brokerKey(this.#attemptSettings)) {
      if (this.#store.state.line.is !== 'off') this.#endLife();
      this.#member.forget();
      this.#phoneLock.end();
      this.#store.apply({ type: 'disconnect', at: this.#store.now });
    }
    this.#attempt = childOf(this.life);
    this.#attemptSettings = settings;
    const { signal } = this.#attempt;
    // A socket may have died unnoticed while the machine slept or had no network.
    watchNetwork(signal, () => {
      if (this.#store.state.line.is === 'up') this.#reconnect('recovery');
    });
    this.#store.apply({ type: 'connect', isQuiet });
    this.#signIn(settings, signal, session).catch((error: unknown) => {
      if (!signal.aborted)
        this.fail(toDialerError(error, 'sdk-load-failed', 'The SDK could not be started.'));
    });
  }

  /** The way to a registration: session, phone lock, lease, SDK, while the SDK's script loads. */
  async #signIn(
    settings: Settings | DialerError,
    signal: AbortSignal,
    known: BrokerSession | undefined,
  ): Promise<void> {
    if (settings instanceof DialerError) throw settings;
    if (!known) this.#session = 'awaited';
    await this.#phoneLock.enterPage(signal);
    const sdk = this.#createSdk(settings.script);
    this.#sdk = sdk;
    const loading = sdk.load();
    // If the broker fails first, its error is shown; the script's failure must not become an unhandled rejection.
    loading.catch(() => undefined);
    const broker = brokerOf(settings, () => this.settings);
    const given = this.#given;
    this.#given = undefined;
    const session = known ?? (await BrokerSession.signIn(broker, signal, given));
    this.#session = session;
    if (this.#member.replacedBy(session.brokerUrl, session.memberNo)) return this.#openForNewMember(session);
    const { token } = session;
    // Without a token nothing can be registered, so each tab shows the reason.
    if (token === undefined) {
      this.#phoneLock.end();
      return this.#signedIn(session);
    }
    const isFree = await this.#phoneLock.enter(session.brokerUrl, session.memberNo, signal);
    signal.throwIfAborted();
    if (!isFree) {
      // This attempt waits for the phone, also if it is a quiet one.
      this.#store.apply({ type: 'connect' });
      this.applyReadiness(session.latest);
    }
    const lease = await this.#phoneLock.lease(signal);
    signal.throwIfAborted();
    // The other tab may have had the phone for hours.
    if (!isFree && !session.isFresh) return this.#open();
    lease.addEventListener('abort', () => this.#open(session), { signal });
    void this.#renew(session, signal);
    this.#signedIn(session);
    await loading;
    signal.throwIfAborted();
    const { sdkBaseUrl: baseUrl, vendorUi } = settings;
    const { sounds } = this.settings ?? settings;
    await sdk.boot({ token, baseUrl, sounds, devices: this.#devices, vendorUi }, signal);
  }

  /** Ends the requests of the previous member, and this connection. */
  #openForNewMember(known?: BrokerSession): void {
    this.#endLife();
    this.#open(known);
  }

  /** A quiet retry leaves the last failure on the screen; a guide replaces it. */
  #signedIn({ latest }: BrokerSession): void {
    if (latest.blockers?.length) this.#store.apply({ type: 'connect' });
    this.applyReadiness(latest);
  }

  applyReadiness(readiness: Readiness): void {
    const { session } = this;
    // The sign-in under way was asked for later.
    if (!session) return;
    const { token, brokerUrl, memberNo } = session;
    const change = token === undefined ? undefined : this.#member.changeSince(session, readiness);
    const needsNewSdk = change !== undefined && change.to !== this.#member.startedAgainFor;
    if (needsNewSdk) {
      this.#member.startedAgainFor = change.to;
      this.#reconnect('sign-in');
    }
    // Until the connection is replaced, the phone is still registered for the previous member.
    if (change?.of === 'member' && (needsNewSdk || isBusy(this.#store.state.call))) return;
    if (!memberNo && this.#member.replacedBy(brokerUrl, readiness.member?.memberNo))
      return this.#openForNewMember();
    // Without a token, nothing is registered: the block ends with the next sign-in.
    const isUsable = token !== undefined && this.#member.hasHotline && !needsNewSdk;
    this.#member.inform(readiness, memberNo, isUsable);
  }

  async #renew(session: BrokerSession, signal: AbortSignal): Promise<void> {
    const onReadiness = (readiness: Readiness) => this.applyReadiness(readiness);
    const next = await nextSession(session, this.#store, onReadiness, signal);
    if (!signal.aborted) this.#reconnect('sign-in', next);
  }

  #closeSdk(): void {
    this.#pending = undefined;
    this.#attempt.abort(new DialerError('not-ready', 'A newer connection replaced this one.'));
    this.#closed = Promise.all([this.#closed, this.#sdk?.close()]);
    this.#sdk = undefined;
    this.#session = undefined;
    this.#member.sdkClosed();
  }
}
