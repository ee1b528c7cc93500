/** One sign-in at the broker: its token, and the later requests about the same member. */
import { DialerError, toDialerError, type DialerErrorCode } from '../errors.ts';
import { warnLeftOut, warnOnce } from '../page/console.ts';
import { orAbort, stopwatch } from '../wait.ts';
import {
  parseReadiness,
  parseSession,
  type HelpAnswer,
  type HttpAnswer,
  type Readiness,
  type Session,
} from './answers.ts';
import type { HelpKind, Links } from './contract.ts';
import { readGivenSession, UNKNOWN_LIFE_MS, type GivenSession } from './given-session.ts';
import { readExtraHeaders } from './headers.ts';
import { requestBroker, type BrokerOptions } from './request.ts';

/** The part of a token's life after which the next token is requested. */
const RENEWAL_AFTER = 0.8;

/** A top-up may take the broker as long as that. */
const HELP_TIMEOUT_MS = 60_000;
const HEADERS_TIMEOUT_MS = 10_000;
/** Never aborted. */
const { signal: NEVER } = new AbortController();

/** Other headers may solve these. */
const HEADER_ERRORS: ReadonlySet<DialerErrorCode> = new Set([
  'broker-unauthorized',
  'configuration',
] as const);

/** Each request has a number: of two answers, the one to the later request counts, whichever comes first. */
let requests = 0;

/**
 * Each method but `requestHelp()` throws a DialerError `configuration`, `broker-…` or `vendor-unreachable`, `not-ready` if the broker has named no
 * such link, or the signal's reason once it aborts.
 */
export class BrokerSession {
  readonly token: string | undefined;
  readonly memberNo: string | undefined;
  /** What the broker said at sign-in. */
  readonly readiness: Readiness;
  readonly #broker: BrokerOptions;
  readonly #age: () => number;
  /** Milliseconds after the sign-in; `undefined`: the broker does not say when the token ends. */
  readonly #renewAfter: number | undefined;
  /** What counts now, and the number of the request that it answers. */
  #latest: Readiness;
  #latestRequest: number;
  /** The latest that the broker has named. */
  #links: Links = {};
  #blockers: readonly string[] = [];
  #next: BrokerSession | undefined;

  /** @param given by the page; what cannot be used of it is requested anew */
  static async signIn(
    broker: BrokerOptions,
    signal: AbortSignal,
    given?: GivenSession,
  ): Promise<BrokerSession> {
    if (given) {
      const number = (requests += 1);
      const session = await readGivenSession(given, broker.url, signal);
      signal.throwIfAborted();
      if (session) return new BrokerSession(broker, session, number, given.age);
      warnOnce('session', "has failed, or is no valid answer of the broker's");
    }
    const asked = broker.headers();
    const request = async () => {
      const number = (requests += 1);
      const answer = await requestBroker(broker, 'POST', broker.url, signal);
      return new BrokerSession(broker, parseSession(answer, broker.url), number);
    };
    const session = await request().catch((error: unknown) => {
      // The page may have signed in and set a new function meanwhile: ask that one.
      const isOfHeaders = error instanceof DialerError && HEADER_ERRORS.has(error.code);
      if (!isOfHeaders || typeof asked !== 'function' || broker.headers() === asked) throw error;
      return request();
    });
    signal.throwIfAborted();
    return session;
  }

  private constructor(broker: BrokerOptions, session: Session, request: number, age = stopwatch()) {
    const { token, member, expiresIn = 0 } = session;
    this.#broker = broker;
    this.#age = age;
    this.token = token;
    this.memberNo = member?.memberNo;
    this.readiness = this.#latest = session;
    this.#latestRequest = request;
    this.#remember(session, request);
    // A token that has ended before it arrives means that a clock is wrong.
    this.#renewAfter = expiresIn > 0 ? expiresIn * RENEWAL_AFTER : undefined;
  }

  /** What the broker has said last about the member. */
  get latest(): Readiness {
    return this.#latest;
  }

  get brokerUrl(): string {
    return this.#broker.url;
  }

  /** Milliseconds until the next token is to be requested; `undefined`: the broker does not say when this one ends. */
  get renewalIn(): number | undefined {
    return this.#renewAfter === undefined ? undefined : this.#renewAfter - this.#age();
  }

  /** Can an SDK be started with this token? */
  get isFresh(): boolean {
    return this.#age() < (this.#renewAfter ?? UNKNOWN_LIFE_MS);
  }

  /** Would the broker let the member call? */
  get isUsable(): boolean {
    return this.token !== undefined && this.#blockers.length === 0;
  }

  /** Can the broker be asked without a new sign-in? */
  get hasStatus(): boolean {
    return this.token !== undefined && this.has('status');
  }

