/**
 * Asks the broker: for a session, for the member's readiness, for money, for a hotline. Credentials and extra headers
 * go to the origin of its address and nowhere else, so redirects are refused, those within the origin too: a script
 * cannot see where one leads before it has been followed.
 */
import ky from 'ky';
import { DialerError } from '../errors.ts';
import { blockedByPolicy, violationsReported, watchRequest } from '../page/content-security-policy.ts';
import { orAbort } from '../wait.ts';
import { requestInit, type EarlySession } from './early-session.ts';
import { readExtraHeaders, type HeadersSource } from './headers.ts';
import { checkLinks, resolveLink } from './links.ts';
import { parseReadiness, parseSession, type HttpAnswer, type Readiness, type Session } from './answers.ts';

export interface BrokerOptions {
  /** Absolute address of the session endpoint. */
  readonly url: string;
  readonly credentials: RequestCredentials;
  /** Extra headers, e.g. a bearer token of the partner's; a function is asked before every request. */
  readonly headers?: HeadersSource | undefined;
  /** A session that has been asked for already, good for the first request. */
  readonly early?: EarlySession | undefined;
  /** Milliseconds until a request counts as failed, extra headers, repetition and body included. */
  readonly timeout?: number;
}

const DEFAULT_TIMEOUT_MS = 10_000;

/** @throws {DialerError} `configuration`, `broker-…` or `vendor-unreachable`; an AbortError when the signal ended it. */
export async function requestSession(broker: BrokerOptions, signal: AbortSignal): Promise<Session> {
  const answer = await send(broker, 'POST', broker.url, signal, broker.early);
  const session = parseSession(answer);
  checkLinks(session.links, broker.url);
  return session;
}

/** @throws {DialerError} as `requestSession`. */
export async function readStatus(
  broker: BrokerOptions,
  link: string,
  signal: AbortSignal,
): Promise<Readiness> {
  return readReadiness(broker, 'GET', link, signal);
}

/** The answer at an address of the broker's that is no readiness. @throws {DialerError} `broker-unreachable` */
export function readLink(broker: BrokerOptions, address: string, signal: AbortSignal): Promise<HttpAnswer> {
  return send(broker, 'GET', address, signal);
}

/**
 * Asks for a top-up or a hotline, once: a request that may move money is never repeated behind the agent's back.
 *
 * @throws {DialerError} as `requestSession`.
 */
export async function requestHelp(
  broker: BrokerOptions,
  link: string,
  signal: AbortSignal,
): Promise<Readiness> {
  return readReadiness(broker, 'POST', link, signal);
}

async function readReadiness(
  broker: BrokerOptions,
  method: 'GET' | 'POST',
  link: string,
  signal: AbortSignal,
): Promise<Readiness> {
  const answer = await send(broker, method, resolveLink(link, broker.url), signal);
  const readiness = parseReadiness(answer);
  checkLinks(readiness.links, broker.url);
  return readiness;
}

async function send(
  broker: BrokerOptions,
  method: 'GET' | 'POST',
  address: string,
  signal: AbortSignal,
  early?: EarlySession,
): Promise<HttpAnswer> {
  const deadline = AbortSignal.timeout(broker.timeout ?? DEFAULT_TIMEOUT_MS);
  const end = AbortSignal.any([signal, deadline]);
  // What was sent ahead knows no headers of the page's.
  const sent = broker.headers == null ? early?.take(address, broker.credentials, end) : early?.drop();
  const policy = sent?.policy ?? watchRequest(address);
  let awaited = "the page's brokerHeaders function";
  try {
    const extra = await orAbort(readExtraHeaders(broker.headers), end);
    awaited = 'the broker';
    const init = requestInit(method, broker.credentials);
    const request = { ...init, headers: { ...init.headers, ...extra }, signal: end };
    const response = await orAbort(sent?.response ?? dispatch(address, request), end);
    if (response.type === 'opaqueredirect') {
      throw new DialerError(
        'broker-invalid-answer',
        'The broker redirects; its address and its links have to be final.',
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

/** Only a read that brought no answer at all is repeated, so `Retry-After` is never passed over. */
async function dispatch(address: string, request: RequestInit): Promise<Response> {
  return ky(address, {
    ...request,
    timeout: false,
    retry: { limit: 1, methods: ['get'], jitter: true },
    throwHttpErrors: false,
  });
}
