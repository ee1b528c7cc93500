/** What goes into the vendor's endpoints and comes out of them, as far as a partner needs it. */
import * as z from 'zod/mini';

/** A number the vendor accepts; only this door makes one, so that no request carries anything else. */
export const memberNoSchema = z
  .string()
  .check(z.regex(/^[A-Za-z0-9]{1,64}$/))
  .brand<'MemberNo'>();
export type MemberNo = z.infer<typeof memberNoSchema>;

const listOf = <K extends string, T>(names: readonly K[], schema: T) =>
  Object.fromEntries(names.map((name) => [name, schema])) as Record<K, T>;
const words = <K extends string>(...names: K[]) => listOf(names, z.optional(text));
const ints = <K extends string>(...names: K[]) => listOf(names, z.optional(z.int()));
/** What an answer may leave out, or get wrong, without spoiling the rest. */
const maybe = <T>(schema: z.ZodMiniType<T>) => z.catch(z.nullish(schema), undefined);
const maybeTexts = <K extends string>(...names: K[]) => listOf(names, maybe(z.string()));
const maybeNumbers = <K extends string>(...names: K[]) => listOf(names, maybe(z.number()));

export const text = z.string().check(z.minLength(1));
export const word = z.optional(text);
/** `HH:mm`, or empty for no limit. */
export const hour = z.string().check(z.regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d)?$/));

/** An answer's list; the vendor may write an empty one as null. */
export const rowsOf = <T>(row: z.ZodMiniType<T>) =>
  z.pipe(
    z.nullish(z.array(row)),
    z.transform((rows) => rows ?? []),
  );
export const anyRows = rowsOf(z.record(z.string(), z.unknown()));

const party = z.object(maybeTexts('member_no', 'number', 'name', 'channel', 'type', 'telco_code'));
/** Times in milliseconds since 1970, `time_call` (talk) and `duration` (all) in seconds, charges in VND. */
export const call = z.object({
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
export const leg = z.extend(call, maybeTexts('hangup_cause', 'sip_code', 'conference_id'));
/** `pdd` (dial to ring) in seconds, `mos` from 1 to 5, `quality` in percent. */
export const quality = z.object(
  maybeNumbers(
    'pdd_caller',
    'pdd_callee',
    'rtp_audio_in_mos_caller',
    'rtp_audio_in_mos_callee',
    'rtp_audio_quality_caller',
    'rtp_audio_quality_callee',
  ),
);
export const scriptRow = z.object({ code: text, ...maybeTexts('name'), ...maybeNumbers('status') });

/** A page before the first would come back empty, and the newest rows with it unseen. */
const pagesFrom = (first: number) => ({
  page: z.optional(z.int().check(z.minimum(first))),
  size: z.optional(z.int().check(z.positive())),
});
const postage = listOf(['min_postage', 'max_postage'], z.optional(z.number()));
export const callFilter = {
  member_no: z.optional(memberNoSchema),
  ...words('key_search', 'group_member_no', 'hotline', 'disposition', 'customer_code'),
  ...ints('from', 'to', 'type_call', 'has_hotline'),
  ...postage,
  ...pagesFrom(0),
};
export const autoFilter = {
  ...words('key_search', 'input_log_search', 'disposition_search', 'bot_id', 'campaign_code', 'member'),
  ...words('template_script_code', 'hotline'),
  ...ints('status', 'start_date', 'end_date'),
  ...postage,
  ...pagesFrom(1),
};
export const legacyScriptFilter = { key_search: word, ...ints('status'), ...pagesFrom(1) };
export const scriptFilter = { ...legacyScriptFilter, bot_id: word, ...ints('is_bot') };
export const historyFilter = { ...words('phone', 'from', 'to'), ...pagesFrom(0) };
export const campaignFilter = { key_search: word, ...ints('status'), ...pagesFrom(0) };

/** Values for the script's own fields, by their `cfkey`. */
const datas = z.optional(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])));
const correlation = { external_call_id: z.optional(z.string().check(z.regex(/^[a-z0-9]{1,32}$/))), datas };
/** The vendor takes no more than five at once. */
const five = <T>(item: z.ZodMiniType<T>) => z.array(item).check(z.minLength(1), z.maxLength(5));
/** Seconds. */
const patience = ints('max_time', 'max_waiting_time');
const script = { template_code: text, hotline_code: text, ...patience };
const phone = { phone: text, ...words('name', 'customer_uid'), ...correlation };

export const callPhone = { ...script, ...phone };
export const callPhones = { ...script, phone_infos: five(z.strictObject(phone)) };
export const callMembers = {
  template_code: text,
  display_name: z.string().check(z.regex(/^\S+$/)),
  type: z.literal('MEMBER'),
  member_infos: five(z.strictObject({ member_no: memberNoSchema, name: word, ...correlation })),
  ...patience,
};
export const legacyCallPhone = { ...script, phone: text, ...correlation };
export const legacyCallPhones = {
  template_code: text,
  hotline_code: text,
  phoneInfos: z.array(z.strictObject({ phone: text, ...words('name', 'customerUid'), datas })),
};
export const assignment = {
  member_no: memberNoSchema,
  hotline_number: text,
  allow_call: z.boolean(),
  start_time: hour,
  end_time: hour,
};
