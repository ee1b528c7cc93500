/**
 * The requests to the broker: session, status, top-up, hotline, customers, calls. Credentials and extra headers go only to the origin
 * of its address. So every redirect is refused: a script cannot see its target before the browser has followed it.
 */
import ky from 'ky';
import { DialerError, type DialerErrorCode } from '../errors.ts';
import { warnLeftOut } from '../page/console.ts';
import { blockedByPolicy, violationsReported, watchRequest } from '../page/content-security-policy.ts';
import { orAbort } from '../wait.ts';
import { parseReadiness, parseSession, type HttpAnswer, type Readiness, type Session } from './answers.ts';
import type { HelpKind, Links } from './contract.ts';
import { readExtraHeaders, type HeadersSource } from './headers.ts';

export interface BrokerAddress {
  /** Absolute address of the session endpoint. */
  readonly url: string;
  readonly credentials: RequestCredentials;
}

export interface BrokerOptions extends BrokerAddress {
  /** The page's latest extra headers, e.g. a bearer token of the partner's; read before every request. */
  readonly headers: () => HeadersSource | undefined;
  /** Milliseconds until a request counts as failed, including extra headers, retry and body. */
  readonly timeout?: number;
}

const DEFAULT_TIMEOUT_MS = 10_000;
/** Other headers may help. */
const OF_HEADERS: ReadonlySet<DialerErrorCode> = new Set(['broker-unauthorized', 'configuration'] as const);

const request = ky.create({
  headers: { Accept: 'application/json' },
  cache: 'no-store',
  redirect: 'manual',
  throwHttpErrors: false,
  // The client has one timeout for extra headers, retry and body.
  timeout: false,
  // Only GET, because a POST may move money, and only without an answer, so that `Retry-After` is obeyed.
  retry: { limit: 1, methods: ['get'], jitter: true },
});

/** Each method throws a DialerError `configuration`, `broker-…` or `vendor-unreachable`, or the signal's reason once it aborts. */
export class BrokerClient {
  readonly #options: BrokerOptions;
  #links: Links;

  /** @param links known from an earlier answer */
  constructor(options: BrokerOptions, links: Links = {}) {
    this.#options = options;
    this.#links = links;
  }

  /** Has the broker's last answer named an address for this? */
  has(link: keyof Links): boolean {
    return this.#links[link] !== undefined;
  }

  async session(signal: AbortSignal): Promise<Session> {
    const { headers } = this.#options;
    const asked = headers();
    try {
      return await this.#session(signal);
    } catch (error) {
      // The page may have signed in meanwhile: its new function knows more than the one that was asked.
      const isOfHeaders = error instanceof DialerError && OF_HEADERS.has(error.code);
      if (!isOfHeaders || typeof asked !== 'function' || headers() === asked) throw error;
      return this.#session(signal);
    }
  }

  /** May the member call by now? */
  async status(signal: AbortSignal): Promise<Readiness> {
    const answer = await this.#send('GET', this.#addressOf('status'), signal);
    return this.#remember(parseReadiness(answer, this.#options.url));
  }

  /** Asks for a top-up or a hotline. It may move money, so it is never retried automatically. */
  async requestHelp(link: HelpKind, signal: AbortSignal): Promise<Readiness> {
    const answer = await this.#send('POST', this.#addressOf(link), signal);
    return this.#remember(parseReadiness(answer, this.#options.url));
  }

  /**
   * Who has a phone number, as the broker answers it.
   *
   * @param timeout in milliseconds
   */
  async customers(phone: string, timeout: number, signal: AbortSignal): Promise<HttpAnswer> {
    const address = new URL(this.#addressOf('customers'));
    address.searchParams.set('phone', phone);
    return this.#send('GET', address.href, signal, timeout);
  }

  /** The member's latest calls, as the broker answers them. */
  async calls(signal: AbortSignal): Promise<HttpAnswer> {
    return this.#send('GET', this.#addressOf('calls'), signal);
  }

  async #session(signal: AbortSignal): Promise<Session> {
    const answer = await this.#send('POST', this.#options.url, signal);
    return this.#remember(parseSession(answer, this.#options.url));
  }

  #addressOf(link: keyof Links): string {
    const address = this.#links[link];
    if (address === undefined)
      throw new DialerError('not-ready', `The broker's response has no link "${link}".`);
    return address;
  }

  #remember<T extends Readiness>(answer: T): T {
    warnLeftOut("the broker's answer", answer.leftOut ?? []);
    this.#links = answer.links ?? this.#links;
    return answer;
  }

  async #send(
    method: 'GET' | 'POST',
    address: string,
    signal: AbortSignal,
    timeout = this.#options.timeout ?? DEFAULT_TIMEOUT_MS,
  ): Promise<HttpAnswer> {
    const { credentials, headers } = this.#options;
    const deadline = AbortSignal.timeout(timeout);
    const end = AbortSignal.any([signal, deadline]);
    const policy = watchRequest(address);
    let awaited = "the page's brokerHeaders function";
    try {
      // The page's function, and a `fetch` that the page has replaced, know nothing of the signal.
      const extra = await orAbort(readExtraHeaders(headers()), end);
      awaited = 'the broker';
      const response = await orAbort(
        request(address, { method, credentials, headers: extra, signal: end }),
        end,
      );
      if (response.type === 'opaqueredirect') {
        throw new DialerError(
          'broker-invalid-answer',
          'The broker redirects, which the dialer does not follow: broker-url and links must be final URLs.',
        );
      }
      const body = await orAbort(response.text(), end);
      return { status: response.status, headers: response.headers, body };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof DialerError) throw error;
      await violationsReported();
      signal.throwIfAborted();
      const directive = policy.directive();
      if (directive !== undefined) throw blockedByPolicy(directive, 'the broker', error);
      const why = deadline.aborted ? `no answer in time from ${awaited}` : 'the request failed';
      throw new DialerError('broker-unreachable', `The broker cannot be reached: ${why}.`, { cause: error });
    } finally {
      policy.end();
    }
  }
}
