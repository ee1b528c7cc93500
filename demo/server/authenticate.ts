/**
 * Who is asking? The one file to replace: have `authenticate` read your own session, and delete demo-login.ts.
 * Whatever it says is believed, and money is spent on it, so never take the member from a body, a query or a bare header.
 */
import type { Context } from 'hono';
import { deleteCookie, getSignedCookie, setSignedCookie } from 'hono/cookie';
import { memberNoSchema, type MemberNo } from './open-api.ts';

const COOKIE = 'dialer_session';
const SESSION_SECONDS = 12 * 3600;

/** What routes behind the sign-in find in their context. */
export interface SignedIn {
  Variables: { memberNo: MemberNo };
}

/** The member this request is signed in as, or undefined. */
export async function authenticate(c: Context, secret: string): Promise<MemberNo | undefined> {
  const value = await getSignedCookie(c, secret, COOKIE);
  if (!value) return undefined;
  const [memberNo, end] = value.split('.');
  // The browser forgets the cookie by then; whoever copied it would not.
  if (!(Number(end) > Date.now())) return undefined;
  return memberNoSchema.safeParse(memberNo).data;
}

export async function signIn(c: Context, secret: string, memberNo: MemberNo): Promise<void> {
  const end = Date.now() + SESSION_SECONDS * 1000;
  const secure = (c.req.header('X-Forwarded-Proto') ?? new URL(c.req.url).protocol).startsWith('https');
  await setSignedCookie(c, COOKIE, `${memberNo}.${end}`, secret, {
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    maxAge: SESSION_SECONDS,
    secure,
  });
}

export function signOut(c: Context): void {
  deleteCookie(c, COOKIE, { path: '/' });
}
