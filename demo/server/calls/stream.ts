/**
 * Call events as streams that pages read with `EventSource`, or with `fetch` where a page sends bearer tokens. A webhook may
 * reach another companion, so all of them look into the store: once a second while a page listens, at once after a webhook.
 */
import { once } from 'node:events';
import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import * as z from 'zod/mini';
import type { SignedIn } from '../auth.ts';
import type { Database } from '../store/database.ts';
import { kindSchema } from './webhooks.ts';

const LOOK_MS = 1000;
const BEAT_MS = 20_000;
/** The longest sign-in; a timer cannot be set for longer than some weeks. */
const LONGEST_MS = 12 * 3_600_000;
/** Events that are read in one go. */
const MOST_AT_ONCE = 200;
/** A page that has stopped reading is let go, rather than remembered for. */
const MOST_UNREAD = 100;
/** Of one member. With one more the oldest ends, and comes back only after a while: else they would take turns. */
const MOST_STREAMS = 20;
const COME_BACK_MS = 60_000;

interface Page {
  readonly memberNo: string;
  readonly sessionId: string | undefined;
  /** Up to this number it has been sent everything; undefined: it is told of what comes from now on. */
  sent: number | undefined;
  write(text: string): void;
  end(): void;
}

const text = z.nullable(z.string());
const rowSchema = z.object({
  number: z.number(),
  member: z.string(),
  kind: kindSchema,
  transId: z.string(),
  externalCallId: text,
  disposition: text,
});
type Row = z.infer<typeof rowSchema>;

const eventIdSchema = z.pipe(z.string().check(z.regex(/^\d{1,15}$/)), z.transform(Number));

export class CallStreams {
  readonly #database: Database;
  /** In the order in which they began. */
  readonly #pages = new Set<Page>();
  #timer: NodeJS.Timeout | undefined;
  #wanted = false;
  #looking = false;

  constructor(database: Database) {
    this.#database = database;
  }

  async open(c: Context<SignedIn>): Promise<Response> {
    const { memberNo, sessionId, until } = c.var;
    // A question about the stream is none for it.
    if (c.req.method === 'HEAD') return c.body(null, 200, { 'Content-Type': 'text/event-stream' });
    const again = eventIdSchema.safeParse(c.req.header('Last-Event-ID')).data;
    // Never a refusal: a page that was refused does not ask again.
    const newest = await this.#position().catch(() => undefined);
    // A number of the future is one of another store.
    const since = newest === undefined ? again : Math.min(again ?? newest, newest);
    c.header('X-Accel-Buffering', 'no');
    return streamSSE(c, async (stream) => {
      const over = new AbortController();
      let unread = 0;
      const write = (part: string) => {
        if ((unread += 1) > MOST_UNREAD) return stream.abort();
        void stream.write(part).then(() => (unread -= 1));
      };
      const end = () => over.abort();
      stream.onAbort(end);
      // Proxies cut what is silent, and a comment is no event.
      const beat = setInterval(write, BEAT_MS, ':\n\n');
      const signInEnd = setTimeout(end, Math.min(until - Date.now(), LONGEST_MS));
      // The number counts as received, for a page that leaves before it receives one.
      write(since === undefined ? ':\n\n' : `id: ${since}\n\n`);
      const page = { memberNo: memberNo.toLowerCase(), sessionId, sent: since, write, end };
      this.#add(page);
      if (!over.signal.aborted) await once(over.signal, 'abort');
      clearInterval(beat);
      clearTimeout(signInEnd);
      this.#remove(page);
    });
  }

  /** Those of one session, or all. */
  end(sessionId?: string): void {
    for (const page of this.#pages) if (sessionId === undefined || page.sessionId === sessionId) page.end();
  }

  /** There may be something new. */
  wake(): void {
    this.#wanted = true;
    if (!this.#looking) void this.#lookWhileWanted();
  }

  #add(page: Page): void {
    this.#pages.add(page);
    const own = [...this.#pages].filter(({ memberNo }) => memberNo === page.memberNo);
    for (const oldest of own.slice(0, -MOST_STREAMS)) {
      oldest.write(`retry: ${COME_BACK_MS}\n\n`);
      oldest.end();
    }
    this.#timer ??= setInterval(() => this.wake(), LOOK_MS);
    this.wake();
  }

  #remove(page: Page): void {
    this.#pages.delete(page);
    if (this.#pages.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #lookWhileWanted(): Promise<void> {
    this.#looking = true;
    while (this.#wanted && this.#pages.size > 0) {
      this.#wanted = false;
      // A store that fails is asked again in a second; `/readyz` tells of it.
      await this.#look().catch(() => undefined);
    }
    this.#looking = false;
  }

  async #look(): Promise<void> {
    // Who comes meanwhile has to wait for the next look.
    const pages = [...this.#pages];
    for (const page of pages) page.sent ??= await this.#position();
    const rows = await this.#read(Math.min(...pages.map(({ sent = 0 }) => sent)));
    for (const row of rows) {
      for (const page of pages) if (page.memberNo === row.member) this.#send(page, row);
    }
    const last = rows.at(-1)?.number ?? 0;
    for (const page of pages) page.sent = Math.max(page.sent ?? 0, last);
    this.#wanted ||= rows.length === MOST_AT_ONCE;
  }

  #send(page: Page, { number, kind, transId, externalCallId, disposition }: Row): void {
    if (!this.#pages.has(page) || number <= (page.sent ?? 0)) return;
    const data = JSON.stringify({
      kind,
      transId,
      externalCallId: externalCallId ?? undefined,
      disposition: disposition ?? undefined,
    });
    page.write(`id: ${number}\nevent: call\ndata: ${data}\n\n`);
  }

  async #position(): Promise<number> {
    const [row] = await this.#database.read('select last from call_sequence');
    return Number(row?.['last']);
  }

  async #read(after: number): Promise<readonly Row[]> {
    const rows = await this.#database.read(
      `select told as number, member, kind, trans_id as "transId",
         external_call_id as "externalCallId", disposition
       from call_event where told > ? order by told limit ${MOST_AT_ONCE}`,
      [after],
    );
    return rows.map((row) => rowSchema.parse(row));
  }
}
