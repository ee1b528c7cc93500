/** Asks whether the member can call: when the agent presses "Check again", while a guide is open, after a return and a call. */
import type { Readiness } from '../../broker/answers.ts';
import { toDialerError } from '../../errors.ts';
import { disconnected } from '../connection/connection.ts';
import type { Dependencies } from '../page-events.ts';
import { isLow } from '../settings.ts';
import { isBlockedBy, isNewlyBlocked, type BlockReason, type HelpNotice } from '../state/block.ts';
import { isBusy } from '../state/call.ts';
import { StatusPoller } from './status-poller.ts';

/** An agent may switch between two windows often: the broker is asked once in this time. */
const RETURN_MS = 10_000;

/** Such a result of a request for help does not say whether the member can call. */
const UNANSWERED: ReadonlySet<HelpNotice | undefined> = new Set(['help-failed', 'help-unknown'] as const);

export class MemberCheck {
  readonly #store: Dependencies['store'];
  readonly #connection: Dependencies['connection'];
  readonly #browser: Dependencies['browser'];
  readonly #events: Dependencies['events'];
  readonly #poller = new StatusPoller((signal) => this.#poll(signal));
  /** A second press while the answer is awaited gets the same answer. */
  #rechecking: Promise<void> | undefined;
  #askedOnReturnAt = -Infinity;
  /** The lowest balance known since the member became blocked. */
  #lowestBalance = Infinity;

  constructor({ store, connection, browser, events }: Dependencies) {
    this.#store = store;
    this.#connection = connection;
    this.#browser = browser;
    this.#events = events;
  }

  /** Is the member's balance below the page's limit? */
  get isLow(): boolean {
    const { settings } = this.#connection;
    return settings !== undefined && isLow(this.#store.state.member?.balance, settings);
  }

  /** The state has just become blocked, for whatever reason. */
  blocked(): void {
    this.#lowestBalance = Infinity;
    this.#poller.begin(this.#connection.life);
  }

  /** Somebody is back at the page. Money may have been added in another tab. */
  returned(): void {
    const now = performance.now();
    if (now < this.#askedOnReturnAt + RETURN_MS) return;
    this.#askedOnReturnAt = now;
    const { block, line } = this.#store.state;
    if (block.is === 'blocked' && block.source !== 'browser') this.#poller.begin(this.#connection.life, 0);
    else if (line.is === 'up' && this.isLow) void this.refresh();
  }

  /** A call costs money: the agent learns before the next call that there is none left. */
  async refresh(): Promise<void> {
    const { session, signal } = this.#connection;
    if (!session?.hasStatus) return;
    // The agent did not ask, so no error is shown. The next call or check reports it.
    const readiness = await session.fetchReadiness(signal).catch(() => undefined);
    if (readiness) this.#connection.applyReadiness(readiness);
  }

  /**
   * Asks again whether the member can call; connects if there is no connection.
   *
   * @param help the request for help that is under way: its answer also says whether the member can call
   * @throws {DialerError} `broker-…` when nobody could tell; `not-ready` when a `disconnect()` came first
   */
  async recheck(help: Promise<HelpNotice | undefined> | undefined): Promise<void> {
    if (help && !UNANSWERED.has(await help)) return;
    this.#rechecking ??= this.#recheck().finally(() => {
      this.#rechecking = undefined;
      this.#store.apply({ type: 'guide-answered', to: 'check', notice: 'check-failed' });
    });
    await this.#rechecking;
    if (this.#store.state.line.is === 'off') throw disconnected();
  }

  /** The broker has answered what the agent asked: a member who can call reads so. */
  async onAnswer(answer: Readiness | Promise<Readiness>): Promise<void> {
    const { block } = this.#store.state;
    const readiness = await answer;
    this.#connection.applyReadiness(readiness);
    // A call that has failed since the broker was asked knows better.
    const isCurrent = !isNewlyBlocked(this.#store.state.block, block);
    if (isCurrent && readiness.blockers?.length === 0) await this.#unblock();
  }

  async #recheck(): Promise<void> {
    this.#store.apply({ type: 'guide-asked', for: 'check' });
    const { block } = this.#store.state;
    if (isBlockedBy(block, 'browser')) await this.#recheckBrowser(block.reason);
    else await this.#recheckMember();
    this.#store.apply({ type: 'guide-answered', to: 'check', notice: 'still-blocked' });
  }

  async #recheckBrowser(reason: BlockReason): Promise<void> {
    if (reason === 'offline') {
      const { session, signal } = this.#connection;
      const hasFailed = this.#store.state.line.is === 'failed';
      const request = session && !hasFailed ? session.fetchReadiness(signal) : this.#connection.connect();
      // Any answer of the broker proves that the machine is online.
      await request.then(
        () => this.#browser.setOffline(false),
        () => undefined,
      );
    }
    await this.#browser.recheck();
    this.#store.apply({ type: 'guide-answered', to: 'check', notice: 'still-blocked' });
    await this.refresh();
  }

  async #recheckMember(): Promise<void> {
    // A connection that is being made asks the broker anyway.
    if (this.#store.state.line.is === 'connecting') {
      await this.#connection.connect();
      if (this.#store.state.block.is !== 'blocked') return;
    }
    const { session, signal } = this.#connection;
    if (!session || this.#store.state.line.is === 'failed') return this.#connection.connect();
    const asking = session.fetchReadiness(signal).catch((error: unknown) => {
      signal.throwIfAborted();
      const known = toDialerError(error, 'broker-unreachable', 'The broker failed.');
      this.#events.emit({ name: 'error', error: known });
      throw known;
    });
    await this.onAnswer(asking);
  }

  /** Reconnects first if the SDK lacks a token or a caller number: it reads both only when it starts. */
  async #unblock(): Promise<void> {
    const connection = this.#connection;
    if (!connection.isUsable && !isBusy(this.#store.state.call)) await connection.reopen();
    if (connection.isUsable) this.#store.apply({ type: 'cleared' });
  }

  /**
   * A reason that the broker named ends when the broker says so, a call's lack of money when the balance has risen. Every other
   * reason waits for the agent's own check.
   */
  async #poll(signal: AbortSignal): Promise<boolean> {
    const { session } = this.#connection;
    const { line, block, call } = this.#store.state;
    if (block.is !== 'blocked' || block.source === 'browser' || block.source === 'tab') return false;
    if (!session || line.is === 'failed' || block.waitingFor === 'check' || isBusy(call)) return true;
    const answer = await session.fetchReadiness(AbortSignal.any([this.#connection.signal, signal]));
    if (signal.aborted || this.#store.state.block !== block) return !signal.aborted;
    const hasMoreMoney = block.reason === 'insufficient-funds' && this.#hasMoreMoney(answer);
    const isFree = answer.blockers?.length === 0;
    this.#connection.applyReadiness(answer);
    if (isFree && (block.source === 'broker' || hasMoreMoney)) await this.#unblock();
    return this.#store.state.block.is === 'blocked';
  }

  #hasMoreMoney({ member }: Readiness): boolean {
    const known = this.#store.state.member?.balance ?? Infinity;
    this.#lowestBalance = Math.min(this.#lowestBalance, known);
    return (member?.balance ?? 0) > this.#lowestBalance;
  }
}
