/** A request for a session, sent before the code that understands its answer has come. */
import { watchRequest, type PolicyWatch } from '../page/content-security-policy.ts';

/** The same for every request to the broker. */
export function requestInit(method: 'GET' | 'POST', credentials: RequestCredentials): RequestInit {
  return {
    method,
    credentials,
    headers: { Accept: 'application/json' },
    cache: 'no-store',
    redirect: 'manual',
  };
}

/** A token that nobody has fetched for longer than this may have ended. */
const LONGEST_WAIT_MS = 20_000;

interface SentRequest {
  readonly response: Promise<Response>;
  readonly policy: PolicyWatch;
}

export class EarlySession {
  readonly #url: string;
  readonly #credentials: RequestCredentials;
  readonly #abort = new AbortController();
  #response: Promise<Response>;
  readonly #policy: PolicyWatch;
  readonly #sentAt = performance.now();
  #isTaken = false;

  /** @param url absolute */
  constructor(url: string, credentials: RequestCredentials) {
    this.#url = url;
    this.#credentials = credentials;
    this.#policy = watchRequest(url);
    this.#response = this.#ask();
    // Whoever takes it is told; nobody else is to be.
    this.#response.catch(() => undefined);
  }

  /** The page asks for a connection: it may have signed in since this was sent. */
  renewIfRefused(): void {
    this.#response = this.#response.then((response) =>
      [401, 403].includes(response.status) ? this.#ask() : response,
    );
    this.#response.catch(() => undefined);
  }

  #ask(): Promise<Response> {
    return fetch(this.#url, { ...requestInit('POST', this.#credentials), signal: this.#abort.signal });
  }

  /**
   * Once, and only for the very same request; any other one ends it.
   *
   * @param signal ends it from now on
   */
  take(url: string, credentials: RequestCredentials, signal: AbortSignal): SentRequest | undefined {
    const isSame = url === this.#url && credentials === this.#credentials;
    if (this.#isTaken || !isSame || performance.now() - this.#sentAt > LONGEST_WAIT_MS) {
      this.drop();
      return undefined;
    }
    this.#isTaken = true;
    signal.addEventListener('abort', () => this.#abort.abort());
    return { response: this.#response, policy: this.#policy };
  }

  /** Nobody needs it any more. */
  drop(): void {
    if (this.#isTaken) return;
    this.#isTaken = true;
    this.#abort.abort();
    this.#policy.end();
  }
}
