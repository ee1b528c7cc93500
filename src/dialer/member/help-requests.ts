/** Requests for help: a top-up or a caller number. The page may handle them; otherwise, the broker does. */
import type { HelpAnswer } from '../../broker/answers.ts';
import type { HelpKind } from '../../broker/contract.ts';
import type { BrokerSession } from '../../broker/session.ts';
import { toDialerError } from '../../errors.ts';
import { warnOnce } from '../../page/console.ts';
import { childOf, orAbort, pause, within } from '../../wait.ts';
import type { Dependencies } from '../page-events.ts';
import type { MemberCheck } from './member-check.ts';
import { HELP, HELP_NOTICES, type Block, type HelpNotice } from '../state/block.ts';
import { isOtherOwner, presentOwner, type DialerState } from '../state/state.ts';

/** What the page is told. */
const EVENTS = { topUp: 'topuprequest', hotline: 'hotlinerequest' } as const;

/** How long the agent waits for the broker's answer. The request itself goes on. */
const ANSWER_MS = 10_000;
/** How long the agent waits for a page that handles the request. */
const PAGE_MS = 30_000;

/**
 * A member's request, until its result is known. It may have moved money, so it is never sent twice at a time, and not again
 * before the broker has said that it is still needed.
 *
 *     idle ──send──▶ sent ──answered, refused, not sent──▶ idle
 *                      └─no answer can come any more─▶ unknown ──answered by a status: needed──▶ sent
 *                                                             └──────────────── not needed ──▶ idle
 */
interface HelpRequest {
  readonly owner: string;
  readonly kind: HelpKind;
  is: 'idle' | 'sent' | 'unknown';
  /** The agent waits for it. */
  press?: Promise<HelpNotice | undefined> | undefined;
  /** To what was sent last. */
  answered?: Promise<HelpNotice | undefined>;
}

export class HelpRequests {
  readonly #store: Dependencies['store'];
  readonly #connection: Dependencies['connection'];
  readonly #events: Dependencies['events'];
  readonly #memberCheck: MemberCheck;
  /** At most one for each member and kind. They end neither with a connection nor with the sign-in. */
  readonly #requests = new Set<HelpRequest>();

  constructor({ store, connection, events }: Dependencies, memberCheck: MemberCheck) {
    this.#store = store;
    this.#connection = connection;
    this.#events = events;
    this.#memberCheck = memberCheck;
  }

  /** The answer for which the agent waits; `undefined`: the broker has not been asked. */
  get sent(): Promise<HelpNotice | undefined> | undefined {
    return [...this.#requests].find((request) => request.is === 'sent' && this.#isPresent(request))?.press;
  }

  /**
   * Asks for what is missing. A second press while the agent waits gets the same answer.
   *
   * @returns the result, for a member who can still call; a guide shows it by itself
   * @throws {DialerError} `not-ready` when a `disconnect()` came first
   */
  request(kind: HelpKind): Promise<HelpNotice | undefined> {
    const { owner = '' } = this.#store.state;
    const known = [...this.#requests].find((each) => each.kind === kind && !isOtherOwner(owner, each.owner));
    const request: HelpRequest = known ?? { owner, kind, is: 'idle' };
    this.#requests.add(request);
    request.press ??= this.#press(request).finally(() => {
      request.press = undefined;
      if (request.is === 'idle') this.#requests.delete(request);
    });
    return request.press;
  }

