/** One session of the broker's, and the SDK booted with its token. A new connection to the exchange takes a new one. */
import { readStatus, requestHelp, requestSession, type BrokerOptions } from '../broker/client.ts';
import type { Hotline, Links } from '../broker/contract.ts';
import type { Readiness, Session } from '../broker/answer.ts';
import { DialerError } from '../errors.ts';
import type { CallingSdk, Sounds } from '../sdk/calling-sdk.ts';
import type { DialerSettings } from './host.ts';

export class BrokerSession {
  readonly sdk: CallingSdk;
  readonly #settings: DialerSettings;
  readonly #abort = new AbortController();
  #links: Links = {};
  #sounds: Sounds;
  #blockers: readonly string[] = [];
  #token: string | undefined;
  #isTokenless = false;
  /** The SDK's own list, which it reads once per boot; `undefined` until it is registered. */
  sdkHotlines: readonly Hotline[] | undefined;

  constructor(settings: DialerSettings, sdk: CallingSdk) {
    this.#settings = settings;
    this.#sounds = settings.sounds;
    this.sdk = sdk;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get brokerUrl(): string {
    return this.#settings.broker.url;
  }

  /** A broker that only says why the member cannot call: there is no registration to wait for. */
  get isTokenless(): boolean {
    return this.#isTokenless;
  }

  /** As far as broker and SDK have said, could the member call on this connection? */
  get isUsable(): boolean {
    return this.#token !== undefined && this.#blockers.length === 0 && this.sdkHotlines?.length !== 0;
  }

  /** Can the broker be asked without signing in anew? */
  get hasStatus(): boolean {
    return this.#links.status !== undefined && this.#token !== undefined;
  }

  /**
   * Asks for a session while the script is on its way, then boots the SDK.
   *
   * @param onSession resolves to whether the SDK is to be booted in this tab
   * @param renewed a session that has been asked for already
   * @throws {DialerError} what the broker, the script or the SDK's start failed with
   */
  async start(onSession: (session: Session) => Promise<boolean>, renewed?: Session): Promise<void> {
    const loading = this.sdk.load();
    // A broker that fails first is reported; the script's failure must not surface as unhandled.
    loading.catch(() => undefined);
    const session = renewed ?? (await requestSession(this.#settings.broker, this.signal));
    this.signal.throwIfAborted();
    this.#remember(session);
    this.#isTokenless = session.token === undefined;
    const isHere = await onSession(session);
    if (!isHere || session.token === undefined) return;
    await loading;
    this.signal.throwIfAborted();
    const { sdkBaseUrl: baseUrl, vendorUi } = this.#settings;
    this.#token = session.token;
    await this.sdk.boot({ token: session.token, baseUrl, sounds: this.#sounds, vendorUi }, this.signal);
  }

  /**
   * The session that is to follow this one; this one goes on meanwhile.
   *
   * @returns `isNew`: false when the broker has only the token that is in use, or none
   * @throws {DialerError} `broker-…`
   */
  async renew(): Promise<{ session: Session; isNew: boolean }> {
    const session = await requestSession(this.#settings.broker, this.signal);
    this.signal.throwIfAborted();
    return { session, isNew: session.token !== undefined && session.token !== this.#token };
  }

  /** Can the member call by now? A session without a token has to be asked for anew. */
  async check(signal: AbortSignal = this.signal): Promise<Readiness> {
    const { broker } = this.#settings;
    const { status } = this.#links;
    const answer =
      status !== undefined && this.hasStatus
        ? await readStatus(broker, status, signal)
        : await requestSession(broker, signal);
    signal.throwIfAborted();
    this.#remember(answer);
    return answer;
  }

  /** At any time: before the boot they wait for it. */
  setSounds(sounds: Sounds): void {
    this.#sounds = sounds;
    this.sdk.setSounds(sounds);
  }

  /** Where the broker tells who has a number. */
  get customers(): { readonly broker: BrokerOptions; readonly link: string | undefined } {
    return { broker: this.#settings.broker, link: this.#links.customers };
  }

  canAskFor(kind: 'topUp' | 'hotline'): boolean {
    return this.#links[kind] !== undefined;
  }

  /** @throws {DialerError} `not-ready` where the broker offers no such help */
  async askFor(kind: 'topUp' | 'hotline'): Promise<Readiness> {
    const link = this.#links[kind];
    if (link === undefined) throw new DialerError('not-ready', 'The broker offers no such help.');
    const answer = await requestHelp(this.#settings.broker, link, this.signal);
    this.signal.throwIfAborted();
    // What was refused says nothing of whether the member can call.
    if (answer.notice === undefined) this.#remember(answer);
    return answer;
  }

  /** Resolves when nothing is registered any more. */
  close(): Promise<void> {
    this.#abort.abort();
    return this.sdk.close();
  }

  #remember(readiness: Readiness): void {
    this.#links = readiness.links ?? this.#links;
    this.#blockers = readiness.blockers;
  }
}
