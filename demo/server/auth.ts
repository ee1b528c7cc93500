/**
 * Who asks: the member of a session cookie of ours, or of a bearer token of the partner's. Both are JWTs, verified in one
 * way. Whatever this file says is believed, and money is spent on it: never take the member from a body or a bare header.
 */
import { randomBytes } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { deleteCookie, generateCookie, getCookie } from 'hono/cookie';
import {
  createRemoteJWKSet,
  decodeJwt,
  errors,
  jwtVerify,
  SignJWT,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
} from 'jose';
import { LRUCache } from 'lru-cache';
import type { Config } from './config.ts';
import { Problem, type FromNode } from './http.ts';
import type { Limits } from './limits.ts';
import type { Telemetry } from './telemetry.ts';
import { memberNoSchema, type MemberNo } from './vendor/api.ts';

export interface SignIn {
  readonly memberNo: MemberNo;
  /** What `POST /logout` ends; undefined where sessions are somebody else's. */
  readonly sessionId: string | undefined;
  /** When it ends, unless it is renewed: milliseconds since 1970. */
  readonly until: number;
}

/** What routes behind the sign-in find in their context. */
export interface SignedIn extends FromNode {
  Variables: FromNode['Variables'] & SignIn;
}

/** Sessions that were ended before their time, as all companions know them. */
interface EndedSessions {
  has(sessionId: string): boolean;
  add(sessionId: string, until: number): Promise<void>;
}

/** Why a request is nobody's: `why` is undefined where it does not say who it is. */
interface Refusal {
  readonly why: string | undefined;
  /** Nobody can tell now: the keys cannot be fetched. */
  readonly isUndecided?: boolean;
  /** Whom the token claims to be. */
  readonly claimed?: string | undefined;
}

type AuthPolicy = Pick<
  Config,
  'sessionSecret' | 'previousSessionSecret' | 'sessionIdleMinutes' | 'publicOrigin' | 'bearer'
>;

const AUDIENCE = 'dialer-session';
const SESSION_MS = 12 * 3_600_000;
/** A session is renewed when this part of its idle time is over, so that not every answer carries a cookie. */
const RENEW_AFTER = 0.1;
/** The prefix binds a cookie to this very host; browsers take it with `Secure` only. */
const NAMES = { plain: 'dialer_session', secure: '__Host-dialer_session' };
/** Clocks of two servers differ. */
const TOLERANCE_SECONDS = 30;
const KEYS_RETRY_SECONDS = 5;
const KEYS_TIMEOUT_MS = 3000;
/** Known keys are fetched again after so long, while they are used. */
const KEYS_REFRESH_MS = 600_000;
/** A token is verified again after so long, as its key may have been withdrawn. */
const VERIFIED_MS = 60_000;
const VERIFIED_TOKENS = 10_000;

export class Auth {
  readonly #policy: AuthPolicy;
  readonly #ended: EndedSessions;
  readonly #verifyCookie: Verify;
  readonly #verifyBearer: Verify | undefined;
  readonly #isSecure: boolean;
  readonly #cookieName: string;

