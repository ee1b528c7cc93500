/** What the vendor's webhooks say, in our own words. */
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';

/** No payload names its event, so the kind follows from the keys. `complete` repeats the others in one. */
export const kindSchema = z.enum(['log', 'extraction', 'recording', 'complete', 'incoming', 'unknown']);
export type Kind = z.infer<typeof kindSchema>;

/** As the member's page gets it; what it may show of a call it knows already. */
export interface CallEvent {
  readonly kind: Kind;
  readonly transId: string;
  readonly externalCallId: string | undefined;
  readonly disposition: string | undefined;
}

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

/** With the member, when the payload names one. */
export interface WebhookEvent extends CallEvent {
  readonly member: string | undefined;
}

/** @param text the same as JSON */
export function readPayload(payload: unknown, text: string): WebhookEvent[] {
  const events = readBundle(payload) ?? readPart(payload) ?? readRinging(payload);
  if (events) return events;
  const transId = createHash('sha256').update(text).digest('hex');
  return [{ kind: 'unknown', transId, externalCallId: undefined, disposition: undefined, member: undefined }];
}

function readBundle(payload: unknown): WebhookEvent[] | undefined {
  const parts = Object.entries(bundle.safeParse(payload).data ?? {}).filter(([, one]) => one !== undefined);
  const [first] = parts;
  if (!first?.[1]) return undefined;
  const kinds: [RegExp, Kind][] = [
    [/Log$/, 'log'],
    [/Extraction$/, 'extraction'],
    [/Recording$/, 'recording'],
  ];
  const events = parts.flatMap(([name, one]) => {
    const kind = kinds.find(([pattern]) => pattern.test(name))?.[1];
    return one && kind ? [toEvent(kind, one)] : [];
  });
  return [...events, toEvent('complete', first[1])];
}

function readPart(payload: unknown): WebhookEvent[] | undefined {
  const { data } = part.safeParse(payload);
  if (!data || typeof payload !== 'object' || payload === null) return undefined;
  if ('disposition' in payload) return [toEvent('log', data)];
  if ('recordUrl' in payload) return [toEvent('recording', data)];
  return 'callCollectedData' in payload ? [toEvent('extraction', data)] : undefined;
}

function readRinging(payload: unknown): WebhookEvent[] | undefined {
  const { data } = ringing.safeParse(payload);
  if (!data) return undefined;
  const member = data.member?.member_no || undefined;
  return [
    { kind: 'incoming', transId: data.trans_id, externalCallId: undefined, disposition: undefined, member },
  ];
}

/** Unset texts come as "". */
function toEvent(kind: Kind, one: z.infer<typeof part>): WebhookEvent {
  return {
    kind,
    transId: one.transId,
    externalCallId: one.externalCallId || undefined,
    disposition: one.disposition || undefined,
    member: one.callerMemberNo || one.calleeMemberNo || undefined,
  };
}
