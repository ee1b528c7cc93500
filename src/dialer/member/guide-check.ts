/** "Check again": asks again whether the member can call. */
import { toDialerError } from '../../errors.ts';
import type { Dependencies } from '../dependencies.ts';
import type { BlockReason, GuideNotice } from '../state/block.ts';
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
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined;
      this.#settle('check-failed');
    });
    await this.#checking;
  }

  /** Only the guide that asked waits: a guide that has come since shows no notice. */
  #settle(notice: GuideNotice): void {
    const { block } = this.#store.state;
    if (block.is === 'blocked' && block.waitingFor === 'check')
      this.#store.apply({ type: 'guide-answered', to: 'check', notice });
  }

  async #check(): Promise<void> {
    this.#store.apply({ type: 'guide-asked', for: 'check' });
    const { block } = this.#store.state;
    if (block.is === 'blocked' && block.source === 'browser') await this.#checkBrowser(block.reason);
    else await this.#checkMember();
    this.#settle('still-blocked');
  }

  async #checkBrowser(reason: BlockReason): Promise<void> {
    if (reason === 'offline') await this.#tryNetwork();
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

  async #checkMember(): Promise<void> {
    const { session: before } = this.#connection;
    // A connection that is being made asks the broker anyway.
    if (this.#store.state.line.is === 'connecting' && (!before || before.token !== undefined)) {
      await this.#connection.connect();
      if (this.#store.state.block.is !== 'blocked') return;
    }
    const { session, signal } = this.#connection;
    if (!session || this.#store.state.line.is === 'failed') return this.#connection.connect();
    const answer = await session.fetchReadiness(signal).catch((error: unknown) => {
      signal.throwIfAborted();
      const known = toDialerError(error, 'broker-unreachable', 'The broker failed.');
      this.#events.emit({ name: 'error', error: known });
      throw known;
    });
    await this.#memberCheck.onAnswer(answer, 'check');
  }
}