  /** A guide that comes back shows the request that is under way. When the member can call, its result no longer matters. */
  stateChanged({ block }: DialerState, previous: DialerState): void {
    for (const request of this.#requests) {
      const isShown = isGuideOf(block, request.kind);
      if (isShown === isGuideOf(previous.block, request.kind) || !this.#isPresent(request)) continue;
      if (isShown && request.press) this.#store.apply({ type: 'guide-asked', for: 'help' });
      else if (isShown && request.is !== 'idle') this.#show(request, 'help-unknown');
      else if (block.is !== 'blocked' && request.is === 'unknown') request.is = 'idle';
    }
  }

  /** Is the member signed in whose request it is? */
  #isPresent({ owner }: HelpRequest): boolean {
    return !isOtherOwner(presentOwner(this.#store.state), owner);
  }

  async #press(request: HelpRequest): Promise<HelpNotice | undefined> {
    const { life } = this.#connection;
    this.#store.apply({ type: 'guide-asked', for: 'help' });
    try {
      return await orAbort(this.#ask(request, life), life);
    } catch (error) {
      life.throwIfAborted();
      const known = toDialerError(error, 'broker-unreachable', 'The broker failed.');
      const notice = this.#show(request, request.is === 'idle' ? 'help-failed' : 'help-unknown');
      // A newer connection has replaced the one that asked.
      if (known.code !== 'not-ready') this.#events.emit({ name: 'error', error: known });
      return notice;
    } finally {
      // A button must not wait for an answer that never comes.
      if (this.#isPresent(request)) this.#store.apply({ type: 'guide-answered', to: 'help' });
    }
  }

  async #ask(request: HelpRequest, life: AbortSignal): Promise<HelpNotice | undefined> {
    const { kind } = request;
    // Another member's request counts, too: at the broker, this one may have been signed in before it was sent.
    const open = [...this.#requests].filter((each) => each.kind === kind && each.is !== 'idle');
    const last = open.find(({ is }) => is === 'sent') ?? open[0];
    if (last) {
      const { is } = last;
      const isNeeded = await this.#isNeeded(kind);
      life.throwIfAborted();
      if (!isNeeded) {
        if (request.is === 'unknown') request.is = 'idle';
        return undefined;
      }
      // The status may be from before the request was carried out, although its answer has come meanwhile.
      if (is === 'sent') return last.is === 'sent' ? this.#show(request, 'help-unknown') : last.answered;
    }
    const page = this.#tellPage(request, life);
    if (page) return page;
    // The dialer signs in again: only the broker's answer says whether it can be asked.
    if (!this.#connection.session) await this.#connection.connect();
    life.throwIfAborted();
    const { session } = this.#connection;
    if (!this.#isPresent(request)) return undefined;
    // The agent has to ask an admin; "check again" shows the result.
    if (!session?.has(kind)) return this.#show(request, 'ask-admin');
    request.is = 'sent';
    const isNeeded = () => !life.aborted && this.#isPresent(request) && this.#lacks(kind);
    const answering = session.requestHelp(kind, isNeeded);
    const answered = answering.then((answer) => this.#onAnswer(request, session, answer));
    request.answered = answered;
    await within(answered, ANSWER_MS);
    return request.is === 'sent' && !life.aborted ? this.#show(request, 'help-unknown') : answered;
  }

  /** Asks the broker whether the help is still needed. */
  async #isNeeded(kind: HelpKind): Promise<boolean> {
    if (!this.#connection.session) await this.#connection.connect();
    const { session, signal } = this.#connection;
    if (session) await this.#memberCheck.onAnswer(session.fetchReadiness(signal));
    return this.#lacks(kind);
  }

  #lacks(kind: HelpKind): boolean {
    const { block } = this.#store.state;
    return block.is === 'blocked' ? isGuideOf(block, kind) : kind === 'topUp' && this.#memberCheck.isLow;
  }

  /** It may come after the agent has stopped waiting, on another connection, and while another member is signed in. */
  async #onAnswer(
    request: HelpRequest,
    session: BrokerSession,
    answer: HelpAnswer | undefined,
  ): Promise<HelpNotice | undefined> {
    // What the sign-in under way says may be from before the money came.
    const isUnknown = answer?.notice ? answer.notice === 'help-unknown' : answer && !this.#connection.session;
    request.is = isUnknown ? 'unknown' : 'idle';
    if (!answer || !this.#isPresent(request)) return undefined;
    if (answer.error) this.#events.emit({ name: 'error', error: answer.error });
    let { readiness } = answer;
    const { session: present, signal } = this.#connection;
    // What a later sign-in has said may be from before the money came.
    if (present !== session) readiness = await present?.fetchReadiness(signal).catch(() => undefined);
    if (readiness) await this.#memberCheck.onAnswer(readiness).catch(() => undefined);
    const isAnswered = this.#store.state.block.is !== 'blocked' && !this.#memberCheck.isLow;
    if (isAnswered && !answer.notice) return undefined;
    return this.#show(request, answer.notice ?? 'help-requested');
  }

  /** A guide shows it by itself; who presses "Ask for a top-up" while there is still money is told. */
  #show(request: HelpRequest, notice: HelpNotice): HelpNotice {
    const { block } = this.#store.state;
    if (!this.#isPresent(request)) return notice;
    if (isGuideOf(block, request.kind)) this.#store.apply({ type: 'help-result', notice });
    else if (block.is !== 'blocked' && request.kind === 'topUp' && !request.press)
      this.#events.report({ is: 'top-up-answered', notice });
    return notice;
  }

  /**
   * A page that handles the request reports the result now, later, again or never.
   *
   * @returns `undefined`: the page does not handle it
   */
  #tellPage(request: HelpRequest, life: AbortSignal): Promise<HelpNotice | undefined> | undefined {
    let notice: HelpNotice | undefined;
    const over = childOf(life);
    const done = (given: HelpNotice = 'help-requested') => {
      const answer = (notice = toHelpNotice(given));
      over.abort();
      // No state moves while the page's listeners run.
      queueMicrotask(() => this.#show(request, answer));
    };
    const isOurs = this.#events.emit({ name: EVENTS[request.kind], done });
    return isOurs ? undefined : pause(PAGE_MS, over.signal).then(() => notice);
  }
}

function isGuideOf(block: Block, kind: HelpKind): boolean {
  return block.is === 'blocked' && HELP.get(block.reason) === kind;
}

/** A page may pass anything, also the event of a click. */
function toHelpNotice(given: HelpNotice): HelpNotice {
  if (HELP_NOTICES.includes(given)) return given;
  warnOnce('The notice of done()', `is not one of ${HELP_NOTICES.join(', ')}`);
  return 'help-requested';
}
