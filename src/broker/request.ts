/**
 * One request to the broker. Credentials and extra headers go only to the origin of `broker-url`. So every redirect is refused: a
 * script cannot see its target before the browser has followed it.
 */
import ky from 'ky';
import { DialerError } from '../errors.ts';
import { blockedByPolicy, violationsReported, watchRequest } from '../page/content-security-policy.ts';
import { orAbort } from '../wait.ts';
import type { HttpAnswer } from './answers.ts';
import { readExtraHeaders, type HeadersSource } from './headers.ts';

export interface BrokerAddress {
  /** Absolute address of the session endpoint. */
  readonly url: string;
  readonly credentials: RequestCredentials;
}

export interface BrokerOptions extends BrokerAddress {
  /** The page's latest extra headers, e.g. a bearer token of the partner's; read before every request. */
  readonly headers: () => HeadersSource | undefined;
}

const TIMEOUT_MS = 10_000;

const request = ky.create({
  headers: { Accept: 'application/json' },
  cache: 'no-store',
  redirect: 'manual',
  // A refusal has a body that says why.
  throwHttpErrors: false,
  // ky's timeout starts again with each attempt, and does not include the extra headers and the body.
  timeout: false,
  // Only GET, because a POST may move money; and only if there was no response, which may have `Retry-After`.
  retry: { limit: 1, methods: ['get'], jitter: true },
});

/**
 * @param timeout milliseconds for the extra headers, the retry and the body together
 * @throws {DialerError} `configuration`, `broker-unreachable` or `broker-invalid-answer`; the signal's reason once it aborts
 */
export async function requestBroker(
  { credentials, headers }: BrokerOptions,
  method: 'GET' | 'POST',
  address: string,
  signal: AbortSignal,
  timeout = TIMEOUT_MS,
): Promise<HttpAnswer> {
  const deadline = AbortSignal.timeout(timeout);
  const end = AbortSignal.any([signal, deadline]);
  const policy = watchRequest(address);
  let awaited = "the page's brokerHeaders function";
  const send = async () => {
    const extra = await readExtraHeaders(headers());
    end.throwIfAborted();
    awaited = 'the broker';
    const response = await request(address, { method, credentials, headers: extra, signal: end });
    if (response.type === 'opaqueredirect') {
      throw new DialerError(
        'broker-invalid-answer',
        'The dialer does not follow redirects of the broker: broker-url and links must be final URLs.',
      );
    }
    return { status: response.status, headers: response.headers, body: await response.text() };
  };
  try {
    // The page's function, and a `fetch` that the page has replaced, know nothing of the signal.
    return await orAbort(send(), end);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof DialerError) throw error;
    await violationsReported();
    signal.throwIfAborted();
    const directive = policy.directive();
    if (directive !== undefined) throw blockedByPolicy(directive, 'the broker', error);
    const why = deadline.aborted ? `no response in time from ${awaited}` : 'the request failed';
    throw new DialerError('broker-unreachable', `The broker cannot be reached: ${why}.`, { cause: error });
  } finally {
    policy.end();
  }
}
