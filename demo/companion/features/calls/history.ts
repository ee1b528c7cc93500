/** The member's past calls, as the vendor lists them, and the quality of one. */
import { Hono } from 'hono';
import * as z from 'zod/mini';
import type { SignedIn } from '../../guards/auth.ts';
import { Problem } from '../../problem.ts';
import { memberKey, memberNoSchema, optional, type MemberNo } from '../../vbot/api.ts';
import type { VendorClient } from '../../vbot/client.ts';
import { get, rowsOf } from '../../vbot/endpoint.ts';
import { readAmount, USUAL_FORMAT } from '../../vbot/envelope.ts';

const PAGE_SIZE = 20;
/** To find out whose call it is, read at most so many of the member's calls around its time. */
const [OWN_CALLS, AROUND_MS] = [200, 2 * 3_600_000];
const LAST_MOMENT = 8_640_000_000_000_000;

const maybeText = optional(z.string());
/** Also in text, as amounts are read: `1.774` may be 1774. */
const number = z.pipe(
  z.transform((value: unknown) => readAmount(value, USUAL_FORMAT)),
  z.number(),
);
const maybeNumber = optional(number);
const maybeAmount = optional(number.check(z.gte(0)));
const id = z.pipe(z.union([z.string().check(z.minLength(1)), z.number()]), z.transform(String));
const party = optional(z.object({ member_no: optional(id), number: maybeText, name: maybeText }));

/** Times in milliseconds since 1970, `time_call` (talk) and `duration` (all) in seconds, `postage` in VND. */
const callRow = z.object({
  trans_id: id,
  group_id: maybeText,
  /** Outside of this range `Date` fails. */
  create_at: z.nullish(number.check(z.gte(0), z.lte(LAST_MOMENT))),
  hotline: maybeText,
  /** 1 inbound, 2 outbound, 3 missed. */
  type_call: maybeNumber,
  disposition: maybeText,
  time_call: maybeAmount,
  duration: maybeAmount,
  postage: maybeAmount,
  is_record: optional(z.boolean()),
  external_call_id: maybeText,
  caller_info: party,
  callee_info: party,
});
type CallRow = z.infer<typeof callRow>;

/** `pdd` (dial to ring) in seconds, `mos` from 1 to 5, `quality` in percent. */
const qualityRow = z.object({
  create_at: maybeNumber,
  pdd_caller: maybeNumber,
  rtp_audio_in_mos_caller: maybeNumber,
  rtp_audio_in_mos_callee: maybeNumber,
  rtp_audio_quality_caller: maybeNumber,
  rtp_audio_quality_callee: maybeNumber,
});

/** The newest first; `page` from 0. */
const listCalls = (onSkipped: (count: number) => void) =>
  get(
    'm-cdr/api/call/get-all',
    {
      member_no: memberNoSchema,
      has_hotline: z.literal(1),
      page: z.int(),
      size: z.int(),
      from: z.optional(z.number()),
      to: z.optional(z.number()),
    },
    rowsOf(callRow, onSkipped),
  );
const readCallQuality = get('m-cdr/api/agi/get-by-trans-id', { trans_id: z.string() }, z.nullish(qualityRow));

const pageSchema = z._default(z.pipe(z.string().check(z.regex(/^\d{1,6}$/)), z.transform(Number)), 0);
const transIdSchema = z.string().check(z.regex(/^[\w.:-]{1,128}$/));

interface Wanted {
  readonly page: number;
  readonly size: number;
  readonly from?: number;
  readonly to?: number;
}

/** Learns what a minute costs from the calls that the vendor lists. */
export interface PriceBook {
  learn(
    memberNo: MemberNo,
    calls: readonly { readonly cost: number | undefined; readonly talkSeconds: number | undefined }[],
  ): void;
}

/** @param isAutomatic whether the call with this external id was made by a script */
export function createHistoryRoutes(
  vendor: VendorClient,
  prices: PriceBook | undefined,
  onSkipped: (count: number) => void,
  isAutomatic: (externalCallId: string) => boolean,
): Hono<SignedIn> {
  const app = new Hono<SignedIn>();
  const list = listCalls(onSkipped);
  const listOwn = async (memberNo: MemberNo, wanted: Wanted) => {
    const rows = await vendor.call(list, { member_no: memberNo, has_hotline: 1, ...wanted });
    return rows.filter((row) => !isOfOthers(row, memberNo));
  };

  app.get('/calls', async (c) => {
    const page = pageSchema.safeParse(c.req.query('page'));
    if (!page.success)
      throw new Problem('invalid-request', { detail: 'page must be a whole number, 0 or above.' });
    const memberNo = c.get('memberNo');
    const rows = await listOwn(memberNo, { page: page.data, size: PAGE_SIZE });
    const calls = rows.map((row) => describe(row, isAutomatic));
    // Older pages may have an older price; calls by a script are charged otherwise.
    const own = calls.filter(({ direction, automatic }) => direction === 'outgoing' && !automatic);
    if (page.data === 0) prices?.learn(memberNo, own);
    return c.json({ calls });
  });

  app.get('/calls/:transId/quality', async (c) => {
    const transId = transIdSchema.safeParse(c.req.param('transId')).data;
    if (transId === undefined) throw new Problem('invalid-request', { detail: 'The call id is not valid.' });
    const row = await vendor.call(readCallQuality, { trans_id: transId });
    const at = row?.create_at;
    // The vendor answers for every call of the project; a member may ask for their own only.
    const around = at ? { from: at - AROUND_MS, to: at + AROUND_MS } : {};
    const own = await listOwn(c.get('memberNo'), { page: 0, size: OWN_CALLS, ...around });
    if (!row || !own.some(({ trans_id }) => trans_id === transId)) {
      throw new Problem('not-found', { detail: 'There is no quality data for this call.' });
    }
    return c.json({
      postDialDelay: row.pdd_caller ?? undefined,
      mos: { caller: row.rtp_audio_in_mos_caller, callee: row.rtp_audio_in_mos_callee },
      percent: { caller: row.rtp_audio_quality_caller, callee: row.rtp_audio_quality_callee },
    });
  });

  return app;
}

/** True if the row names members, but not this one: a vendor that ignores `member_no` lists the calls of the whole project. */
function isOfOthers({ caller_info, callee_info }: CallRow, memberNo: MemberNo): boolean {
  const named = [caller_info?.member_no, callee_info?.member_no].flatMap((one) =>
    one ? memberKey(one) : [],
  );
  return named.length > 0 && !named.includes(memberKey(memberNo));
}

function describe(row: CallRow, isAutomatic: (externalCallId: string) => boolean) {
  const outgoing = row.type_call === 2;
  const other = outgoing ? row.callee_info : row.caller_info;
  return {
    transId: row.trans_id,
    direction: outgoing ? 'outgoing' : 'incoming',
    number: other?.number ?? undefined,
    hotline: row.hotline ?? undefined,
    at: row.create_at ? new Date(row.create_at).toISOString() : undefined,
    /** The vendor's examples and its table spell "answered" differently. */
    disposition: row.disposition?.toUpperCase().replace(/^ANSWERED$/, 'ANSWER'),
    talkSeconds: row.time_call ?? undefined,
    cost: row.postage ?? undefined,
    recorded: row.is_record ?? false,
    automatic: isAutomatic(row.external_call_id ?? ''),
    externalCallId: row.external_call_id || undefined,
  };
}
