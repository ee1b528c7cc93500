/**
 * `Idempotency-Key`: a request that is sent again with the key of an earlier one gets the earlier answer, and nothing is
 * done twice. The ledger keeps money exact without it.
 */
import { createHash } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import type { SignedIn } from '../http/context.ts';
import { problem } from '../http/problem.ts';
import type { Database, Row } from './database.ts';

/** A companion that died over a request blocks its key for so long. */
const TAKEOVER_MS = 60_000;
const KEEP_MS = 24 * 3_600_000;

export function idempotent(database: Database): MiddlewareHandler<SignedIn> {
  return async (c, next) => {
    const key = c.env.incoming.headers['idempotency-key'];
    if (key === undefined) return next();
    if (typeof key !== 'string' || !/^[\x21-\x7e]{1,128}$/.test(key)) {
      return problem('invalid-request', 'Idempotency-Key: up to 128 printable characters.');
    }
    const scope = `${c.get('memberNo').toLowerCase()} ${c.req.path}`;
    const request = createHash('sha256')
      .update(await c.req.text())
      .digest('base64url');
    const earlier = await claim(database, scope, key, request).catch(() => 'unusable' as const);
    if (earlier === 'unusable') return problem('not-ready', 'Idempotency-Key cannot be kept right now.');
    if (earlier && earlier['request'] !== request) return problem('key-reused');
    if (earlier) return earlier['status'] === null ? problem('in-progress') : replay(earlier);
    await next();
    await keep(database, scope, key, c.res.clone());
  };
}

/** The earlier request with this key; undefined: this is the first. */
function claim(database: Database, scope: string, key: string, request: string): Promise<Row | undefined> {
  return database.transact(async (sql) => {
    const [clock] = await sql('select now from clock');
    const now = Number(clock?.['now']);
    const [claimed] = await sql(
      `insert into idempotency (scope, key, request, at) values (?, ?, ?, ?) on conflict (scope, key)
       do update set at = excluded.at, request = excluded.request
       where idempotency.status is null and idempotency.at < ? returning at`,
      [scope, key, request, now, now - TAKEOVER_MS],
    );
    if (claimed) return undefined;
    const [row] = await sql(
      'select request, status, type, body from idempotency where scope = ? and key = ?',
      [scope, key],
    );
    return row;
  });
}

async function keep(database: Database, scope: string, key: string, response: Response): Promise<void> {
  const body = await response.text();
  const isFinal = response.status !== 429;
  const save = database.transact((sql) =>
    isFinal
      ? sql('update idempotency set status = ?, type = ?, body = ? where scope = ? and key = ?', [
          response.status,
          response.headers.get('Content-Type') ?? '',
          body,
          scope,
          key,
        ])
      : sql('delete from idempotency where scope = ? and key = ?', [scope, key]),
  );
  // What was done is done: whoever asks again is told that it is under way, until the key is free.
  await save.catch(() => undefined);
}

function replay({ status, type, body }: Row): Response {
  const headers = { 'Content-Type': String(type), 'Idempotency-Replayed': 'true' };
  return new Response(String(body), { status: Number(status), headers });
}

export async function forgetKeys(database: Database): Promise<void> {
  await database.transact((sql) =>
    sql('delete from idempotency where at < (select now from clock) - ?', [KEEP_MS]),
  );
}
