/** How a JWT is verified: with a shared secret, or with the keys of a server, which may be away or change them. */
import {
  createRemoteJWKSet,
  decodeProtectedHeader,
  errors,
  jwtVerify,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
} from 'jose';

/** The keys are fetched at most so often. */
export const KEYS_RETRY_SECONDS = 5;
const KEYS_TIMEOUT_MS = 3000;
/** Known keys are fetched again after so long, while they are used. */
const KEYS_REFRESH_MS = 600_000;
const ABOUT_TOKEN = [errors.JWKSNoMatchingKey, errors.JWKSMultipleMatchingKeys, errors.JOSENotSupported];
const NOT_YET = 'its key is not among those fetched a moment ago';

/** Without its keys, a token is neither good nor bad. */
export class KeysUnavailableError extends Error {}

export type Verify = (token: string) => Promise<JWTPayload>;

/** What tokens of one kind are verified with. */
interface Keys {
  readonly algorithms: string[];
  /** Tried one after the other. */
  readonly candidates: readonly JWTVerifyGetKey[];
  /** Fetches the keys again; false: it failed. @throws {KeysUnavailableError} if they were fetched a moment ago */
  refresh?(): Promise<boolean>;
}

export function secretKeys(...secrets: readonly (string | undefined)[]): Keys {
  const keys = secrets
    .filter((secret) => secret !== undefined)
    .map((secret) => new TextEncoder().encode(secret));
  return { algorithms: ['HS256'], candidates: keys.map((key) => async () => key) };
}

/** Known keys stay valid while their server is away, else its outage would end all calls. */
export function remoteKeys(url: string, report: (error: unknown) => void): Keys {
  let failedAt = 0;
  // Every forged token asks for the keys: a line for each would fill the log.
  const failed = (error: unknown) => {
    // A clock that is set back must not hide the next outage.
    if (Math.abs(Date.now() - failedAt) >= KEYS_RETRY_SECONDS * 1000) report(error);
    failedAt = Date.now();
  };
  const set = createRemoteJWKSet(new URL(url), {
    timeoutDuration: KEYS_TIMEOUT_MS,
    cooldownDuration: KEYS_RETRY_SECONDS * 1000,
    cacheMaxAge: Infinity,
  });
  let refreshAt = Date.now() + KEYS_REFRESH_MS;
  const reload = () => {
    refreshAt = Date.now() + KEYS_REFRESH_MS;
    return set.reload();
  };
  const find: JWTVerifyGetKey = async (header, token) => {
    // Also after a clock that was ahead is set back: else the keys would stay as long.
    const isPast = Date.now() >= refreshAt || Date.now() < refreshAt - KEYS_REFRESH_MS;
    if (set.jwks() && isPast) reload().catch(failed);
    const areFresh = set.coolingDown;
    try {
      return await set(header, token);
    } catch (error) {
      // The server may have changed its keys since they were fetched.
      if (areFresh && error instanceof errors.JWKSNoMatchingKey) throw new KeysUnavailableError(NOT_YET);
      if (ABOUT_TOKEN.some((kind) => error instanceof kind)) throw error;
      failed(error);
      throw new KeysUnavailableError('The keys that verify tokens cannot be fetched.', {
        cause: error,
      });
    }
  };
  return {
    algorithms: ['RS256', 'ES256'],
    candidates: [find],
    refresh: async () => {
      if (set.coolingDown) throw new KeysUnavailableError(NOT_YET);
      await reload().catch(failed);
      return set.coolingDown; // only a successful fetch starts the cool-down
    },
  };
}

/**
 * Verifies tokens of one kind.
 *
 * @returns the claims; rejects with a JOSEError for a token that must not be believed, or a KeysUnavailableError
 */
export function createVerifier(
  { algorithms, candidates, refresh }: Keys,
  expected: JWTVerifyOptions,
): Verify {
  // A token without an end could not be revoked.
  const options = { ...expected, algorithms, requiredClaims: ['exp'] };
  const tryKeys = async (keys: readonly JWTVerifyGetKey[], token: string): Promise<JWTPayload> => {
    let failure: unknown;
    for (const key of keys) {
      try {
        return (await jwtVerify(token, key, options)).payload;
      } catch (error) {
        if (error instanceof errors.JWKSMultipleMatchingKeys) return tryKeys(await readKeys(error), token);
        if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
        failure = error;
      }
    }
    throw failure;
  };
  return (token) =>
    tryKeys(candidates, token).catch(async (error: unknown) => {
      // Keys without ids: a wrong signature may mean that a new key is not fetched yet. Fetch the set again.
      const isFromUnknownKey =
        error instanceof errors.JWSSignatureVerificationFailed &&
        decodeProtectedHeader(token).kid === undefined;
      if (!isFromUnknownKey || !(await refresh?.())) throw error;
      return tryKeys(candidates, token);
    });
}

/** The keys of a set, if the token names none of them. */
async function readKeys(error: errors.JWKSMultipleMatchingKeys): Promise<JWTVerifyGetKey[]> {
  const keys: JWTVerifyGetKey[] = [];
  for await (const key of error) keys.push(async () => key);
  return keys;
}
