/** What the vendor tells of calls: kept once each for a while, in whatever order and however often it comes, and passed on live. */
import * as z from 'zod/mini';
import type { Database, Sql } from '../money/database.ts';
import { LivePages, type Listener } from './live-pages.ts';
import { readPayload, type WebhookEvent } from './payload.ts';

export class CallEvents {
  readonly #database: Database;
  readonly #pages: LivePages;

  constructor(database: Database) {
    this.#database = database;
    this.#pages = new LivePages(database);
  }

  /** Keeps what was told, and numbers what is new to the member's pages. What nobody understands is kept too. */
  async accept(payload: unknown): Promise<void> {
    const text = JSON.stringify(payload);
    await this.#database.transact(async (sql) => {
      // One webhook at a time, among all companions: parts of a call that come at once see each other, and no number
      // is to be seen before a lower one.
      await sql('update call_sequence set last = last');
      for (const told of readPayload(payload, text)) await keep(sql, told, text);
    });
    this.#pages.wake();
  }

  /**
   * The vendor does not say whom an automatic call went to: only this id comes back.
   *
   * @returns undefined, or how many milliseconds the member has to wait first
   */
  expect(
    externalCallId: string,
    memberNo: string,
    { perMinute, perDay }: CallRates,
  ): Promise<number | undefined> {
    return this.#database.transact(async (sql) => {
      // One at a time, among all companions, so that nobody counts what another is about to add.
      await sql('update call_sequence set last = last');
      const [clock] = await sql('select now from clock');
      const now = Number(clock?.['now']);
      const rows = await sql(
        'select at from expected_call where lower(member) = lower(?) and at > ? order by at desc',
        [memberNo, now - DAY_MS],
      );
      const times = rows.map(({ at }) => Number(at));
      // The one that has to be over before another fits in.
      const waits = [
        (times[perMinute - 1] ?? -Infinity) + MINUTE_MS - now,
        (times[perDay - 1] ?? -Infinity) + DAY_MS - now,
      ];
      const wait = Math.max(...waits);
      if (wait > 0) return wait;
      await sql('insert into expected_call (external_call_id, member, at) values (?, ?, ?)', [
        externalCallId,
        memberNo,
        now,
      ]);
      return undefined;
    });
  }

  /** It was not made after all. */
  async forget(externalCallId: string): Promise<void> {
    await this.#database.transact((sql) =>
      sql('delete from expected_call where external_call_id = ?', [externalCallId]),
    );
  }

  /** What the vendor told is kept for so many days. */
  async removeOld(days: number): Promise<void> {
    await this.#database.transact(async (sql) => {
      for (const table of ['call_event', 'expected_call'])
        await sql(`delete from ${table} where at < (select now from clock) - ?`, [days * DAY_MS]);
    });
  }

  /** The number of the newest event: a page that listens from here is sent what comes. */
  position(): Promise<number> {
    return this.#pages.position();
  }

  /**
   * Tells of each event after `since` once, in order, whichever companion of the database it came to.
   *
   * @param since a number of an event; undefined: from when the database can be asked
   * @returns how to stop
   */
  listen(memberNo: string, since: number | undefined, listener: Listener): () => void {
    return this.#pages.listen(memberNo, since, listener);
  }
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 3_600_000;

/** Calls that are made for one member. */
export interface CallRates {
  readonly perMinute: number;
  readonly perDay: number;
}

const keptSchema = z.object({
  kind: z.string(),
  member: z.nullable(z.string()),
  told: z.nullable(z.number()),
});

/** Numbers what can be told now: this, or what came earlier and did not say whose it was. */
async function keep(sql: Sql, event: WebhookEvent, payload: string): Promise<void> {
  const { kind, transId, externalCallId, disposition } = event;
  const before = (await sql('select kind, member, told from call_event where trans_id = ?', [transId])).map(
    (row) => keptSchema.parse(row),
  );
  const member =
    event.member ??
    before.find((row) => row.member !== null)?.member ??
    (await memberOf(sql, externalCallId));
  await sql(
    `insert into call_event (trans_id, kind, member, external_call_id, disposition, payload, times, at)
      select ?, ?, ?, ?, ?, ?, 1, now from clock where true on conflict (trans_id, kind) do update set times = call_event.times + 1`,
    [transId, kind, member, externalCallId, disposition, payload],
  );
  if (member === undefined) return;
  await sql(
    `update call_event set member = ?, external_call_id = coalesce(external_call_id, ?)
      where trans_id = ? and member is null`,
    [member, externalCallId, transId],
  );
  const others = before.filter((row) => row.kind !== kind && row.told === null);
  const known = before.some((row) => row.kind === kind && row.told !== null);
  for (const late of [...others.map((row) => row.kind), ...(known ? [] : [kind])]) {
    const [sequence] = await sql('update call_sequence set last = last + 1 returning last');
    await sql('update call_event set told = ? where trans_id = ? and kind = ?', [
      Number(sequence?.['last']),
      transId,
      late,
    ]);
  }
}

async function memberOf(sql: Sql, externalCallId: string | undefined): Promise<string | undefined> {
  const [row] = await sql('select member from expected_call where external_call_id = ?', [
    externalCallId ?? '',
  ]);
  return row && String(row['member']);
}
