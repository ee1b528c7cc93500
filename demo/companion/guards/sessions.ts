/** Cookie sessions: `POST /logout` ends one on every companion of the store; the demo's `POST /login` starts one. */
import { setTimeout as delay } from 'node:timers/promises';
import { timeout, TimeoutStrategy } from 'cockatiel';
import { Hono } from 'hono';
import { LRUCache } from 'lru-cache';
import * as z from 'zod/mini';
import type { Auth } from './auth.ts';
import { jsonBody } from './http.ts';
import { Problem, type FromNode } from '../problem.ts';
import type { Limits } from './limits.ts';
import type { Database } from '../store/database.ts';
import type { Telemetry } from '../telemetry.ts';
import { memberNoSchema } from '../vbot/api.ts';

/** How long a sign-out waits for the store. */
const inTime = timeout(2000, TimeoutStrategy.Aggressive);
/** A row that was committed late may have an earlier time than one that was read before. */
const OVERLAP_MS = 10_000;
/** More than all agents end in 12 hours. */
const MOST_KNOWN = 50_000;
const LOGIN_BYTES = 1024;
const NOT_WRITTEN = 'A sign-out is not in the store yet: until it is, other companions believe the session.';
const [isTrue, isFalse] = [() => true, () => false];
const loginSchema = z.object({ memberNo: memberNoSchema });

/** Sessions that were ended before their time. Requests look into memory only; the store is read every second. */
export class EndedSessions {
  readonly #database: Database;
  /** Not forgotten by the clock: after one that was ahead is set back, their cookies are valid again. */
  readonly #ids = new LRUCache<string, true>({ max: MOST_KNOWN });
  /** Ended here, and not written to the store yet. */
  readonly #unwritten = new Map<string, number>();
  readonly #listeners = new Set<(sessionId: string) => void>();
  readonly #startedAt = Date.now();
  readonly #firstRead: Promise<void>;
  #onFirstRead: () => void = () => undefined;
  #newest = 0;

  constructor(database: Database) {
    this.#database = database;
    this.#firstRead = new Promise((resolve) => (this.#onFirstRead = resolve));
  }

  /** @param sessionId absent: a sign-in of the partner's own */
  has(sessionId = ''): boolean {
    return this.#ids.has(sessionId);
  }

  /** Whether it is known if a session that began then was ended: waits for the first answer of the store. */
  async isKnown(beganAt: number): Promise<boolean> {
    if (beganAt > this.#startedAt) return true;
    return inTime.execute(() => this.#firstRead).then(isTrue, isFalse);
  }

  /** Ends it here at once, and elsewhere as soon as the store allows. @returns whether the store has it already */
  async add(sessionId: string, until: number): Promise<boolean> {
    this.#end(sessionId);
    this.#unwritten.set(sessionId, until);
    return inTime.execute(() => this.#write()).then(isTrue, isFalse);
  }

  onEnd(listener: (sessionId: string) => void): void {
    this.#listeners.add(listener);
  }

  /** Reads what other companions have ended, until the signal. */
  async follow(pollMs: number, signal: AbortSignal): Promise<void> {
    const old = 'delete from ended_session where until < (select now from clock)';
    await this.#database.write(old).catch(() => undefined);
    do await this.#refresh().catch(() => undefined);
    while (await delay(pollMs, true, { signal }).catch(() => false));
  }

  async #refresh(): Promise<void> {
    await this.#write();
    const now = Date.now();
    // After the clock was put back, new rows have earlier times than known ones: read all.
    const rows = await this.#database.read(
      'select id, at from ended_session, clock where until > ? and (at > ? or clock.now < ?)',
      [now, this.#newest - OVERLAP_MS, this.#newest],
    );
    for (const { id, at } of rows) {
      this.#newest = Math.max(this.#newest, Number(at));
      this.#end(String(id));
    }
    this.#onFirstRead();
  }

  async #write(): Promise<void> {
    for (const [id, until] of this.#unwritten) {
      await this.#database.write(
        'insert into ended_session (id, until, at) select ?, ?, now from clock where true on conflict do nothing',
        [id, until],
      );
      this.#unwritten.delete(id);
    }
  }

  #end(sessionId: string): void {
    if (this.#ids.has(sessionId)) return;
    this.#ids.set(sessionId, true);
    for (const listener of this.#listeners) listener(sessionId);
  }
}

/** @param isDemo whether anybody may sign in as any agent, without a password */
export function createSessionRoutes(
  auth: Auth,
  { limits, telemetry }: { readonly limits: Limits; readonly telemetry: Telemetry },
  isDemo: boolean,
): Hono<FromNode> {
  const app = new Hono<FromNode>();

  // Not limited for signed-in members: else a flood from their address would keep their session open.
  app.post('/logout', async (c) => {
    if (!('memberNo' in (await auth.authenticate(c)))) await limits.anonymous(c.env.incoming);
    if (!(await auth.endSession(c))) telemetry.warnHourly(NOT_WRITTEN);
    return c.body(null, 204);
  });
  if (!isDemo) return app;

  app.use('/login', async (c, next) => {
    await limits.anonymous(c.env.incoming);
    return next();
  });
  app.post('/login', jsonBody(LOGIN_BYTES), async (c) => {
    const { data } = loginSchema.safeParse(c.get('body'));
    if (!data)
      throw new Problem('invalid-request', { detail: 'memberNo: letters a-z, A-Z and digits only.' });
    const { memberNo } = data;
    // A late answer to the agent before must not set their cookie again.
    await auth.endSession(c);
    c.header('Set-Cookie', await auth.startSession(memberNo));
    return c.json({ memberNo });
  });

  return app;
}
