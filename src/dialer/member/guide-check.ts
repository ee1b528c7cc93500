/** "Check again": asks again whether the member can call. */
import { toDialerError } from '../../errors.ts';
import type { Dependencies } from '../dependencies.ts';
import type { GuideNotice } from '../state/block.ts';
import type { HelpRequests } from './help-requests.ts';
import type { MemberCheck } from './member-check.ts';

const UNANSWERED: ReadonlySet<GuideNotice | undefined> = new Set(['help-failed', 'help-unknown'] as const);

export class GuideCheck {
  readonly #store: Dependencies['store'];
  readonly #connection: Dependencies['connection'];
  readonly #browser: Dependencies['browser'];
  readonly #events: Dependencies['events'];
  readonly #memberCheck: MemberCheck;
  readonly #help: HelpRequests;
  /** A second press while the answer is awaited gets the same answer. */
  #checking: Promise<void> | undefined;

  constructor(
    { store, connection, browser, events }: Dependencies,
    memberCheck: MemberCheck,
    help: HelpRequests,
  ) {
    this.#store = store;
    this.#connection = connection;
    this.#browser = browser;
    this.#events = events;
    this.#memberCheck = memberCheck;
    this.#help = help;
  }

  /**
   * Asks again whether the member can call; connects if there is no connection.
   *
   * @throws {DialerError} `broker-…` when nobody could tell; `not-ready` when a `disconnect()` came first
   */
  async recheck(): Promise<void> {
    // The answer to a request for help also says whether the member can call.
    const { sent } = this.#help;
    if (sent && !UNANSWERED.has(await sent)) return;
    this.#checking ??= this.#recheck().finally(() => {
      this.#checking = undefined;
      this.#settle('check-failed');
    });
    await this.#checking;
  }

  /** A button must not wait for an answer that never comes. */
  #settle(notice: GuideNotice): void {
    const { block } = this.#store.state;
    if (block.is === 'blocked' && block.waitingFor === 'check')
      this.#store.apply({ type: 'guide-answered', to: 'check', notice });
  }

  async #recheck(): Promise<void> {
    const { block } = this.#store.state;
    if (block.is !== 'blocked' || block.source !== 'browser') return this.#checkMember();
    this.#store.apply({ type: 'guide-asked', for: 'check' });
    if (block.reason === 'offline') await this.#tryNetwork();
    await this.#browser.recheck();
    this.#settle('still-blocked');
    await this.#memberCheck.refresh();
  }

  /** Any answer of the broker proves that the machine is online. */
  async #tryNetwork(): Promise<void> {
    const { session, signal } = this.#connection;
    const hasFailed = this.#store.state.line.is === 'failed';
    const request = session && !hasFailed ? session.fetchReadiness(signal) : this.#connection.connect();
    await request.then(
      () => this.#browser.reached(),
      () => undefined,
    );
  }

  /** A connection that is being made asks the broker anyway. */
  async #checkMember(): Promise<void> {
    const { session } = this.#connection;
    const { line } = this.#store.state;
    if (line.is === 'connecting' && (!session || session.token !== undefined)) {
      await this.#connection.connect();
      if (this.#store.state.block.is !== 'blocked') return;
    }
    await this.#askBroker();
  }

  async #askBroker(): Promise<void> {
    const { session, signal } = this.#connection;
    const { line, block } = this.#store.state;
    if (!session || line.is === 'failed') return this.#connection.connect();
    this.#store.apply({ type: 'guide-asked', for: 'check' });
    const answer = await session.fetchReadiness(signal).catch((error: unknown) => {
      signal.throwIfAborted();
      this.#settle('check-failed');
      const known = toDialerError(error, 'broker-unreachable', 'The broker failed.');
      this.#events.emit({ name: 'error', error: known });
      throw known;
    });
    this.#connection.applyReadiness(answer);
    if (answer.blockers?.length === 0) return this.#memberCheck.unblock('check');
    // The answer is about the guide that was there when the agent asked; a guide that has just come shows no notice.
    const { block: now } = this.#store.state;
    if (block.is !== 'blocked' || now.is !== 'blocked' || now.reason !== block.reason) return;
    this.#store.apply({ type: 'guide-answered', to: 'check', notice: 'still-blocked' });
  }
}
