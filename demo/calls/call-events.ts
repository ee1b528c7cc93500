/** What the vendor tells of calls: kept once each, in whatever order and however often it comes, and passed on live. */
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { Database, Sql } from '../ledger/database.ts';

/** No payload names its event, so the kind follows from the keys. `complete` repeats the others in one. */
type Kind = 'log' | 'extraction' | 'recording' | 'complete' | 'incoming' | 'unknown';

/** As the member's page gets it; what it may show of a call it knows already. */
export interface CallEvent {
  readonly kind: Kind;
  readonly transId: string;
  readonly externalCallId: string | undefined;
  readonly disposition: string | undefined;
}

type Listener = (event: CallEvent) => void;

/** Not every store keeps every character. */
const plain = z.string().check(z.regex(/^[\x20-\x7e]{0,128}$/));
const maybe = z.catch(z.optional(plain), undefined);
const part = z.object({
  transId: plain.check(z.minLength(1)),
  externalCallId: maybe,
  disposition: maybe,
  callerMemberNo: maybe,
  calleeMemberNo: maybe,
});
const ringing = z.object({ trans_id: plain, member: z.optional(z.object({ member_no: maybe })) });
const bundle = z.object({
  autoCallLog: z.optional(part),
  autoCallAIExtraction: z.optional(part),
  autoCallRecording: z.optional(part),
  manualCallLog: z.optional(part),
  manualCallAIExtraction: z.optional(part),
  manualCallRecording: z.optional(part),
});

interface Told extends CallEvent {
  readonly member: string | undefined;
}

export class CallEvents {
  readonly #database: Database;
  readonly #listeners = new Map<string, Set<Listener>>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Keeps what was told, and tells the member's pages what is new to them. What nobody understands is kept too. */
  async accept(payload: unknown): Promise<void> {
    const text = JSON.stringify(payload);
    const news = await this.#database.transact(async (sql) => {
      const found: Told[] = [];
      for (const told of readPayload(payload, text)) found.push(...(await keep(sql, told, text)));
      return found;
    });
    for (const { member, ...event } of news) {
      if (member !== undefined) for (const listener of this.#listeners.get(member) ?? []) listener(event);
    }
  }

  /** The vendor does not say whom an automatic call went to: only this id comes back. */
  async expect(externalCallId: string, memberNo: string): Promise<void> {
    await this.#database.all('insert into expected_call (external_call_id, member) values (?, ?)', [
      externalCallId,
      memberNo,
    ]);
  }

  /** Returns how to stop. Hears what this companion is told; others of the same database have their own pages. */
  listen(memberNo: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(memberNo) ?? new Set();
    this.#listeners.set(memberNo, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(memberNo);
    };
  }
}

function readPayload(payload: unknown, text: string): Told[] {
  const told = readBundle(payload) ?? readPart(payload) ?? readRinging(payload);
  if (told) return told;
  const transId = createHash('sha256').update(text).digest('hex');
  return [{ kind: 'unknown', transId, externalCallId: undefined, disposition: undefined, member: undefined }];
}

function readBundle(payload: unknown): Told[] | undefined {
  const parts = Object.entries(bundle.safeParse(payload).data ?? {}).filter(([, one]) => one !== undefined);
  const [first] = parts;
  if (!first?.[1]) return undefined;
  const kinds: [RegExp, Kind][] = [
    [/Log$/, 'log'],
    [/Extraction$/, 'extraction'],
    [/Recording$/, 'recording'],
  ];
  const told = parts.flatMap(([name, one]) => {
    const kind = kinds.find(([pattern]) => pattern.test(name))?.[1];
    return one && kind ? [tell(kind, one)] : [];
  });
  return [...told, tell('complete', first[1])];
}

function readPart(payload: unknown): Told[] | undefined {
  const { data } = part.safeParse(payload);
  if (!data || typeof payload !== 'object' || payload === null) return undefined;
  if ('disposition' in payload) return [tell('log', data)];
  if ('recordUrl' in payload) return [tell('recording', data)];
  return 'callCollectedData' in payload ? [tell('extraction', data)] : undefined;
}

function readRinging(payload: unknown): Told[] | undefined {
  const { data } = ringing.safeParse(payload);
  if (!data) return undefined;
  const member = data.member?.member_no || undefined;
  return [
    { kind: 'incoming', transId: data.trans_id, externalCallId: undefined, disposition: undefined, member },
  ];
}

/** Unset texts come as "". */
function tell(kind: Kind, one: z.infer<typeof part>): Told {
  return {
    kind,
    transId: one.transId,
    externalCallId: one.externalCallId || undefined,
    disposition: one.disposition || undefined,
    member: one.callerMemberNo || one.calleeMemberNo || undefined,
  };
}

const keptSchema = z.object({
  kind: z.string(),
  disposition: z.nullable(z.string()),
  member: z.nullable(z.string()),
});

/** Returns what is new and has a member: this, or what came earlier and did not say whose it was. */
async function keep(sql: Sql, told: Told, payload: string): Promise<Told[]> {
  const { kind, transId, externalCallId, disposition } = told;
  const before = (
    await sql('select kind, disposition, member from call_event where trans_id = ?', [transId])
  ).map((row) => keptSchema.parse(row));
  const member =
    told.member ?? before.find((row) => row.member !== null)?.member ?? (await memberOf(sql, externalCallId));
  await sql(
    `insert into call_event (trans_id, kind, member, disposition, payload, times) values (?, ?, ?, ?, ?, 1)
      on conflict (trans_id, kind) do update set times = call_event.times + 1`,
    [transId, kind, member, disposition, payload],
  );
  if (member === undefined) return [];
  await sql('update call_event set member = ? where trans_id = ? and member is null', [member, transId]);
  const late = before
    .filter((row) => row.member === null && row.kind !== kind)
    .map((row) => ({
      kind: row.kind as Kind,
      transId,
      externalCallId,
      disposition: row.disposition ?? undefined,
      member,
    }));
  const isNew = !before.some((row) => row.kind === kind && row.member !== null);
  return isNew ? [...late, { ...told, member }] : late;
}

async function memberOf(sql: Sql, externalCallId: string | undefined): Promise<string | undefined> {
  const [row] = await sql('select member from expected_call where external_call_id = ?', [
    externalCallId ?? '',
  ]);
  return row && String(row['member']);
}
