/** Asks the broker by itself whether the member can call: while a guide is open, when the agent returns, after a call. */
import type { Readiness } from '../../broker/answers.ts';
import type { Dependencies } from '../dependencies.ts';
import { isLow } from '../settings.ts';
import { isBusy } from '../state/call.ts';
import { StatusPoller } from './status-poller.ts';

/** An agent may switch between two windows often: the broker is asked once in this time. */
const RETURN_MS = 10_000;

export class MemberCheck {
  readonly #store: Dependencies['store'];
  readonly #connection: Dependencies['connection'];
  readonly #poller = new StatusPoller((signal) => this.#poll(signal));
  #askedOnReturnAt = -Infinity;
  /** The lowest balance known since the member became blocked. */
  #lowestBalance = Infinity;

  constructor({ store, connection }: Dependencies) {
    this.#store = store;
    this.#connection = connection;
  }

  /** Is the member's balance below the page's limit? */
  get isLow(): boolean {
    const { settings } = this.#connection;
    return settings !== undefined && isLow(this.#store.state.member?.balance, settings.lowBalance);
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
    try {
      this.#connection.applyReadiness(await session.fetchReadiness(signal));
    } catch {
      // The agent did not ask, so no error is shown. The next call or check reports it.
    }
  }

  /**
   * Asks the broker why a call failed for which the SDK gave no reason. The answer is not shown.
   *
   * @param timeout milliseconds
   */
  async blockerOfCall(timeout: number): Promise<'insufficient-funds' | 'no-hotline' | undefined> {
    const { session, signal } = this.#connection;
    if (!session?.hasStatus) return undefined;
    const end = AbortSignal.any([signal, AbortSignal.timeout(timeout)]);
    const readiness = await session.fetchReadiness(end).catch(() => undefined);
    return (['insufficient-funds', 'no-hotline'] as const).find((code) =>
      readiness?.blockers?.includes(code),
    );
  }

  /** The broker has answered what the agent asked: a member who can call reads so. */
  async onAnswer(readiness: Readiness, to: 'check' | 'help'): Promise<void> {
    this.#connection.applyReadiness(readiness);
    if (readiness.blockers?.length === 0) await this.#unblock(to);
  }

  /** Reconnects first if the SDK lacks a token or a caller number: it reads both only when it starts. */
  async #unblock(what: 'check' | 'help'): Promise<void> {
    const connection = this.#connection;
    if (!connection.isUsable && !isBusy(this.#store.state.call)) await connection.reopen();
    if (connection.isUsable) return this.#store.apply({ type: 'cleared' });
    this.#store.apply({ type: 'guide-answered', to: what, notice: 'still-blocked' });
  }

  /**
   * A reason that the broker named ends when the broker says so, a call's lack of money when the balance has risen. Every other
   * reason waits for the agent's own check.
   *
   * @returns whether there is still something to wait for
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
    if (isFree && (block.source === 'broker' || hasMoreMoney)) await this.#unblock('check');
    return this.#store.state.block.is === 'blocked';
  }

  #hasMoreMoney({ member }: Readiness): boolean {
    const known = this.#store.state.member?.balance ?? Infinity;
    this.#lowestBalance = Math.min(this.#lowestBalance, known);
    return (member?.balance ?? 0) > this.#lowestBalance;
  }
}
