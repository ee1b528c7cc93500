/**
 * Who is asking? The one file to replace by a sign-in of your own: have `authenticate` read your session, and return its
 * member. Whatever it says is believed, and money is spent on it, so never take the member from a body, a query or a bare
 * header.
 */
import type { Context } from 'hono';
import type { BearerTokens } from './http/bearer.ts';
import type { FromNode, SignIn } from './http/context.ts';
import type { Sessions } from './http/sessions.ts';

export interface Authentication {
  /** The cookies that `POST /login` of the demo sets. */
  readonly sessions: Sessions;
  /** Your own JWTs, with AUTH_JWT_SECRET or AUTH_JWKS_URL. */
  readonly bearer: BearerTokens | undefined;
}

/** The member this request is signed in as; undefined: nobody. It is asked at every request, so it has to be quick. */
export async function authenticate(
  c: Context<FromNode>,
  { sessions, bearer }: Authentication,
): Promise<SignIn | undefined> {
  const { authorization } = c.env.incoming.headers;
  if (bearer && authorization !== undefined) return bearer.read(authorization);
  return sessions.read(c);
}
