/** What the vendor tells of calls: kept once each, in whatever order and however often it comes, and passed on live. */
import * as z from 'zod/mini';
import type { Database, Sql } from '../money/database.ts';
import { LivePages, type Listener } from './live-pages.ts';
import { readPayload, type Told } from './payload.ts';

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

  /** The vendor does not say whom an automatic call went to: only this id comes back. */
  async expect(externalCallId: string, memberNo: string): Promise<void> {
    await this.#database.all('insert into expected_call (external_call_id, member) values (?, ?)', [
      externalCallId,
      memberNo,
    ]);
  }

  /** The number of the newest event: a page that listens from here hears what comes. */
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

const keptSchema = z.object({
  kind: z.string(),
  member: z.nullable(z.string()),
  told: z.nullable(z.number()),
});

/** Numbers what can be told now: this, or what came earlier and did not say whose it was. */
async function keep(sql: Sql, told: Told, payload: string): Promise<void> {
  const { kind, transId, externalCallId, disposition } = told;
  const before = (await sql('select kind, member, told from call_event where trans_id = ?', [transId])).map(
    (row) => keptSchema.parse(row),
  );
  const member =
    told.member ?? before.find((row) => row.member !== null)?.member ?? (await memberOf(sql, externalCallId));
  await sql(
    `insert into call_event (trans_id, kind, member, external_call_id, disposition, payload, times)
      values (?, ?, ?, ?, ?, ?, 1) on conflict (trans_id, kind) do update set times = call_event.times + 1`,
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
