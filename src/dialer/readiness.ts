/** Why the member cannot call, who is asked about it, and when it has passed. */
import type { Readiness } from '../broker/answer.ts';
import { DialerError, toDialerError } from '../errors.ts';
import type { GuideNotice } from './state/block.ts';
import type { BrowserCheck } from './browser-check.ts';
import { isBusy } from './state/call.ts';
import type { Connection } from './connection.ts';
import { isLow, type DialerHost } from './host.ts';
import type { BrokerSession } from './session.ts';
import { StatusPoller } from './status-poller.ts';
import type { DialerStore } from './store.ts';

/** Whoever goes to and fro between two windows is not a reason to ask each time. */
const RETURN_MS = 10_000;

export type HelpKind = 'topUp' | 'hotline';

export class MemberReadiness {
  readonly browser: BrowserCheck;
  readonly #host: DialerHost;
  readonly #store: DialerStore;
  readonly #connection: Connection;
  readonly #poller = new StatusPoller((signal) => this.#poll(signal));
  #askedOnReturnAt = -Infinity;
  /** One press, one request: a second press while the answer is awaited gets the same answer. */
  #request: Promise<GuideNotice | undefined> | undefined;

  constructor(host: DialerHost, store: DialerStore, connection: Connection, browser: BrowserCheck) {
    this.#host = host;
    this.#store = store;
    this.#connection = connection;
    this.browser = browser;
  }

  /** The state has just become blocked, for whatever reason. */
  blocked(): void {
    this.#poller.begin();
  }

