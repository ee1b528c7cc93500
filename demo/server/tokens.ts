/** JWTs: verified by jose, with shared secrets or with the keys of a server. */
import {
  createRemoteJWKSet,
  errors,
  jwtVerify,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
} from 'jose';
import { LRUCache } from 'lru-cache';

/** What tokens of one kind are verified with. */
export interface Keys {
  readonly algorithms: string[];
  /** Tried one after the other. */
  readonly candidates: readonly JWTVerifyGetKey[];
  /** Fetches the keys again, unless that was a moment ago. True: another try makes sense. */
  refresh?(): Promise<boolean>;
}

/** Nobody can tell now whether a token is good. */
export class KeysUnavailableError extends Error {
  override readonly name = 'KeysUnavailableError';
}

const KEYS_TIMEOUT_MS = 3000;
/** Keys that are known are fetched again after so long, behind the back of whoever asks. */
const REFRESH_MS = 600_000;
/** A token is verified again after so long, as its key may have been withdrawn. */
const VERIFIED_MS = 60_000;
const VERIFIED_TOKENS = 10_000;

export function secretKeys(...secrets: readonly (string | undefined)[]): Keys {
  const keys = secrets
    .filter((secret) => secret !== undefined)
    .map((secret) => new TextEncoder().encode(secret));
  return { algorithms: ['HS256'], candidates: keys.map((key) => async () => key) };
}

/**
 * Keys that are known stay good while their server is away: else an outage of it would end all calls.
 *
 * @param failed called whenever they cannot be fetched
 */
export function remoteKeys(url: string, failed: (error: unknown) => void): Keys {
  const set = createRemoteJWKSet(new URL(url), { timeoutDuration: KEYS_TIMEOUT_MS, cacheMaxAge: Infinity });
  let refreshAt = Date.now() + REFRESH_MS;
  const reload = () => {
    refreshAt = Date.now() + REFRESH_MS;
    return set.reload();
  };
  const find: JWTVerifyGetKey = async (header, token) => {
    if (set.jwks() && Date.now() >= refreshAt) reload().catch(failed);
    try {
      return await set(header, token);
    } catch (error) {
      if (isAboutToken(error)) throw error;
      failed(error);
      throw new KeysUnavailableError('The keys that sign-ins are checked with cannot be fetched.', {
        cause: error,
      });
    }
  };
  return {
    algorithms: ['RS256', 'ES256'],
    candidates: [find],
    refresh: async () => {
      if (set.coolingDown) return false;
      await reload().catch(failed);
      return set.coolingDown;
    },
  };
}

function isAboutToken(error: unknown): boolean {
  return (
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys ||
    error instanceof errors.JOSENotSupported
  );
}

/** Verifies tokens of one kind, each once in a while: the signature costs more than all the rest of a request. */
export class TokenVerifier {
  readonly #keys: Keys;
  readonly #options: JWTVerifyOptions;
  readonly #verified = new LRUCache<string, JWTPayload>({ max: VERIFIED_TOKENS, ttl: VERIFIED_MS });

  constructor(keys: Keys, options: Pick<JWTVerifyOptions, 'audience' | 'issuer' | 'clockTolerance'>) {
    this.#keys = keys;
    // A token that never ends could not be taken back.
    this.#options = { ...options, algorithms: keys.algorithms, requiredClaims: ['exp'] };
  }

  /** The claims; @throws {errors.JOSEError} for a token that must not be believed; @throws {KeysUnavailableError} */
  async verify(token: string): Promise<JWTPayload> {
    const known = this.#verified.get(token);
    const tolerance = Number(this.#options.clockTolerance ?? 0);
    if (known && (Number(known.exp) + tolerance) * 1000 > Date.now()) return known;
    const claims = await this.#verifyNow(token);
    this.#verified.set(token, claims);
    return claims;
  }

  async #verifyNow(token: string): Promise<JWTPayload> {
    try {
      return await this.#tryKeys(this.#keys.candidates, token);
    } catch (error) {
      // A key set without key ids does not show that it holds the key no more, or not yet.
      if (!(error instanceof errors.JWSSignatureVerificationFailed) || !(await this.#keys.refresh?.()))
        throw error;
      return this.#tryKeys(this.#keys.candidates, token);
    }
  }

  async #tryKeys(candidates: readonly JWTVerifyGetKey[], token: string): Promise<JWTPayload> {
    let failure: unknown;
    for (const key of candidates) {
      try {
        return (await jwtVerify(token, key, this.#options)).payload;
      } catch (error) {
        if (error instanceof errors.JWKSMultipleMatchingKeys)
          return this.#tryKeys(await keysOf(error), token);
        if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
        failure = error;
      }
    }
    throw failure;
  }
}

/** Several keys of a set fit, as the token does not name one. */
async function keysOf(error: errors.JWKSMultipleMatchingKeys): Promise<JWTVerifyGetKey[]> {
  const keys: JWTVerifyGetKey[] = [];
  for await (const key of error) keys.push(async () => key);
  return keys;
}
