/** What goes into those endpoints that only the tools use, and comes out of them. */
import * as z from 'zod/mini';
import {
  callRow,
  correlation,
  five,
  ints,
  maybeNumbers,
  maybeTexts,
  pagesFrom,
  postage,
  rowsOf,
  text,
  timeLimits,
  words,
} from './calls.ts';

export const word = z.optional(text);
export const anyRows = rowsOf(z.record(z.string(), z.unknown()));
export const leg = z.extend(callRow, maybeTexts('hangup_cause', 'sip_code', 'conference_id'));
export const scriptRow = z.object({ code: text, ...maybeTexts('name'), ...maybeNumbers('status') });

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

const script = { template_code: text, hotline_code: text, ...timeLimits };
const phone = { phone: text, ...words('name', 'customer_uid'), ...correlation };

export const callPhone = { ...script, ...phone };
export const callPhones = { ...script, phone_infos: five(z.strictObject(phone)) };
export const legacyCallPhone = { ...script, phone: text, ...correlation };
export const legacyCallPhones = {
  template_code: text,
  hotline_code: text,
  phoneInfos: z.array(
    z.strictObject({ phone: text, ...words('name', 'customerUid'), datas: correlation.datas }),
  ),
};
