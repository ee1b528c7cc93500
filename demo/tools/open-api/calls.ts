/** Calls: three endpoints, and the parts that others are made of, too. */
import * as z from 'zod/mini';
import { memberNoSchema } from '../../server/vendor/api.ts';
import { get, post } from '../../server/vendor/response.ts';

export const text = z.string().check(z.minLength(1));
/** What a response may leave out, or get wrong, without spoiling the rest. */
const maybe = <T>(schema: z.ZodMiniType<T>) => z.catch(z.nullish(schema), undefined);
const each = <K extends string, T>(names: readonly K[], schema: T) =>
  Object.fromEntries(names.map((name) => [name, schema])) as Record<K, T>;
export const maybeTexts = <K extends string>(...names: K[]) => each(names, maybe(z.string()));
export const maybeNumbers = <K extends string>(...names: K[]) => each(names, maybe(z.number()));
export const words = <K extends string>(...names: K[]) => each(names, z.optional(text));
export const ints = <K extends string>(...names: K[]) => each(names, z.optional(z.int()));

/** A list; the vendor may write an empty one as null. */
export const rowsOf = <T>(row: z.ZodMiniType<T>) =>
  z.pipe(
    z.nullish(z.array(row)),
    z.transform((rows) => rows ?? []),
  );
/** A page before the first would come back empty, and the newest rows with it unseen. */
export const pagesFrom = (first: number) => ({
  page: z.optional(z.int().check(z.minimum(first))),
  size: z.optional(z.int().check(z.positive())),
});
export const postage = each(['min_postage', 'max_postage'], z.optional(z.number()));

const party = z.object(maybeTexts('member_no', 'number', 'name', 'channel', 'type', 'telco_code'));
/** Times in milliseconds since 1970, `time_call` (talk) and `duration` (all) in seconds, charges in VND. */
export const callRow = z.object({
  trans_id: text,
  ...maybeTexts('group_id', 'hotline', 'disposition', 'end_call', 'external_call_id'),
  ...maybeTexts('customer_code', 'payment_channel', 'group_member_no'),
  ...maybeNumbers('create_at', 'call_at', 'time_call', 'duration', 'postage', 'auto_dial_service_charge'),
  /** 1 inbound, 2 outbound, 3 missed. */
  type_call: maybe(z.number()),
  is_record: maybe(z.boolean()),
  caller_info: maybe(party),
  callee_info: maybe(party),
});
/** `pdd` (dial to ring) in seconds, `mos` from 1 to 5, `quality` in percent. */
const qualityRow = z.object({
  ...maybeNumbers('pdd_caller', 'pdd_callee', 'rtp_audio_in_mos_caller', 'rtp_audio_in_mos_callee'),
  ...maybeNumbers('rtp_audio_quality_caller', 'rtp_audio_quality_callee'),
});
export const callFilter = {
  member_no: z.optional(memberNoSchema),
  ...words('key_search', 'group_member_no', 'hotline', 'disposition', 'customer_code'),
  ...ints('from', 'to', 'type_call', 'has_hotline'),
  ...postage,
  ...pagesFrom(0),
};
/** `datas`: values for the script's own fields, by their `cfkey`. */
export const correlation = {
  external_call_id: z.optional(z.string().check(z.regex(/^[a-z0-9]{1,32}$/))),
  datas: z.optional(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))),
};
/** The vendor takes no more than five at once. */
export const five = <T>(item: z.ZodMiniType<T>) => z.array(item).check(z.minLength(1), z.maxLength(5));
/** Seconds. */
export const timeLimits = ints('max_time', 'max_waiting_time');

export const CALL_ENDPOINTS = {
  listCalls: get('m-cdr/api/call/get-all', callFilter, rowsOf(callRow)),
  readCallQuality: get('m-cdr/api/agi/get-by-trans-id', { trans_id: text }, z.nullish(qualityRow)),
  callMembers: post(
    'm-auto-call/api/call/create-list-member',
    {
      template_code: text,
      display_name: z.string().check(z.regex(/^\S+$/)),
      type: z.literal('MEMBER'),
      member_infos: five(
        z.strictObject({ member_no: memberNoSchema, name: z.optional(text), ...correlation }),
      ),
      ...timeLimits,
    },
    z.unknown(),
  ),
};