  /** The same member's latest sign-in; `undefined`: none since, or the broker has answered a later request. */
  get next(): BrokerSession | undefined {
    return this.#next;
  }

  /** Has the broker named an address for this? */
  has(link: keyof Links): boolean {
    return this.#links[link] !== undefined;
  }

  /** Signs in once more; a broker without a status link tells only so whether the member can call. */
  async renew(signal: AbortSignal): Promise<BrokerSession> {
    const next = await BrokerSession.signIn(this.#broker, signal);
    if (!this.#isAbout(next.memberNo)) return next;
    if (next.#latestRequest < this.#latestRequest) next.#remember(this.#latest, this.#latestRequest);
    else {
      this.#remember(next.#latest, next.#latestRequest);
      this.#next = next;
    }
    return next;
  }

  /** May the member call by now? */
  async fetchReadiness(signal: AbortSignal): Promise<Readiness> {
    if (!this.hasStatus) return (await this.renew(signal)).latest;
    const number = (requests += 1);
    const answer = await requestBroker(this.#broker, 'GET', this.#addressOf('status'), signal);
    signal.throwIfAborted();
    return this.#remember(parseReadiness(answer, this.#broker.url), number);
  }

  /**
   * Asks for a top-up or a hotline. It may move money: it is never repeated, and only its timeout aborts it.
   *
   * @param isNeeded asked right before the request is sent, because the page's headers may take their time
   * @returns `undefined`: it was not sent; else also why it failed; `help-unknown`: it was sent, and nobody knows what came of it
   */
  async requestHelp(kind: HelpKind, isNeeded: () => boolean): Promise<HelpAnswer | undefined> {
    const number = (requests += 1);
    let isSent = false;
    try {
      const address = this.#addressOf(kind);
      const reading = readExtraHeaders(this.#broker.headers());
      const headers = await orAbort(reading, AbortSignal.timeout(HEADERS_TIMEOUT_MS));
      if (!isNeeded()) return undefined;
      isSent = true;
      const broker = { ...this.#broker, headers: () => headers };
      const answer = await requestBroker(broker, 'POST', address, NEVER, HELP_TIMEOUT_MS);
      const { status } = answer;
      // With such a status, the broker has not carried it out.
      isSent = status < 400 || status === 408 || status >= 500;
      const readiness = parseReadiness(answer, this.#broker.url);
      // Such a refusal does not say whether the member can call.
      if (readiness.notice !== undefined) return { notice: readiness.notice };
      if (status >= 400) return { readiness: this.#remember(readiness, number), notice: 'help-refused' };
      // What was asked for meanwhile, answered or not, may be from before the money came.
      const isOvertaken = this.#latestRequest > number;
      const latest = this.#remember(readiness, (requests += 1));
      return { readiness: isOvertaken ? await this.fetchReadiness(NEVER).catch(() => latest) : latest };
    } catch (cause) {
      const error = toDialerError(cause, 'broker-unreachable', 'The broker failed.');
      // A policy of the page has stopped the request.
      const isUnknown = isSent && error.code !== 'configuration';
      return { notice: isUnknown ? 'help-unknown' : 'help-failed', error };
    }
  }

  /**
   * Who has a phone number, as the broker answers it.
   *
   * @param timeout in milliseconds
   */
  async customers(phone: string, timeout: number, signal: AbortSignal): Promise<HttpAnswer> {
    const address = new URL(this.#addressOf('customers'));
    address.searchParams.set('phone', phone);
    return requestBroker(this.#broker, 'GET', address.href, signal, timeout);
  }

  /** The member's latest calls, as the broker answers them. */
  async calls(signal: AbortSignal): Promise<HttpAnswer> {
    return requestBroker(this.#broker, 'GET', this.#addressOf('calls'), signal);
  }

  #addressOf(link: keyof Links): string {
    const address = this.#links[link];
    if (address === undefined)
      throw new DialerError('not-ready', `The broker's response has no link "${link}".`);
    return address;
  }

  /** A refusal names no member, and some brokers none at sign-in. */
  #isAbout(memberNo = this.memberNo): boolean {
    return memberNo === (this.memberNo ?? memberNo);
  }

  /** @returns what counts now */
  #remember(answer: Readiness, request: number): Readiness {
    warnLeftOut("the broker's response", answer.leftOut ?? []);
    if (request < this.#latestRequest) return this.#latest;
    this.#latestRequest = request;
    // Its token may lack a caller number that the member has by now.
    this.#next = undefined;
    // An answer may leave out who the member is.
    this.#latest = { ...answer, member: answer.member ?? this.#latest.member };
    // Another member's links come with a sign-in: here they would ask for somebody who is not shown.
    if (this.#isAbout(answer.member?.memberNo)) this.#links = answer.links ?? this.#links;
    this.#blockers = answer.blockers ?? this.#blockers;
    return answer;
  }
}
