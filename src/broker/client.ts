/** Asks the broker: for a session, for the member's readiness, for money, for a hotline. */
import ky from 'ky';
import { toDialerError } from '../errors.ts';
import {
  parseReadiness,
  parseSession,
  type HttpAnswer,
  type Readiness,
  type Session,
} from './parse-answer.ts';

export type HeadersSource =
  | Readonly<Record<string, string>>
  | (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>);

export interface BrokerOptions {
  /** Absolute address of the session endpoint. */
  readonly url: string;
  readonly credentials: RequestCredentials;
  /** Extra headers, e.g. a bearer token of the partner's; a function is asked before every request. */
  readonly headers?: HeadersSource | undefined;
  /** Milliseconds until a request counts as failed. */
  readonly timeout?: number;
}

const DEFAULT_TIMEOUT_MS = 10_000;

/** @throws {DialerError} `broker-…` codes; an AbortError when the signal ended it. */
export async function requestSession(broker: BrokerOptions, signal: AbortSignal): Promise<Session> {
  return parseSession(await send(broker, 'post', broker.url, signal));
}

/** @throws {DialerError} `broker-…` codes; an AbortError when the signal ended it. */
export async function readStatus(
  broker: BrokerOptions,
  link: string,
  signal: AbortSignal,
): Promise<Readiness> {
  return parseReadiness(await send(broker, 'get', link, signal));
}

/**
 * Asks for a top-up or a hotline, once: a request that may move money is never repeated behind the agent's back.
 *
 * @throws {DialerError} `broker-…` codes; an AbortError when the signal ended it.
 */
export async function requestHelp(
  broker: BrokerOptions,
  link: string,
  signal: AbortSignal,
): Promise<Readiness> {
  return parseReadiness(await send(broker, 'post', link, signal));
}

async function send(
  broker: BrokerOptions,
  method: 'get' | 'post',
  link: string,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  // Covers the body too: an answer that never ends is no answer.
  const deadline = AbortSignal.timeout(broker.timeout ?? DEFAULT_TIMEOUT_MS);
  try {
    const headers = typeof broker.headers === 'function' ? await broker.headers() : broker.headers;
    signal.throwIfAborted();
    const response = await ky(new URL(link, broker.url).href, {
      method,
      credentials: broker.credentials,
      headers: { Accept: 'application/json', ...headers },
      signal: AbortSignal.any([signal, deadline]),
      cache: 'no-store',
      timeout: false,
      // Only reads are repeated; ky waits with a growing delay in between.
      retry: { limit: method === 'get' ? 1 : 0, methods: ['get'], jitter: true },
      throwHttpErrors: false,
    });
    return { status: response.status, body: await response.text() };
  } catch (error) {
    signal.throwIfAborted();
    const why = deadline.aborted ? 'no answer in time' : 'the request failed';
    throw toDialerError(error, 'broker-unreachable', `The broker cannot be reached: ${why}.`);
  }
}
