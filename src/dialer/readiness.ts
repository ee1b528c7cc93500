/** Why the member cannot call, who is asked about it, and when it has passed. */
import type { Readiness } from '../broker/parse-answer.ts';
import { DialerError, toDialerError } from '../errors.ts';
import { checkMicrophone } from '../page/microphone.ts';
import type { GuideNotice } from './block-state.ts';
import { isBusy } from './call-state.ts';
import type { Connection } from './connection.ts';
import type { DialerHost } from './host.ts';
import type { BrokerSession } from './session.ts';
import { StatusPoller } from './status-poller.ts';
import type { DialerStore } from './store.ts';

export type HelpKind = 'topUp' | 'hotline';

export class MemberReadiness {
  readonly #host: DialerHost;
  readonly #store: DialerStore;
  readonly #connection: Connection;
  readonly #poller = new StatusPoller((signal) => this.#poll(signal));
  /** One press, one request: a second press while the answer is awaited gets the same answer. */
  #request: Promise<void> | undefined;

  constructor(host: DialerHost, store: DialerStore, connection: Connection) {
    this.#host = host;
    this.#store = store;
    this.#connection = connection;
  }

  /** The state has just become blocked, for whatever reason. */
  blocked(): void {
    this.#poller.begin();
  }

  close(): void {
    this.#poller.end();
  }

  /** What the broker has just said of the member. */
  use(readiness: Readiness): void {
    const isUsable = this.#connection.session?.sdkHotlines?.length !== 0;
    this.#store.apply({ type: 'readiness', readiness, isUsable });
  }

  /**
   * Asks again whether the member can call; connects where there is no connection.
   *
   * @throws {DialerError} `broker-…` when nobody could tell; `not-ready` when a `disconnect()` came first
   */
  recheck(): Promise<void> {
    return this.#once(() => this.#recheck());
  }

  /**
   * Asks the broker for what is missing; the page may take that over.
   *
   * @throws {DialerError} `broker-…` when the request did not get through
   */
  requestHelp(kind: HelpKind): Promise<void> {
    return this.#once(() => this.#requestHelp(kind));
  }

  /** A call costs money: the agent learns before the next one, not by it, that there is none left. */
  async refresh(): Promise<void> {
    const { session } = this.#connection;
    if (!session?.hasStatus) return;
    try {
      this.use(await session.check());
    } catch {
      // Nobody asked, so nobody is told; the next call or check will.
    }
  }

  /**
   * What the broker says of a call that failed without a reason. Nobody is shown the answer.
   *
   * @param timeout milliseconds
   */
  async blockerOfCall(timeout: number): Promise<'insufficient-funds' | 'no-hotline' | undefined> {
    const { session } = this.#connection;
    if (!session?.hasStatus) return undefined;
    const signal = AbortSignal.any([session.signal, AbortSignal.timeout(timeout)]);
    const readiness = await session.check(signal).catch(() => undefined);
    return (['insufficient-funds', 'no-hotline'] as const).find((code) => readiness?.blockers.includes(code));
  }

  #once(work: () => Promise<void>): Promise<void> {
    this.#request ??= work().finally(() => {
      this.#request = undefined;
      // Whatever has come between, no button may wait for an answer that is not coming.
      const { block } = this.#store.state;
      if (block.is === 'blocked' && block.waitingFor)
        this.#store.apply({ type: 'waited', notice: 'check-failed' });
    });
    return this.#request;
  }

  async #recheck(): Promise<void> {
    const { block } = this.#store.state;
    if (block.is !== 'blocked' || block.source !== 'browser') return this.#check();
    this.#store.apply({ type: 'waiting', for: 'check' });
    const isFree = await checkMicrophone().then(
      () => true,
      () => false,
    );
    this.#store.apply(isFree ? { type: 'cleared' } : { type: 'waited', notice: 'still-blocked' });
  }

  /** A connection that is being made asks the broker anyway. */
  async #check(): Promise<void> {
    const { session } = this.#connection;
    if (this.#store.state.line.is === 'connecting' && !session?.isTokenless) {
      await this.#connection.connect();
      if (this.#store.state.block.is !== 'blocked') return;
    }
    await this.#ask('check', (answering) => answering.check());
  }

  async #requestHelp(kind: HelpKind): Promise<void> {
    const mayAsk = this.#host.notify({ name: kind === 'topUp' ? 'topuprequest' : 'hotlinerequest' });
    if (mayAsk && this.#connection.session?.canAskFor(kind)) {
      return this.#ask('help', (session) => session.askFor(kind));
    }
    // Somebody outside was or has to be asked; "check again" will tell what came of it.
    this.#store.apply({ type: 'waited', notice: mayAsk ? 'ask-admin' : 'help-requested' });
  }

  async #ask(what: 'check' | 'help', request: (session: BrokerSession) => Promise<Readiness>): Promise<void> {
    const { session } = this.#connection;
    const { line, block } = this.#store.state;
    if (!session || line.is === 'failed') return this.#connection.connect();
    this.#store.apply({ type: 'waiting', for: what });
    const answer = await this.#answerOf(session, request);
    this.use(answer);
    if (answer.blockers.length === 0) return this.#clear(session);
    // A guide that has only just come has nothing to add to itself.
    if (block.is === 'blocked') this.#store.apply({ type: 'waited', notice: noticeAfter(what, answer) });
  }

  async #answerOf(
    session: BrokerSession,
    request: (session: BrokerSession) => Promise<Readiness>,
  ): Promise<Readiness> {
    try {
      return await request(session);
    } catch (error) {
      if (session.signal.aborted) {
        throw new DialerError('not-ready', 'The dialer was disconnected meanwhile.', { cause: error });
      }
      this.#store.apply({ type: 'waited', notice: 'check-failed' });
      const known = toDialerError(error, 'broker-unreachable', 'The broker failed.');
      this.#host.notify({ name: 'error', error: known });
      throw known;
    }
  }

  /** The SDK reads its hotlines once, and without a token it was never booted: then it takes a new connection. */
  async #clear(session: BrokerSession): Promise<void> {
    if (session.isUsable) return this.#store.apply({ type: 'cleared' });
    if (isBusy(this.#store.state.call)) return this.#store.apply({ type: 'waited', notice: 'still-blocked' });
    await this.#connection.reopen();
    if (this.#connection.session?.isUsable) return this.#store.apply({ type: 'cleared' });
    this.#store.apply({ type: 'waited', notice: 'still-blocked' });
  }

  /**
   * Only what the broker named is over when the broker says so; the rest is left to the agent's own check.
   *
   * @returns whether there is still something to wait for
   */
  async #poll(signal: AbortSignal): Promise<boolean> {
    const { session } = this.#connection;
    const { line, block, call } = this.#store.state;
    if (block.is !== 'blocked' || block.source === 'browser') return false;
    if (!session?.hasStatus || line.is === 'failed' || block.waitingFor || isBusy(call)) return true;
    const answer = await session.check(AbortSignal.any([session.signal, signal]));
    if (signal.aborted || this.#store.state.block !== block) return !signal.aborted;
    const [reason] = answer.blockers;
    if (reason === undefined && block.source !== 'broker') return true;
    this.use(answer);
    if (reason === undefined) await this.#clear(session);
    return this.#store.state.block.is === 'blocked';
  }
}

function noticeAfter(what: 'check' | 'help', answer: Readiness): GuideNotice {
  return answer.notice ?? (what === 'help' ? 'help-requested' : 'still-blocked');
}
