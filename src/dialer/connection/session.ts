/** One sign-in at the broker: its token, and later questions about the same member. */
import type { Readiness, Session } from '../../broker/answers.ts';
import { BrokerClient, type BrokerOptions } from '../../broker/client.ts';
import type { HelpKind } from '../../broker/contract.ts';

/** The part of a token's life after which the next token is requested. */
const RENEWAL_AFTER = 0.8;
/** How long a token can be used for a start when the broker does not say when it ends. */
const UNKNOWN_LIFE_MS = 10 * 60_000;

export class BrokerSession {
  readonly broker: BrokerClient;
  readonly token: string | undefined;
  readonly memberNo: string | undefined;
  /** What the broker said at sign-in. */
  readonly readiness: Readiness;
  readonly #options: BrokerOptions;
  readonly #receivedAt = Date.now();
  readonly #began = performance.now();
  /** Milliseconds after the sign-in; `undefined`: the broker does not say when the token ends. */
  readonly #renewAfter: number | undefined;
  /** The latest that the broker has named. */
  #blockers: readonly string[] = [];
  #next: BrokerSession | undefined;

  /** @throws {DialerError} `broker-…`, `vendor-unreachable`, `configuration`, or the signal's reason */
  static async request(options: BrokerOptions, signal: AbortSignal): Promise<BrokerSession> {
    const broker = new BrokerClient(options);
    const session = await broker.session(signal);
    signal.throwIfAborted();
    return new BrokerSession(options, broker, session);
  }

  private constructor(options: BrokerOptions, broker: BrokerClient, session: Session) {
    const { token, member, expiresIn = 0 } = session;
    this.#options = options;
    this.broker = broker;
    this.token = token;
    this.memberNo = member?.memberNo;
    this.readiness = this.#remember(session);
    // A token that has ended before it arrives means that a clock is wrong.
    this.#renewAfter = expiresIn > 0 ? expiresIn * RENEWAL_AFTER : undefined;
  }

  get brokerUrl(): string {
    return this.#options.url;
  }

  /** Milliseconds until the next token is to be requested; `undefined`: the broker does not say when this one ends. */
  get renewalIn(): number | undefined {
    return this.#renewAfter === undefined ? undefined : this.#renewAfter - this.#age;
  }

  /** Can an SDK be started with this token? */
  get isFresh(): boolean {
    return this.#age < (this.#renewAfter ?? UNKNOWN_LIFE_MS);
  }

  /** Would the broker let the member call? */
  get isUsable(): boolean {
    return this.token !== undefined && this.#blockers.length === 0;
  }

  /** Can the broker be asked without a new sign-in? */
  get hasStatus(): boolean {
    return this.token !== undefined && this.broker.has('status');
  }

  /** A later sign-in, which `check()` makes if the broker has no status link. */
  get next(): BrokerSession | undefined {
    return this.#next;
  }

  /** Signs in once more. @throws {DialerError} as `request()` */
  renew(signal: AbortSignal): Promise<BrokerSession> {
    return BrokerSession.request(this.#options, signal);
  }

  /**
   * Can the member call by now?
   *
   * @throws {DialerError} as `request()`
   */
  async check(signal: AbortSignal): Promise<Readiness> {
    if (!this.hasStatus) {
      this.#next = await this.renew(signal);
      return this.#remember(this.#next.readiness);
    }
    const answer = await this.broker.status(signal);
    signal.throwIfAborted();
    return this.#remember(answer);
  }

  /** @throws {DialerError} as `request()`; `not-ready` without such a link */
  async askFor(kind: HelpKind, signal: AbortSignal): Promise<Readiness> {
    const answer = await this.broker.requestHelp(kind, signal);
    signal.throwIfAborted();
    // A refusal does not say whether the member can call.
    return answer.notice === undefined ? this.#remember(answer) : answer;
  }

  /** Where the machine sleeps, `performance.now()` may stand still; whoever sets its clock back makes no token younger. */
  get #age(): number {
    return Math.max(Date.now() - this.#receivedAt, performance.now() - this.#began);
  }

  #remember(readiness: Readiness): Readiness {
    this.#blockers = readiness.blockers ?? this.#blockers;
    return readiness;
  }
}
