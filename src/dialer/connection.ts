/** The dialer's way to the exchange: opened, kept, renewed, and asked why the member cannot call. */
import type { Hotline } from '../broker/contract.ts';
import type { Readiness } from '../broker/parse-answer.ts';
import { toDialerError, type DialerError } from '../errors.ts';
import { watchNetwork } from '../page/network.ts';
import type { CallingSdk, SdkEvent, Sounds } from '../sdk/calling-sdk.ts';
import type { BlockSource, GuideNotice } from './block-state.ts';
import { isBusy } from './call-state.ts';
import { BrokerSession } from './session.ts';
import type { DialerHost } from './host.ts';
import { StatusPoller } from './status-poller.ts';
import { RetryPolicy } from './retry.ts';
import type { DialerStore } from './store.ts';

export class Connection {
  readonly #host: DialerHost;
  readonly #store: DialerStore;
  readonly #onSdkEvent: (event: SdkEvent) => void;
  readonly #retryPolicy = new RetryPolicy(() => this.#reopen());
  readonly #statusPoller = new StatusPoller((signal) => this.#lookAgain(signal));
  #connection: BrokerSession | undefined;
  #watching: AbortController | undefined;
  /** A new connection is due, but a call is going on. */
  #isReopenDue = false;

  /** @param hear what the SDK says about calls */
  constructor(host: DialerHost, store: DialerStore, hear: (event: SdkEvent) => void) {
    this.#host = host;
    this.#store = store;
    this.#onSdkEvent = hear;
  }

  get sdk(): CallingSdk | undefined {
    return this.#connection?.sdk;
  }

  /** Can the broker be asked without signing in anew? */
  get hasStatus(): boolean {
    return this.#connection?.hasStatus === true;
  }

