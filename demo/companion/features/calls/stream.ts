/**
 * Streams of call events. Pages read them with `EventSource`, or with `fetch` and a bearer token. A webhook may reach another
 * companion, so each one looks into the store: every second while a page listens, and at once after its own webhooks.
 */
import { once } from 'node:events';
import { setImmediate as immediate } from 'node:timers/promises';
import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import * as z from 'zod/mini';
import type { SignedIn } from '../../guards/auth.ts';
import type { EndedSessions } from '../../guards/sessions.ts';
import type { Database } from '../../store/database.ts';
import { memberKey } from '../../vbot/api.ts';
import { kindSchema } from './webhooks.ts';

const BEAT_MS = 20_000;
/** The longest sign-in. (A timer cannot be set for more than 24 days.) */
const LONGEST_MS = 12 * 3_600_000;
/** Events of one query. */
const MOST_AT_ONCE = 200;
/** A page that has stopped reading loses its stream, so that its events do not fill the memory. */
const MOST_UNREAD = 100;
/** For one member. One more ends the oldest, which waits before it reconnects: else the pages would evict each other. */
const MOST_STREAMS = 20;
const COME_BACK_MS = 60_000;

interface Page {
  readonly memberNo: string;
  readonly sessionId: string | undefined;
  /** The number of the last event sent; undefined: only new events are sent. */
  sent: number | undefined;
  write(text: string): void;
  end(): void;
}

const text = z.pipe(
  z.nullable(z.string()),
  z.transform((stored) => stored ?? undefined),
);
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
  readonly #pollMs: number;
  readonly #retired: AbortSignal;
  readonly #ended: EndedSessions;
  /** In the order in which they began. */
  readonly #pages = new Set<Page>();
  #timer: NodeJS.Timeout | undefined;
  #wanted = false;
  #looking = false;

  /**
   * @param pollMs how often it looks while a page listens
   * @param retired ends all streams, and those that open later
   * @param ended the sessions whose streams end, also those that are just being opened
   */
  constructor(database: Database, pollMs: number, retired: AbortSignal, ended: EndedSessions) {
    this.#database = database;
    this.#pollMs = pollMs;
    this.#retired = retired;
    this.#ended = ended;
    retired.addEventListener('abort', () => this.end());
    ended.onEnd((sessionId) => this.end(sessionId));
  }

  async open(c: Context<SignedIn>): Promise<Response> {
    const { memberNo, sessionId, until } = c.var;
    // HEAD opens no stream.
    if (c.req.method === 'HEAD') return c.body(null, 200, { 'Content-Type': 'text/event-stream' });
    const again = eventIdSchema.safeParse(c.req.header('Last-Event-ID')).data;
    // Never refuse: EventSource does not retry after a refusal.
    const newest = await this.#position().catch(() => undefined);
    // A number above the newest comes from another store.
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
      // Proxies close silent connections. A comment (`:`) causes no event.
      const beat = setInterval(write, BEAT_MS, ':\n\n');
      const signInEnd = setTimeout(end, Math.min(until - Date.now(), LONGEST_MS));
      // The page reconnects with this number, even if it leaves before the first event.
      write(since === undefined ? ':\n\n' : `id: ${since}\n\n`);
      const page = { memberNo: memberKey(memberNo), sessionId, sent: since, write, end };
      this.#add(page);
      if (this.#retired.aborted || this.#ended.has(sessionId)) end();
      if (!over.signal.aborted) await once(over.signal, 'abort');
      clearInterval(beat);
      clearTimeout(signInEnd);
      this.#remove(page);
    });
  }

  /** Ends the streams of one session, or all. */
  end(sessionId?: string): void {
    for (const page of this.#pages) if (sessionId === undefined || page.sessionId === sessionId) page.end();
  }

  /** Looks for new events now. */
  readonly wake = (): void => {
    this.#wanted = true;
    if (!this.#looking) void this.#lookWhileWanted();
  };

  #add(page: Page): void {
    this.#pages.add(page);
    const own = [...this.#pages].filter(({ memberNo }) => memberNo === page.memberNo);
    for (const oldest of own.slice(0, -MOST_STREAMS)) {
      oldest.write(`retry: ${COME_BACK_MS}\n\n`);
      oldest.end();
    }
    this.#timer ??= setInterval(this.wake, this.#pollMs);
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
      // If the store fails, the timer tries again; `/readyz` reports the outage.
      await this.#look().catch(() => undefined);
    }
    this.#looking = false;
  }

  async #look(): Promise<void> {
    // Pages that come meanwhile wait for the next look.
    const pages = [...this.#pages];
    for (const page of pages) page.sent ??= await this.#position();
    const rows = await this.#read(Math.min(...pages.map(({ sent = 0 }) => sent)));
    for (const page of pages) this.#send(page, rows);
    this.#wanted ||= rows.length === MOST_AT_ONCE;
    // What was written can leave before more is read.
    if (this.#wanted) await immediate();
  }

  /** In one write: else a page that has missed many events would count as one that has stopped reading. */
  #send(page: Page, rows: readonly Row[]): void {
    const { memberNo, sent = 0 } = page;
    const missed = rows.filter(({ number, member }) => member === memberNo && number > sent);
    if (missed.length > 0 && this.#pages.has(page)) page.write(missed.map(describe).join(''));
    page.sent = Math.max(sent, rows.at(-1)?.number ?? 0);
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

function describe({ number, kind, transId, externalCallId, disposition }: Row): string {
  const data = JSON.stringify({ kind, transId, externalCallId, disposition });
  return `id: ${number}\nevent: call\ndata: ${data}\n\n`;
}
