/** Asks the broker whether the member can call: for the agent, for a guide that is open, and after a call. */
import type { Readiness } from '../broker/answers.ts';
import { toDialerError } from '../errors.ts';
import type { BrowserCheck } from './browser-check.ts';
import type { Connection } from './connection.ts';
import type { DialerNotification } from './notifications.ts';
import type { BrokerSession } from './session.ts';
import { isLow } from './settings.ts';
import type { GuideNotice, HelpNotice } from './state/block.ts';
import { isBusy } from './state/call.ts';
import { StatusPoller } from './status-poller.ts';
import type { DialerStore } from './store.ts';

/** An agent who switches to and fro between two windows is not a reason to ask each time. */
const RETURN_MS = 10_000;

export type HelpKind = 'topUp' | 'hotline';

export class MemberCheck {
  readonly #store: DialerStore;
  readonly #connection: Connection;
  readonly #browser: BrowserCheck;
  readonly #notify: (notification: DialerNotification) => boolean;
  readonly #poller = new StatusPoller((signal) => this.#poll(signal));
  #askedOnReturnAt = -Infinity;
  /** A second press while the answer is awaited gets the same answer. */
  #checking: Promise<void> | undefined;
  #asking: Promise<GuideNotice | undefined> | undefined;

  constructor(
    store: DialerStore,
    connection: Connection,
    browser: BrowserCheck,
    notify: (notification: DialerNotification) => boolean,
  ) {
    this.#store = store;
    this.#connection = connection;
    this.#browser = browser;
    this.#notify = notify;
  }

  /** The state has just become blocked, for whatever reason. */
  blocked(): void {
    this.#poller.begin(this.#connection.life);
  }

