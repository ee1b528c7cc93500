/** The partner's own bearer tokens: a JWT that names the member, signed with a shared secret or by the partner's key server. */
import type { JWTVerifyGetKey, JWTVerifyOptions } from 'jose';
import { memberNoSchema } from '../vendor/data.ts';
import type { SignIn } from './context.ts';

export interface BearerPolicy {
  /** HS256; else the keys of `keysUrl`, RS256 or ES256. */
  readonly secret: string | undefined;
  readonly keysUrl: string | undefined;
  readonly issuer: string | undefined;
  readonly audience: string | undefined;
  readonly memberClaim: string;
}

type Verify = (token: string) => Promise<Readonly<Record<string, unknown>>>;

const KEYS_TIMEOUT_MS = 3000;
/** Clocks of two servers differ. */
const TOLERANCE_SECONDS = 30;

export class BearerTokens {
  readonly #memberClaim: string;
  readonly #verify: Promise<Verify>;

  constructor(policy: BearerPolicy) {
    this.#memberClaim = policy.memberClaim;
    this.#verify = createVerifier(policy);
    // Reported by whoever waits for it.
    this.#verify.catch(() => undefined);
  }

  /** Undefined: there is no token, or one that must not be believed. */
  async read(authorization: string | undefined): Promise<SignIn | undefined> {
    const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
    if (token === undefined) return undefined;
    const verify = await this.#verify;
    const claims = await verify(token).catch(() => undefined);
    const memberNo = memberNoSchema.safeParse(claims?.[this.#memberClaim]).data;
    return memberNo && { memberNo, sessionId: undefined };
  }
}

async function createVerifier({ secret, keysUrl, issuer, audience }: BearerPolicy): Promise<Verify> {
  const { createRemoteJWKSet, jwtVerify } = await import('jose');
  const algorithms = secret === undefined ? ['RS256', 'ES256'] : ['HS256'];
  const options: JWTVerifyOptions = {
    algorithms,
    clockTolerance: TOLERANCE_SECONDS,
    // One that never ends could not be taken back.
    requiredClaims: ['exp'],
    ...(issuer !== undefined && { issuer }),
    ...(audience !== undefined && { audience }),
  };
  const key = secret === undefined ? undefined : new TextEncoder().encode(secret);
  const keys: JWTVerifyGetKey = key
    ? async () => key
    : createRemoteJWKSet(new URL(keysUrl ?? ''), { timeoutDuration: KEYS_TIMEOUT_MS });
  return async (token) => (await jwtVerify(token, keys, options)).payload;
}