  /** Money may have been added in another tab meanwhile. */
  returned(): void {
    const now = Date.now();
    if (now < this.#askedOnReturnAt + RETURN_MS) return;
    this.#askedOnReturnAt = now;
    const { block, member, line } = this.#store.state;
    if (block.is === 'blocked' && block.source !== 'browser') this.#poller.begin(0);
    else if (line.is === 'up' && isLow(member?.balance, this.#host.preferences().lowBalance))
      void this.refresh();
  }

  close(): void {
    this.#poller.end();
  }

  /**
   * Asks again whether the member can call; connects where there is no connection.
   *
   * @throws {DialerError} `broker-…` when nobody could tell; `not-ready` when a `disconnect()` came first
   */
  async recheck(): Promise<void> {
    await this.#once(() => this.#recheck());
  }

  /**
   * Asks the broker for what is missing; the page may take that over.
   *
   * @returns what came of it, for who is not blocked yet; a guide shows it by itself
   * @throws {DialerError} `broker-…` when the request did not get through
   */
  requestHelp(kind: HelpKind): Promise<GuideNotice | undefined> {
    return this.#once(() => this.#requestHelp(kind));
  }

  /**
   * Brings the phone into this tab.
   *
   * @throws {DialerError} `active-elsewhere` when the other tab has a call, or does not let go
   */
  async takeOver(): Promise<void> {
    this.#store.apply({ type: 'waiting', for: 'phone' });
    if (await this.#connection.take()) return;
    const { block } = this.#store.state;
    const isCall = block.is === 'blocked' && block.elsewhere !== undefined && block.elsewhere.is !== 'idle';
    this.#store.apply({ type: 'waited', notice: isCall ? 'call-elsewhere' : 'not-moved' });
    throw new DialerError('active-elsewhere', 'The phone stays in another tab.');
  }

  /** A call costs money: the agent learns before the next one, not by it, that there is none left. */
  async refresh(): Promise<void> {
    const { session } = this.#connection;
    if (!session?.hasStatus) return;
    try {
      this.#connection.learn(await session.check());
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

  #once(work: () => Promise<GuideNotice | undefined>): Promise<GuideNotice | undefined> {
    this.#request ??= work().finally(() => {
      this.#request = undefined;
      // Whatever has come between, no button may wait for an answer that is not coming.
      const { block } = this.#store.state;
      if (block.is === 'blocked' && block.waitingFor)
        this.#store.apply({
          type: 'waited',
          notice: block.waitingFor === 'help' ? 'help-failed' : 'check-failed',
        });
    });
    return this.#request;
  }

  async #recheck(): Promise<undefined> {
    const { block } = this.#store.state;
    if (block.is !== 'blocked' || block.source !== 'browser') return void (await this.#check());
    this.#store.apply({ type: 'waiting', for: 'check' });
    if (block.reason === 'offline') await this.#reachOut();
    await this.browser.lookAgain();
    const { block: found } = this.#store.state;
    if (found.is === 'blocked' && found.waitingFor)
      this.#store.apply({ type: 'waited', notice: 'still-blocked' });
    await this.refresh();
  }

  /** Is the machine really offline? Nothing else can be said of a broker that cannot be asked. */
  async #reachOut(): Promise<void> {
    const { session } = this.#connection;
    const hasFailed = this.#store.state.line.is === 'failed';
    const answering = session && !hasFailed ? session.check() : this.#connection.connect();
    await answering.then(
      () => this.browser.reached(),
      () => undefined,
    );
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

  async #requestHelp(kind: HelpKind): Promise<GuideNotice | undefined> {
    const mayAsk = this.#host.notify({ name: kind === 'topUp' ? 'topuprequest' : 'hotlinerequest' });
    const { session } = this.#connection;
    if (mayAsk && session?.canAskFor(kind)) {
      if (this.#store.state.block.is !== 'blocked') return this.#askInTime(kind, session);
      await this.#ask('help', (asked) => asked.askFor(kind));
      return undefined;
    }
    // Somebody outside was or has to be asked; "check again" will tell what came of it.
    const notice = mayAsk ? 'ask-admin' : 'help-requested';
    this.#store.apply({ type: 'waited', notice });
    return notice;
  }

  /** Before the money is used up: a request that is refused keeps nobody from calling with what is left. */
  async #askInTime(kind: HelpKind, session: BrokerSession): Promise<GuideNotice | undefined> {
    const answer = await this.#answerOf(session, 'help', (asked) => asked.askFor(kind));
    if (answer.notice) return answer.notice;
    this.#connection.learn(answer);
    const { lowBalance } = this.#host.preferences();
    return isLow(this.#store.state.member?.balance, lowBalance) ? 'help-requested' : undefined;
  }

  async #ask(what: 'check' | 'help', request: (session: BrokerSession) => Promise<Readiness>): Promise<void> {
    const { session } = this.#connection;
    const { line, block } = this.#store.state;
    if (!session || line.is === 'failed') return this.#connection.connect();
    this.#store.apply({ type: 'waiting', for: what });
    const answer = await this.#answerOf(session, what, request);
    this.#connection.learn(answer);
    if (answer.blockers.length === 0) return this.#clear(session);
    // A guide that has only just come has nothing to add to itself: what was asked for was about another one.
    const { block: left } = this.#store.state;
    if (block.is === 'blocked' && left.is === 'blocked' && left.reason === block.reason)
      this.#store.apply({ type: 'waited', notice: noticeAfter(what, answer) });
  }

  async #answerOf(
    session: BrokerSession,
    what: 'check' | 'help',
    request: (session: BrokerSession) => Promise<Readiness>,
  ): Promise<Readiness> {
    try {
      return await request(session);
    } catch (error) {
      if (session.signal.aborted) {
        throw new DialerError('not-ready', 'The dialer was disconnected meanwhile.', { cause: error });
      }
      this.#store.apply({ type: 'waited', notice: `${what}-failed` });
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
    if (block.is !== 'blocked' || block.source === 'browser' || block.source === 'tab') return false;
    if (!session?.hasStatus || line.is === 'failed' || block.waitingFor || isBusy(call)) return true;
    const answer = await session.check(AbortSignal.any([session.signal, signal]));
    if (signal.aborted || this.#store.state.block !== block) return !signal.aborted;
    const [reason] = answer.blockers;
    if (reason === undefined && block.source !== 'broker') return true;
    this.#connection.learn(answer);
    if (reason === undefined) await this.#clear(session);
    return this.#store.state.block.is === 'blocked';
  }
}

function noticeAfter(what: 'check' | 'help', answer: Readiness): GuideNotice {
  return answer.notice ?? (what === 'help' ? 'help-requested' : 'still-blocked');
}