  /** Money may have been added in another tab meanwhile. */
  returned(): void {
    const now = Date.now();
    if (now < this.#askedOnReturnAt + RETURN_MS) return;
    this.#askedOnReturnAt = now;
    const { block, line } = this.#store.state;
    if (block.is === 'blocked' && block.source !== 'browser') this.#poller.begin(this.#connection.life, 0);
    else if (line.is === 'up' && this.#isLow) void this.refresh();
  }

  /**
   * Asks again whether the member can call; connects where there is no connection.
   *
   * @throws {DialerError} `broker-…` when nobody could tell; `not-ready` when a `disconnect()` came first
   */
  async recheck(): Promise<void> {
    // The answer to a request for help tells that, too.
    if (this.#asking) return void (await this.#asking);
    this.#checking ??= this.#recheck().finally(() => {
      this.#checking = undefined;
      this.#settle('check', 'check-failed');
    });
    await this.#checking;
  }

  /**
   * Asks the broker for what is missing; the page may take that over.
   *
   * @returns what came of it, for a member who can still call; a guide shows it by itself
   * @throws {DialerError} `broker-…` when the request did not get through
   */
  requestHelp(kind: HelpKind): Promise<GuideNotice | undefined> {
    this.#asking ??= this.#requestHelp(kind).finally(() => {
      this.#asking = undefined;
      this.#settle('help', 'help-failed');
    });
    return this.#asking;
  }

  /** A call costs money: the agent learns before the next one, not by it, that there is none left. */
  async refresh(): Promise<void> {
    const { session, signal } = this.#connection;
    if (!session?.hasStatus) return;
    try {
      this.#connection.applyReadiness(await session.check(signal));
    } catch {
      // Nobody asked, so nobody is told; the next call or check tells.
    }
  }

  /**
   * What the broker has against the member after a call that failed without a reason. The answer is not shown.
   *
   * @param timeout milliseconds
   */
  async blockerOfCall(timeout: number): Promise<'insufficient-funds' | 'no-hotline' | undefined> {
    const { session, signal } = this.#connection;
    if (!session?.hasStatus) return undefined;
    const end = AbortSignal.any([signal, AbortSignal.timeout(timeout)]);
    const readiness = await session.check(end).catch(() => undefined);
    return (['insufficient-funds', 'no-hotline'] as const).find((code) => readiness?.blockers.includes(code));
  }

  get #isLow(): boolean {
    const { settings } = this.#connection;
    return settings !== undefined && isLow(this.#store.state.member?.balance, settings.lowBalance);
  }

  /** Whatever has come between: no button waits for an answer that is not coming. */
  #settle(to: 'check' | 'help', notice: GuideNotice): void {
    const { block } = this.#store.state;
    if (block.is === 'blocked' && block.waitingFor === to)
      this.#store.apply({ type: 'guide-answered', to, notice });
  }

  async #recheck(): Promise<void> {
    const { block } = this.#store.state;
    if (block.is !== 'blocked' || block.source !== 'browser') return this.#checkMember();
    this.#store.apply({ type: 'guide-asked', for: 'check' });
    if (block.reason === 'offline') await this.#tryNetwork();
    await this.#browser.lookAgain();
    this.#settle('check', 'still-blocked');
    await this.refresh();
  }

  /** Is the machine really offline? Nothing else can be said of a broker that cannot be asked. */
  async #tryNetwork(): Promise<void> {
    const { session, signal } = this.#connection;
    const hasFailed = this.#store.state.line.is === 'failed';
    const answering = session && !hasFailed ? session.check(signal) : this.#connection.connect();
    await answering.then(
      () => this.#browser.reached(),
      () => undefined,
    );
  }

  /** A connection that is being made asks the broker anyway. */
  async #checkMember(): Promise<void> {
    const { session } = this.#connection;
    if (this.#store.state.line.is === 'connecting' && (!session || session.token !== undefined)) {
      await this.#connection.connect();
      if (this.#store.state.block.is !== 'blocked') return;
    }
    await this.#ask('check', (asked, signal) => asked.check(signal));
  }

  async #requestHelp(kind: HelpKind): Promise<GuideNotice | undefined> {
    const page = this.#tellPage(kind);
    if (!page.isOurs) return page.notice;
    const { session } = this.#connection;
    if (!session?.broker.has(kind)) {
      // Somebody has to be asked; "check again" will tell what came of it.
      this.#store.apply({ type: 'guide-answered', to: 'help', notice: 'ask-admin' });
      return 'ask-admin';
    }
    if (this.#store.state.block.is !== 'blocked') return this.#askInTime(session, kind);
    await this.#ask('help', (asked, signal) => asked.askFor(kind, signal));
    return undefined;
  }

  /** A page that handles the request says what came of it, now, later or never. */
  #tellPage(kind: HelpKind): { isOurs: boolean; notice: HelpNotice | undefined } {
    let notice: HelpNotice | undefined;
    const done = (answer: HelpNotice = 'help-requested') => {
      notice = answer;
      // No state moves while the page's listeners run.
      queueMicrotask(() => this.#store.apply({ type: 'guide-answered', to: 'help', notice: answer }));
    };
    const name = kind === 'topUp' ? 'topuprequest' : 'hotlinerequest';
    const isOurs = this.#notify({ name, done });
    return { isOurs, notice };
  }

  /** Before the money is used up: a request that is refused keeps nobody from calling with what is left. */
  async #askInTime(session: BrokerSession, kind: HelpKind): Promise<GuideNotice | undefined> {
    const answer = await this.#answerOf('help', (signal) => session.askFor(kind, signal));
    if (answer.notice) return answer.notice;
    this.#connection.applyReadiness(answer);
    return this.#isLow ? 'help-requested' : undefined;
  }

  async #ask(
    what: 'check' | 'help',
    request: (session: BrokerSession, signal: AbortSignal) => Promise<Readiness>,
  ): Promise<void> {
    const { session } = this.#connection;
    const { line, block } = this.#store.state;
    if (!session || line.is === 'failed') return this.#connection.connect();
    this.#store.apply({ type: 'guide-asked', for: what });
    const answer = await this.#answerOf(what, (signal) => request(session, signal));
    this.#connection.applyReadiness(answer);
    if (answer.blockers.length === 0) return this.#clear(what);
    // The answer is about the guide that was there when the agent asked; a guide that has just come shows no notice.
    const { block: now } = this.#store.state;
    if (block.is !== 'blocked' || now.is !== 'blocked' || now.reason !== block.reason) return;
    const notice = answer.notice ?? (what === 'help' ? 'help-requested' : 'still-blocked');
    this.#store.apply({ type: 'guide-answered', to: what, notice });
  }

  async #answerOf(
    what: 'check' | 'help',
    request: (signal: AbortSignal) => Promise<Readiness>,
  ): Promise<Readiness> {
    const { signal } = this.#connection;
    try {
      return await request(signal);
    } catch (error) {
      signal.throwIfAborted();
      this.#store.apply({ type: 'guide-answered', to: what, notice: `${what}-failed` });
      const known = toDialerError(error, 'broker-unreachable', 'The broker failed.');
      this.#notify({ name: 'error', error: known });
      throw known;
    }
  }

  /** The SDK reads its hotlines once, and without a token it was never started: then a new connection is needed. */
  async #clear(what: 'check' | 'help'): Promise<void> {
    const connection = this.#connection;
    if (!connection.isUsable && !isBusy(this.#store.state.call)) await connection.reopen();
    if (connection.isUsable) return this.#store.apply({ type: 'cleared' });
    this.#store.apply({ type: 'guide-answered', to: what, notice: 'still-blocked' });
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
    const answer = await session.check(AbortSignal.any([this.#connection.signal, signal]));
    if (signal.aborted || this.#store.state.block !== block) return !signal.aborted;
    const [reason] = answer.blockers;
    if (reason === undefined && block.source !== 'broker') return true;
    this.#connection.applyReadiness(answer);
    if (reason === undefined) await this.#clear('check');
    return this.#store.state.block.is === 'blocked';
  }
}
