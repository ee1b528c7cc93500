/**
 * Sessions as signed cookies: no store is asked whether one is valid. Each has an id, so that one can be ended on the
 * server, however its cookie is spelled or when it was renewed.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';
import { deleteCookie, setCookie } from 'hono/cookie';
import { memberNoSchema, type MemberNo } from '../vendor/data.ts';
import type { FromNode, SignIn } from './context.ts';

const SESSION_MS = 12 * 3_600_000;
/** Renewed when this part of the idle time is over, so that not every answer carries a cookie. */
const RENEW_AFTER = 0.1;
/** The prefix binds a cookie to this very host; browsers take it with `Secure` only. */
const NAMES = { plain: 'dialer_session', secure: '__Host-dialer_session' };

/** Which sessions were ended before their time. */
export interface EndedSessions {
  has(sessionId: string): boolean;
  add(sessionId: string, until: number): Promise<void>;
}

export interface SessionPolicy {
  readonly sessionSecret: string;
  /** Still believed, while secrets are being changed. */
  readonly previousSessionSecret: string | undefined;
  readonly sessionIdleMinutes: number;
  /** The cookie is `Secure` when this is https; what a client's headers say does not count. */
  readonly publicOrigin: string | undefined;
}

interface Session extends SignIn {
  readonly sessionId: string;
  /** Milliseconds since 1970. */
  readonly end: number;
  readonly idleEnd: number;
}

export class Sessions {
  readonly #secrets: readonly string[];
  readonly #idleMs: number;
  readonly #isSecure: boolean;
  readonly #ended: EndedSessions;

  constructor(policy: SessionPolicy, ended: EndedSessions) {
    const { sessionSecret, previousSessionSecret, sessionIdleMinutes, publicOrigin } = policy;
    this.#secrets = [sessionSecret, ...(previousSessionSecret === undefined ? [] : [previousSessionSecret])];
    this.#idleMs = sessionIdleMinutes * 60_000;
    this.#isSecure = publicOrigin?.startsWith('https:') ?? false;
    this.#ended = ended;
  }

  /** Who is signed in; being here renews the session. */
  read(c: Context<FromNode>): SignIn | undefined {
    const session = this.#sessionsIn(c).find(({ sessionId }) => !this.#ended.has(sessionId));
    if (session && session.idleEnd - Date.now() < this.#idleMs * (1 - RENEW_AFTER)) this.#write(c, session);
    return session;
  }

  start(c: Context<FromNode>, memberNo: MemberNo): void {
    const sessionId = randomBytes(12).toString('base64url');
    this.#write(c, { memberNo, sessionId, end: Date.now() + SESSION_MS });
  }

  /** Ends whatever session the request brings along, for every companion. */
  async end(c: Context<FromNode>): Promise<void> {
    deleteCookie(c, this.#name, { path: '/', secure: this.#isSecure });
    await Promise.all(this.#sessionsIn(c).map(({ sessionId, end }) => this.#ended.add(sessionId, end)));
  }

  get #name(): string {
    return this.#isSecure ? NAMES.secure : NAMES.plain;
  }

  #sessionsIn({ env }: Context<FromNode>): Session[] {
    const cookies = (env.incoming.headers.cookie ?? '').split(';').map((pair) => pair.trim());
    const prefix = `${this.#name}=`;
    return cookies
      .filter((pair) => pair.startsWith(prefix))
      .flatMap((pair) => this.#parse(pair.slice(prefix.length)) ?? []);
  }

  #parse(value: string): Session | undefined {
    const at = value.lastIndexOf('.');
    const signed = value.slice(0, at);
    const given = Buffer.from(value.slice(at + 1));
    if (!this.#secrets.some((secret) => isEqual(given, Buffer.from(sign(signed, secret))))) return undefined;
    const [memberNo, sessionId = '', end, idleEnd] = signed.split('.');
    const member = memberNoSchema.safeParse(memberNo).data;
    // The browser forgets the cookie by then; whoever copied it would not.
    if (!member || !(Math.min(Number(end), Number(idleEnd)) > Date.now())) return undefined;
    return { memberNo: member, sessionId, end: Number(end), idleEnd: Number(idleEnd) };
  }

  #write(c: Context<FromNode>, { memberNo, sessionId, end }: Omit<Session, 'idleEnd'>): void {
    const idleEnd = Math.min(end, Date.now() + this.#idleMs);
    const signed = `${memberNo}.${sessionId}.${end}.${idleEnd}`;
    setCookie(c, this.#name, `${signed}.${sign(signed, this.#secrets[0] ?? '')}`, {
      path: '/',
      httpOnly: true,
      sameSite: 'Lax',
      maxAge: Math.round((idleEnd - Date.now()) / 1000),
      secure: this.#isSecure,
    });
  }
}

/** By hand, as signed cookies of the framework ask WebCrypto: ten times the work, at every request. */
function sign(text: string, secret: string): string {
  return createHmac('sha256', secret).update(text).digest('base64url');
}

function isEqual(given: Buffer, right: Buffer): boolean {
  return given.length === right.length && timingSafeEqual(given, right);
}