  /** @param keysFailed called whenever the keys of `AUTH_JWKS_URL` cannot be fetched */
  constructor(policy: AuthPolicy, ended: EndedSessions, keysFailed: (error: unknown) => void) {
    const { sessionSecret, previousSessionSecret, publicOrigin, bearer } = policy;
    this.#policy = policy;
    this.#ended = ended;
    // What a client's headers say of https does not count.
    this.#isSecure = publicOrigin?.startsWith('https:') ?? false;
    this.#cookieName = this.#isSecure ? NAMES.secure : NAMES.plain;
    const cookieKeys = secretKeys(sessionSecret, previousSessionSecret);
    this.#verifyCookie = createVerifier(cookieKeys, { audience: AUDIENCE });
    if (!bearer) return;
    const { secret, keysUrl = '', issuer, audience } = bearer;
    const keys = secret === undefined ? remoteKeys(keysUrl, keysFailed) : secretKeys(secret);
    this.#verifyBearer = createVerifier(keys, {
      clockTolerance: TOLERANCE_SECONDS,
      ...(issuer !== undefined && { issuer }),
      ...(audience !== undefined && { audience }),
    });
  }

  /** Who is signed in; a request renews its session. */
  async authenticate(c: Context<FromNode>): Promise<SignIn | Refusal> {
    const authorization = c.req.header('Authorization');
    const isBearer = this.#verifyBearer !== undefined && authorization !== undefined;
    const token = isBearer ? /^Bearer +(\S+)$/i.exec(authorization)?.[1] : getCookie(c, this.#cookieName);
    if (token === undefined) return { why: undefined };
    const claim = isBearer ? (this.#policy.bearer?.memberClaim ?? '') : 'sub';
    try {
      const verify = (isBearer && this.#verifyBearer) || this.#verifyCookie;
      const claims = await verify(token);
      const memberNo = memberNoSchema.safeParse(claims[claim]).data;
      if (memberNo === undefined) return { why: `no member in ${claim}` };
      if (!isBearer) return await this.#readSession(c, memberNo, claims);
      return { memberNo, sessionId: undefined, until: (Number(claims.exp) + TOLERANCE_SECONDS) * 1000 };
    } catch (error) {
      if (error instanceof KeysUnavailableError) return { why: error.message, isUndecided: true };
      if (!(error instanceof errors.JOSEError)) throw error;
      return { why: reasonOf(error), claimed: memberClaimedBy(token, claim) };
    }
  }

  /** A new session of this member, as the value of a `Set-Cookie` header. */
  startSession(memberNo: MemberNo): Promise<string> {
    return this.#bake(memberNo, randomBytes(12).toString('base64url'), Date.now() + SESSION_MS);
  }

  /** Ends the session that the request brings along, for every companion. */
  async endSession(c: Context<FromNode>): Promise<void> {
    const cookie = getCookie(c, this.#cookieName) ?? '';
    deleteCookie(c, this.#cookieName, { path: '/', secure: this.#isSecure });
    const { jti, end } = await this.#verifyCookie(cookie).catch((): JWTPayload => ({}));
    if (jti !== undefined) await this.#ended.add(jti, Number(end));
  }

  async #readSession(c: Context, memberNo: MemberNo, claims: JWTPayload): Promise<SignIn | Refusal> {
    const { jti = '', exp = 0, end } = claims;
    if (this.#ended.has(jti)) return { why: 'the session was ended', claimed: memberNo };
    const until = exp * 1000;
    if (until - Date.now() < this.#idleMs * (1 - RENEW_AFTER) && until < Number(end)) {
      c.header('Set-Cookie', await this.#bake(memberNo, jti, Number(end)));
    }
    return { memberNo, sessionId: jti, until };
  }

  get #idleMs(): number {
    return this.#policy.sessionIdleMinutes * 60_000;
  }

  /** @param end when it ends at the latest, however often it is renewed */
  async #bake(memberNo: MemberNo, sessionId: string, end: number): Promise<string> {
    const seconds = Math.ceil(Math.min(end, Date.now() + this.#idleMs) / 1000);
    const token = await new SignJWT({ end })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject(memberNo)
      .setJti(sessionId)
      .setAudience(AUDIENCE)
      .setExpirationTime(seconds)
      .sign(new TextEncoder().encode(this.#policy.sessionSecret));
    return generateCookie(this.#cookieName, token, {
      path: '/',
      httpOnly: true,
      sameSite: 'Lax',
      maxAge: seconds - Math.floor(Date.now() / 1000),
      secure: this.#isSecure,
    });
  }
}

/**
 * Only signed-in members pass. A request of nobody uses up the anonymous budget of its address.
 *
 * @param take counts the request; throws when there were too many
 */
export function requireMember(
  auth: Auth,
  { limits, telemetry }: { readonly limits: Limits; readonly telemetry: Telemetry },
  take: (memberNo: MemberNo) => Promise<void>,
): MiddlewareHandler<SignedIn> {
  return async (c, next) => {
    const found = await auth.authenticate(c as Context);
    if (!('memberNo' in found)) {
      await limits.anonymous(c.env.incoming);
      if (found.isUndecided) throw new Problem('sign-in-unavailable', { retryAfter: KEYS_RETRY_SECONDS });
      if (found.why !== undefined) telemetry.refusedToken(found.why, found.claimed);
      throw new Problem('broker-unauthorized');
    }
    await take(found.memberNo);
    c.set('memberNo', found.memberNo);
    c.set('sessionId', found.sessionId);
    c.set('until', found.until);
    return next();
  };
}

function reasonOf(error: errors.JOSEError): string {
  return error instanceof errors.JWTClaimValidationFailed ? `${error.code} ${error.claim}` : error.code;
}

/** Not believed, but a help for whoever reads the log. */
function memberClaimedBy(token: string, claim: string): MemberNo | undefined {
  try {
    return memberNoSchema.safeParse(decodeJwt(token)[claim]).data;
  } catch {
    return undefined;
  }
}

/** Nobody can tell now whether a token is good. */
class KeysUnavailableError extends Error {}

type Verify = (token: string) => Promise<JWTPayload>;

/** What tokens of one kind are verified with. */
interface Keys {
  readonly algorithms: string[];
  /** Tried one after the other. */
  readonly candidates: readonly JWTVerifyGetKey[];
  /** Fetches the keys again, unless that was a moment ago. True: another try makes sense. */
  refresh?(): Promise<boolean>;
}

function secretKeys(...secrets: readonly (string | undefined)[]): Keys {
  const keys = secrets
    .filter((secret) => secret !== undefined)
    .map((secret) => new TextEncoder().encode(secret));
  return { algorithms: ['HS256'], candidates: keys.map((key) => async () => key) };
}

/** Keys that are known stay good while their server is away: else its outage would end all calls. */
function remoteKeys(url: string, failed: (error: unknown) => void): Keys {
  const set = createRemoteJWKSet(new URL(url), { timeoutDuration: KEYS_TIMEOUT_MS, cacheMaxAge: Infinity });
  let refreshAt = Date.now() + KEYS_REFRESH_MS;
  const reload = () => {
    refreshAt = Date.now() + KEYS_REFRESH_MS;
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

/**
 * Verifies tokens of one kind, each once in a while: the signature costs more than all the rest of a request.
 *
 * @returns the claims; rejects with a JOSEError for a token that must not be believed, or a KeysUnavailableError
 */
function createVerifier({ algorithms, candidates, refresh }: Keys, expected: JWTVerifyOptions): Verify {
  // A token that never ends could not be taken back.
  const options = { ...expected, algorithms, requiredClaims: ['exp'] };
  const toleranceSeconds = Number(expected.clockTolerance ?? 0);
  const verified = new LRUCache<string, JWTPayload>({ max: VERIFIED_TOKENS, ttl: VERIFIED_MS });
  const tryKeys = async (keys: readonly JWTVerifyGetKey[], token: string): Promise<JWTPayload> => {
    let failure: unknown;
    for (const key of keys) {
      try {
        return (await jwtVerify(token, key, options)).payload;
      } catch (error) {
        if (error instanceof errors.JWKSMultipleMatchingKeys) return tryKeys(await keysOf(error), token);
        if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
        failure = error;
      }
    }
    throw failure;
  };
  return async (token) => {
    const known = verified.get(token);
    if (known && (Number(known.exp) + toleranceSeconds) * 1000 > Date.now()) return known;
    const claims = await tryKeys(candidates, token).catch(async (error: unknown) => {
      // A key set without key ids does not show that it holds the key no more, or not yet.
      if (!(error instanceof errors.JWSSignatureVerificationFailed) || !(await refresh?.())) throw error;
      return tryKeys(candidates, token);
    });
    verified.set(token, claims);
    return claims;
  };
}

/** Several keys of a set fit, as the token does not name one. */
async function keysOf(error: errors.JWKSMultipleMatchingKeys): Promise<JWTVerifyGetKey[]> {
  const keys: JWTVerifyGetKey[] = [];
  for await (const key of error) keys.push(async () => key);
  return keys;
}
