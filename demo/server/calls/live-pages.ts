/**
 * The pages that listen. The webhook may have reached another companion, so all of them look into the database they
 * share: once a second while somebody listens, and at once when this one was told something.
 */
import * as z from 'zod/mini';
import type { Database, Value } from '../money/database.ts';
import { kindSchema, type CallEvent } from './payload.ts';

const LOOK_MS = 1000;
/** Events that are read in one go. */
const MOST_AT_ONCE = 50;

/** @param number grows from event to event; a page that names it again is sent what came after */
export type Listener = (event: CallEvent, number: number) => void;

interface Page {
  readonly memberNo: string;
  readonly listener: Listener;
  /** The number of the newest event sent to it. */
  sent: number | undefined;
  /** What happened before it began to listen has still to be sent. */
  behind: boolean;
}

const text = z.nullable(z.string());
const rowSchema = z.object({
  number: z.number(),
  memberNo: z.string(),
  kind: kindSchema,
  transId: z.string(),
  externalCallId: text,
  disposition: text,
});
type Row = z.infer<typeof rowSchema>;

export class LivePages {
  readonly #database: Database;
  readonly #pages = new Set<Page>();
  /** Up to this number every page that is not behind has been sent everything. */
  #passedOn: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #wanted = false;
  #looking = false;

  constructor(database: Database) {
    this.#database = database;
  }

  async position(): Promise<number> {
    const [row] = await this.#database.read('select last from call_sequence');
    return Number(row?.['last']);
  }

  listen(memberNo: string, since: number | undefined, listener: Listener): () => void {
    const page = { memberNo, listener, sent: since, behind: true };
    this.#pages.add(page);
    this.#timer ??= setInterval(() => this.wake(), LOOK_MS);
    this.wake();
    return () => {
      this.#pages.delete(page);
      if (this.#pages.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
      this.#passedOn = undefined;
    };
  }

  wake(): void {
    this.#wanted = true;
    if (!this.#looking) void this.#lookWhileWanted();
  }

  async #lookWhileWanted(): Promise<void> {
    this.#looking = true;
    while (this.#wanted && this.#pages.size > 0) {
      this.#wanted = false;
      // A database that fails is asked again in a second; `/readyz` tells of it.
      await this.#look().catch(() => undefined);
    }
    this.#looking = false;
  }

  async #look(): Promise<void> {
    // In this order: what a page reads to catch up holds all that was passed on before.
    const passedOn = (this.#passedOn ??= await this.position());
    for (const page of this.#pages) if (page.behind) await this.#catchUp(page);
    const rows = await this.#read('told > ?', passedOn);
    for (const row of rows) {
      for (const page of this.#pages)
        if (!page.behind && page.memberNo === row.memberNo) this.#send(page, row);
    }
    if (this.#pages.size > 0) this.#passedOn = rows.at(-1)?.number ?? passedOn;
    this.#wanted ||= rows.length === MOST_AT_ONCE;
  }

  async #catchUp(page: Page): Promise<void> {
    const newest = await this.position();
    // A number of the future is one of another database.
    page.sent = Math.min(page.sent ?? newest, newest);
    const rows = await this.#read('told > ? and member = ?', page.sent, page.memberNo);
    for (const row of rows) this.#send(page, row);
    page.behind = rows.length === MOST_AT_ONCE;
  }

  /** Once everybody has gone, the database may be closed already. */
  async #read(which: string, ...values: Value[]): Promise<readonly Row[]> {
    if (this.#pages.size === 0) return [];
    const rows = await this.#database.read(
      `select told as number, member as "memberNo", kind, trans_id as "transId",
         external_call_id as "externalCallId", disposition
       from call_event where ${which} order by told limit ${MOST_AT_ONCE}`,
      values,
    );
    return rows.map((row) => rowSchema.parse(row));
  }

  #send(page: Page, { number, kind, transId, externalCallId, disposition }: Row): void {
    // It may have left meanwhile, or have been sent this one while it caught up.
    if (!this.#pages.has(page) || number <= (page.sent ?? 0)) return;
    page.sent = number;
    page.listener(
      {
        kind,
        transId,
        externalCallId: externalCallId ?? undefined,
        disposition: disposition ?? undefined,
      },
      number,
    );
  }
}
