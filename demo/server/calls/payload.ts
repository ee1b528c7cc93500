/**
 * What the vendor's webhooks say, in our own words. Their payloads are not documented: an event goes by its name where one
 * comes, else by the keys beside it.
 */
import * as z from 'zod/mini';

/** `complete` repeats the others in one. */
export const kindSchema = z.enum(['log', 'extraction', 'recording', 'complete', 'incoming']);
export type Kind = z.infer<typeof kindSchema>;

/** As the member's page gets it; what it may show of a call it knows already. */
export interface CallEvent {
  readonly kind: Kind;
  readonly transId: string;
  readonly externalCallId: string | undefined;
  readonly disposition: string | undefined;
}

/** With the member, when the payload names one. */
export interface WebhookEvent extends CallEvent {
  readonly member: string | undefined;
}

type Part = Omit<WebhookEvent, 'kind'>;

const KINDS: readonly (readonly [name: RegExp, kind: Kind])[] = [
  [/_CALL_COMPLETE$/i, 'complete'],
  [/_CALL_(?:AI_)?EXTRACTION$/i, 'extraction'],
  [/_CALL_RECORDING$/i, 'recording'],
  [/_CALL_LOG$|^(?:CAMPAIGN|HISTORY)_CALL/i, 'log'],
  [/^IN_?COMING_?CALL$/i, 'incoming'],
];
const KEYS: readonly (readonly [key: string, kind: Kind])[] = [
  ['disposition', 'log'],
  ['recordUrl', 'recording'],
  ['callCollectedData', 'extraction'],
  ['trans_id', 'incoming'],
];
const BUNDLED = /^(?:auto|manual|p2p)Call(?<what>Log|AIExtraction|Recording)$/i;
const BUNDLED_KINDS: Readonly<Record<string, Kind>> = {
  log: 'log',
  aiextraction: 'extraction',
  recording: 'recording',
};

const record = z.record(z.string(), z.unknown());
/** Not every store keeps every character; unset texts come as "". */
const short = z.catch(
  z.optional(
    z.pipe(
      z.pipe(z.union([z.string(), z.number()]), z.transform(String)),
      z.string().check(z.regex(/^[\x20-\x7e]{1,128}$/)),
    ),
  ),
  undefined,
);
const partSchema = z.object({
  transId: short,
  trans_id: short,
  externalCallId: short,
  external_call_id: short,
  disposition: short,
  callerMemberNo: short,
  calleeMemberNo: short,
  member_no: short,
  member: z.catch(z.optional(z.object({ member_no: short })), undefined),
});

/** Empty: nobody understands it. */
export function readPayload(payload: unknown): WebhookEvent[] {
  const whole = record.safeParse(payload).data;
  if (!whole) return [];
  const body = record.safeParse(whole['data']).data ?? whole;
  const bundle = readBundle(body);
  if (bundle.length > 0) return bundle;
  const part = readPart(body);
  const kind = kindByName(whole) ?? kindByName(body) ?? KEYS.find(([key]) => key in body)?.[1];
  return part && kind ? [{ kind, ...part }] : [];
}

function readBundle(body: Readonly<Record<string, unknown>>): WebhookEvent[] {
  const events = Object.entries(body).flatMap(([key, value]) => {
    const kind = BUNDLED_KINDS[BUNDLED.exec(key)?.groups?.['what']?.toLowerCase() ?? ''];
    const part = readPart(value);
    return kind && part ? [{ kind, ...part }] : [];
  });
  const [first] = events;
  return first ? [...events, { ...first, kind: 'complete' }] : [];
}

function kindByName(body: Readonly<Record<string, unknown>>): Kind | undefined {
  const names = ['event', 'type', 'kind', 'event_data', 'eventData'].map((key) => body[key]);
  return KINDS.find(([pattern]) => names.some((name) => typeof name === 'string' && pattern.test(name)))?.[1];
}

function readPart(value: unknown): Part | undefined {
  const { data } = partSchema.safeParse(value);
  const transId = data?.transId ?? data?.trans_id;
  if (!data || transId === undefined) return undefined;
  return {
    transId,
    externalCallId: data.externalCallId ?? data.external_call_id,
    disposition: data.disposition,
    member: data.callerMemberNo ?? data.calleeMemberNo ?? data.member_no ?? data.member?.member_no,
  };
}
