/** The requests of a guide's buttons: a new check, a top-up, a caller number. */
import type { Readiness } from '../../broker/answers.ts';
import type { HelpKind } from '../../broker/contract.ts';
import type { BrokerSession } from '../../broker/session.ts';
import { toDialerError } from '../../errors.ts';
import { warnOnce } from '../../page/console.ts';
import type { Dependencies } from '../dependencies.ts';
import type { MemberCheck } from './member-check.ts';
import { HELP_NOTICES, type GuideNotice, type HelpNotice } from '../state/block.ts';
import { presentOwner } from '../state/state.ts';

/** What the page is told. */
const REQUESTS = { topUp: 'topuprequest', hotline: 'hotlinerequest' } as const satisfies Record<
  HelpKind,
  string
>;

export class GuideRequests {
  readonly #store: Dependencies['store'];
  readonly #connection: Dependencies['connection'];
  readonly #browser: Dependencies['browser'];
  readonly #events: Dependencies['events'];
  readonly #memberCheck: MemberCheck;
  /** A second press while the answer is awaited gets the same answer. */
  #checking: Promise<void> | undefined;
  #helpRequest: Promise<GuideNotice | undefined> | undefined;

  constructor({ store, connection, browser, events }: Dependencies, memberCheck: MemberCheck) {
    this.#store = store;
    this.#connection = connection;
    this.#browser = browser;
    this.#events = events;
    this.#memberCheck = memberCheck;
  }

  /**
   * Asks again whether the member can call; connects if there is no connection.
   *
   * @throws {DialerError} `broker-…` when nobody could tell; `not-ready` when a `disconnect()` came first
   */
  async recheck(): Promise<void> {
    // The answer to a request for help also says whether the member can call.
    if (this.#helpRequest) return void (await this.#helpRequest);
    this.#checking ??= this.#recheck().finally(() => {
      this.#checking = undefined;
      this.#settle('check', 'check-failed');
    });
    await this.#checking;
  }

  /**
   * Asks the broker for what is missing; the page may take that over.
   *
   * @returns the result, for a member who can still call; a guide shows it by itself
   * @throws {DialerError} `broker-…` when the request did not get through
   */
  requestHelp(kind: HelpKind): Promise<GuideNotice | undefined> {
    this.#helpRequest ??= this.#requestHelp(kind).finally(() => {
      this.#helpRequest = undefined;
      this.#settle('help', 'help-failed');
    });
    return this.#helpRequest;
  }

  /** A button must not wait for an answer that never comes. */
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
    await this.#browser.recheck();
    this.#settle('check', 'still-blocked');
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
    if (this.#store.state.line.is === 'connecting' && (!session || session.token !== undefined)) {
      await this.#connection.connect();
      if (this.#store.state.block.is !== 'blocked') return;
    }
    await this.#askFromGuide('check', (asked, signal) => asked.fetchReadiness(signal));
  }

  async #requestHelp(kind: HelpKind): Promise<GuideNotice | undefined> {
    const page = this.#tellPage(kind);
    if (!page.isOurs) return page.notice;
    const { session } = this.#connection;
    if (!session?.has(kind)) {
      // The agent has to ask an admin; "check again" shows the result.
      this.#store.apply({ type: 'guide-answered', to: 'help', notice: 'ask-admin' });
      return 'ask-admin';
    }
    if (this.#store.state.block.is !== 'blocked') return this.#requestHelpEarly(session, kind);
    await this.#askFromGuide('help', (asked, signal) => asked.requestHelp(kind, signal));
    return undefined;
  }

  /** A page that handles the request reports the result now, later or never. */
  #tellPage(kind: HelpKind): { isOurs: boolean; notice: HelpNotice | undefined } {
    let notice: HelpNotice | undefined;
    const owner = presentOwner(this.#store.state);
    const done = (given: HelpNotice = 'help-requested') => {
      const answer = toHelpNotice(given);
      notice = answer;
      // No state moves while the page's listeners run.
      queueMicrotask(() => {
        if (presentOwner(this.#store.state) !== owner) return;
        if (this.#store.state.block.is === 'blocked')
          this.#store.apply({ type: 'guide-answered', to: 'help', notice: answer });
        else if (kind === 'topUp') this.#events.report({ is: 'top-up-answered', notice: answer });
      });
    };
    const isOurs = this.#events.emit({ name: REQUESTS[kind], done });
    return { isOurs, notice };
  }

  /** There is still money: if the request is refused, the member can go on calling. */
  async #requestHelpEarly(session: BrokerSession, kind: HelpKind): Promise<GuideNotice | undefined> {
    const answer = await this.#send('help', (signal) => session.requestHelp(kind, signal));
    if (answer.notice) return answer.notice;
    this.#connection.applyReadiness(answer);
    return this.#memberCheck.isLow ? 'help-requested' : undefined;
  }

  async #askFromGuide(
    what: 'check' | 'help',
    request: (session: BrokerSession, signal: AbortSignal) => Promise<Readiness>,
  ): Promise<void> {
    const { session } = this.#connection;
    const { line, block } = this.#store.state;
    // A request for help needs only the session and its link.
    if (!session || (what === 'check' && line.is === 'failed')) return this.#connection.connect();
    this.#store.apply({ type: 'guide-asked', for: what });
    const answer = await this.#send(what, (signal) => request(session, signal));
    this.#connection.applyReadiness(answer);
    if (answer.blockers?.length === 0) return this.#memberCheck.unblock(what);
    // The answer is about the guide that was there when the agent asked; a guide that has just come shows no notice.
    const { block: now } = this.#store.state;
    if (block.is !== 'blocked' || now.is !== 'blocked' || now.reason !== block.reason) return;
    const notice = answer.notice ?? (what === 'help' ? 'help-requested' : 'still-blocked');
    this.#store.apply({ type: 'guide-answered', to: what, notice });
  }

  async #send(
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
      this.#events.emit({ name: 'error', error: known });
      throw known;
    }
  }
}

/** A page may pass anything, also the event of a click. */
function toHelpNotice(given: HelpNotice): HelpNotice {
  if (HELP_NOTICES.includes(given)) return given;
  warnOnce('The notice of done()', `is not one of ${HELP_NOTICES.join(', ')}`);
  return 'help-requested';
}