  /** Resolves when the line is up, or a guide tells why the member cannot call; rejects with the error shown. */
  async connect(): Promise<void> {
    const { is } = this.#store.state.line;
    if (is === 'off' || is === 'failed') {
      this.#retryPolicy.forget();
      this.#open();
    }
    const { line } = await this.#store.until(
      (state) => state.line.is !== 'connecting' || this.#connection?.isTokenless === true,
    );
    if (line.is === 'failed') throw line.error;
  }

  close(): void {
    this.#retryPolicy.forget();
    this.#statusPoller.end();
    this.#watching?.abort();
    this.#watching = undefined;
    this.#closeConnection();
  }

  setSounds(sounds: Sounds): void {
    this.#connection?.setSounds(sounds);
  }

  /** The SDK has registered. */
  becomeReady(hotlines: readonly Hotline[]): void {
    if (this.#connection) this.#connection.sdkHotlines = hotlines;
    this.#retryPolicy.succeed();
    this.#store.apply({ type: 'registered', hotlines });
    if (hotlines.length === 0) this.block('no-hotline', 'sdk');
    if (this.#store.state.status === 'ready') this.#host.notify({ name: 'ready' });
  }

  fail(error: DialerError): void {
    this.#store.apply({ type: 'failed', error, retryAt: this.#retryPolicy.plan(error.code) });
    this.#host.notify({ name: 'error', error });
  }

  /** The call is over: what had to wait for that happens now. */
  callEnded(): void {
    if (this.#isReopenDue) this.#reopen();
  }

  block(reason: string, source: BlockSource): void {
    const before = this.#store.state.block;
    this.#store.apply({ type: 'blocked', reason, source });
    if (before.is === 'blocked' && before.reason === reason) return;
    this.#statusPoller.begin();
    if (!this.#host.notify({ name: 'blocked', reason, source })) this.#store.apply({ type: 'guide-taken' });
  }

  check(): Promise<void> {
    return this.#ask('check', (connection) => connection.check());
  }

  /** Asks the broker for what is missing; the page may take that over. */
  async requestHelp(kind: 'topUp' | 'hotline'): Promise<void> {
    const mayAsk = this.#host.notify({ name: kind === 'topUp' ? 'topuprequest' : 'hotlinerequest' });
    if (mayAsk && this.#connection?.canAskFor(kind)) {
      return this.#ask('help', (connection) => connection.askFor(kind));
    }
    // Somebody outside was or has to be asked; "check again" will tell what came of it.
    this.#store.apply({ type: 'waited', notice: mayAsk ? 'ask-admin' : 'help-requested' });
  }

  /**
   * What does the broker say about the member now? Nobody is shown the answer.
   *
   * @throws whatever kept the broker from telling
   */
  async readiness(patience: number): Promise<Readiness | undefined> {
    const connection = this.#connection;
    return connection?.check(AbortSignal.any([connection.signal, AbortSignal.timeout(patience)]));
  }

  /** A call costs money: the agent learns before the next one, not by it, that there is none left. */
  async refresh(): Promise<void> {
    const connection = this.#connection;
    if (!connection?.hasStatus) return;
    try {
      this.#useReadiness(await connection.check());
    } catch {
      // Nobody asked, so nobody is told; the next call or check will.
    }
  }

  #open(): void {
    this.#closeConnection();
    this.#isReopenDue = false;
    this.#watch();
    this.#store.apply({ type: 'connect' });
    let connection: BrokerSession;
    try {
      connection = this.#createConnection();
    } catch (error) {
      return this.fail(toDialerError(error, 'configuration', 'The dialer is not configured.'));
    }
    this.#connection = connection;
    const useSession = (session: Parameters<Parameters<BrokerSession['start']>[0]>[0]) => {
      this.#useReadiness(session);
      this.#retryPolicy.renewBefore(session.expiresAt);
    };
    connection.start(useSession).catch((error: unknown) => {
      if (connection.signal.aborted) return;
      this.fail(toDialerError(error, 'sdk-load-failed', 'The SDK could not be started.'));
    });
  }

  /** Never at the cost of a call. */
  #reopen(): void {
    if (this.#store.state.line.is === 'off') return;
    this.#isReopenDue = isBusy(this.#store.state.call);
    if (this.#isReopenDue) return;
    this.#store.apply({ type: 'lost' });
    this.#open();
  }

  #watch(): void {
    if (this.#watching) return;
    this.#watching = new AbortController();
    watchNetwork(this.#watching.signal, () => {
      const { is } = this.#store.state.line;
      if (is !== 'failed' && is !== 'lost' && is !== 'up') return;
      this.#retryPolicy.forget();
      this.#reopen();
    });
  }

  #createConnection(): BrokerSession {
    const sdk = this.#host.createSdk((event) => {
      if (!connection.signal.aborted) this.#onSdkEvent(event);
    });
    const connection = new BrokerSession(this.#host.settings(), sdk);
    return connection;
  }

  #closeConnection(): void {
    this.#connection?.close();
    this.#connection = undefined;
  }

  async #ask(
    what: 'check' | 'help',
    request: (connection: BrokerSession) => Promise<Readiness>,
  ): Promise<void> {
    const connection = this.#connection;
    if (!connection || this.#store.state.line.is === 'failed') return this.connect();
    const wasBlocked = this.#store.state.block.is === 'blocked';
    this.#store.apply({ type: 'waiting', for: what });
    try {
      const answer = await request(connection);
      this.#useReadiness(answer);
      if (answer.blockers.length === 0) return await this.#clear(connection);
      // A guide that has only just come has nothing to add to itself.
      if (wasBlocked) this.#store.apply({ type: 'waited', notice: noticeAfter(what, answer) });
    } catch (error) {
      if (connection.signal.aborted) return;
      this.#store.apply({ type: 'waited', notice: 'check-failed' });
      const known = toDialerError(error, 'broker-unreachable', 'The broker failed.');
      this.#host.notify({ name: 'error', error: known });
      throw known;
    }
  }

  /** Only what the broker called an obstacle is gone when the broker says so; an agent may check the rest themselves. */
  async #lookAgain(signal: AbortSignal): Promise<boolean> {
    const connection = this.#connection;
    const { line, block, call } = this.#store.state;
    if (block.is !== 'blocked' || block.source === 'browser') return false;
    if (!connection?.hasStatus || line.is === 'failed' || block.waitingFor || isBusy(call)) return true;
    try {
      const answer = await connection.check(AbortSignal.any([connection.signal, signal]));
      if (signal.aborted || this.#store.state.block !== block) return !signal.aborted;
      if (answer.blockers.length > 0) {
        if (answer.blockers[0] !== block.reason || block.source !== 'broker') this.#useReadiness(answer);
        return true;
      }
      if (block.source !== 'broker') return true;
      this.#useReadiness(answer);
      await this.#clear(connection);
    } catch {
      // Nobody asked, so nobody is told of a broker that does not answer.
    }
    return this.#store.state.block.is === 'blocked';
  }

  /** The SDK reads its hotlines once, and a session without a token never booted it: then it takes a new connection. */
  async #clear(connection: BrokerSession): Promise<void> {
    if (connection.booted && connection.isClear) return this.#store.apply({ type: 'cleared' });
    this.#store.apply({ type: 'lost' });
    this.#open();
    await this.connect();
    const isClear = this.#connection?.isClear === true;
    this.#store.apply(isClear ? { type: 'cleared' } : { type: 'waited', notice: 'still-blocked' });
  }

  #useReadiness(readiness: Readiness): void {
    this.#store.apply({ type: 'readiness', readiness });
    const [reason] = readiness.blockers;
    if (reason !== undefined) this.block(reason, 'broker');
  }
}

function noticeAfter(what: 'check' | 'help', answer: Readiness): GuideNotice {
  return answer.notice ?? (what === 'help' ? 'help-requested' : 'still-blocked');
}
