/**
 * Authenticates a request: the member of our session cookie, or of the partner's bearer token. Both are JWTs. The
 * companion spends money for the member that this file returns: never take the member from a body or a bare header.
 */
import { randomBytes } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { deleteCookie, generateCookie, getCookie } from 'hono/cookie';
import { decodeJwt, errors, SignJWT, type JWTPayload } from 'jose';
import type { Config } from '../config.ts';
import { Problem, type FromNode } from '../problem.ts';
import type { Limits } from './limits.ts';
import {
  createVerifier,
  KEYS_RETRY_SECONDS,
  KeysUnavailableError,
  remoteKeys,
  secretKeys,
  type Verify,
} from './tokens.ts';
import type { Telemetry } from '../telemetry.ts';
import { memberNoSchema, type MemberNo } from '../vbot/api.ts';

export interface SignIn {
  readonly memberNo: MemberNo;
  /** Of a cookie; undefined with a bearer token. */
  readonly sessionId: string | undefined;
  /** When the sign-in ends, if it is not renewed. Milliseconds since 1970. */
  readonly until: number;
}

/** The context of routes behind the sign-in. */
export interface SignedIn extends FromNode {
  Variables: FromNode['Variables'] & SignIn;
}

/** Sessions that `POST /logout` ended. */
interface EndedSessions {
  has(sessionId: string | undefined): boolean;
  isKnown(beganAt: number): Promise<boolean>;
  add(sessionId: string, until: number): Promise<boolean>;
}

/** Why nobody is signed in. Without a token, `why` is undefined. */
interface Refusal {
  readonly why: string | undefined;
  /** The keys to verify the token, or the sessions that were ended, cannot be read now. */
  readonly isUndecided?: boolean;
  /** The member that the token names, not verified. */
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
/** The prefix binds a cookie to this host; browsers accept it with `Secure` only. */
const NAMES = { plain: 'dialer_session', secure: '__Host-dialer_session' };
/** Clocks of two servers differ. */
const TOLERANCE_SECONDS = 30;

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
    // PUBLIC_ORIGIN decides whether cookies are `Secure`, never the client's headers.
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
      if (memberNo === undefined) return { why: `no valid member number in the claim ${claim}` };
      if (!isBearer) return await this.#readSession(c, memberNo, claims);
      return { memberNo, sessionId: undefined, until: (Number(claims.exp) + TOLERANCE_SECONDS) * 1000 };
    } catch (error) {
      const claimed = memberClaimedBy(token, claim);
      if (error instanceof KeysUnavailableError) return { why: error.message, claimed, isUndecided: true };
      if (!(error instanceof errors.JOSEError)) throw error;
      const about = error instanceof errors.JWTClaimValidationFailed ? ` ${error.claim}` : '';
      return { why: `${error.code}${about}`, claimed };
    }
  }

  /** A new session of this member, as the value of a `Set-Cookie` header. */
  startSession(memberNo: MemberNo): Promise<string> {
    return this.#signCookie(memberNo, randomBytes(12).toString('base64url'), Date.now() + SESSION_MS);
  }

  /** Ends the session of the request's cookie, on every companion. @returns false: the other companions do not know it yet */
  async endSession(c: Context<FromNode>): Promise<boolean> {
    const cookie = getCookie(c, this.#cookieName) ?? '';
    // The sign-in may have renewed it a moment ago.
    c.header('Set-Cookie', undefined);
    deleteCookie(c, this.#cookieName, { path: '/', secure: this.#isSecure });
    const { jti, end } = await this.#verifyCookie(cookie).catch((): JWTPayload => ({}));
    return jti === undefined || this.#ended.add(jti, Number(end));
  }

  /** Whether `POST /logout` has ended it meanwhile. */
  hasEnded({ sessionId }: SignIn): boolean {
    return this.#ended.has(sessionId);
  }

  async #readSession(c: Context, memberNo: MemberNo, claims: JWTPayload): Promise<SignIn | Refusal> {
    const { jti = '', exp = 0, end } = claims;
    if (!(await this.#ended.isKnown(Number(end) - SESSION_MS)))
      return { why: 'the ended sessions could not be read yet', claimed: memberNo, isUndecided: true };
    if (this.#ended.has(jti)) return { why: 'the session was ended', claimed: memberNo };
    const until = exp * 1000;
    if (until - Date.now() < this.#idleMs * (1 - RENEW_AFTER) && until < Number(end)) {
      c.header('Set-Cookie', await this.#signCookie(memberNo, jti, Number(end)));
    }
    return { memberNo, sessionId: jti, until };
  }

  get #idleMs(): number {
    return this.#policy.sessionIdleMinutes * 60_000;
  }

  /** @param end when it ends at the latest, however often it is renewed */
  async #signCookie(memberNo: MemberNo, sessionId: string, end: number): Promise<string> {
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
 * Lets only signed-in members pass. Other requests use up the anonymous budget of their address.
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
      if (found.why !== undefined) telemetry.refusedToken(found.why, found.claimed);
      if (found.isUndecided) throw new Problem('sign-in-unavailable', { retryAfter: KEYS_RETRY_SECONDS });
      throw new Problem('broker-unauthorized');
    }
    telemetry.nameMember(found.memberNo);
    await take(found.memberNo);
    c.set('memberNo', found.memberNo);
    c.set('sessionId', found.sessionId);
    c.set('until', found.until);
    await next();
    // The next agent may have signed in at this browser: a renewed cookie would end their session.
    if (auth.hasEnded(found)) c.header('Set-Cookie', undefined);
    return undefined;
  };
}

/** Not verified: for the log only. */
function memberClaimedBy(token: string, claim: string): MemberNo | undefined {
  try {
    return memberNoSchema.safeParse(decodeJwt(token)[claim]).data;
  } catch {
    return undefined;
  }
}
