/** One customer at the vendor: the fields, and the history. */
import * as z from 'zod/mini';
import { codeSchema, words } from '../../companion/features/customers.ts';
import { get, rowsOf } from '../../companion/vbot/endpoint.ts';

/** In a field of type TEXT, it may have several lines. */
const fieldValue = z.pipe(
  z.nullish(z.union([z.string(), z.number()])),
  z.transform((given) => String(given ?? '')),
);
const text = z.string().check(z.minLength(1));
/** Milliseconds since 1970, within what a date can hold. */
const time = z.number().check(z.gte(0), z.lte(8_640_000_000_000_000));

const fieldOption = z.object({
  code: text,
  is_select: z.nullish(z.boolean()),
  name: words,
  type: words,
});
const formField = z.object({
  code: text,
  name: words,
  type: words,
  value: fieldValue,
  value_options: rowsOf(fieldOption),
});
const customerDetail = z.object({ fields: z.array(formField) });
const interaction = z.pipe(
  z.object({ create_at: time, member_no: words, type: text, type_sub: words, content: words }),
  z.transform(({ create_at, member_no, type, type_sub, content }) => ({
    at: new Date(create_at).toISOString(),
    type,
    kind: type_sub,
    memberNo: member_no,
    content,
  })),
);

export type FormField = z.infer<typeof formField>;
export type Interaction = z.infer<typeof interaction>;

/** With an empty code: the blank form, with all fields. */
export const readCustomer = get(
  'api/customer/get-detail',
  { customer_code: z.union([z.literal(''), codeSchema]) },
  z.nullish(customerDetail),
);
export const listInteractions = get(
  'api/ActionTimeline/get-all',
  { customer_code: codeSchema, size: z.int() },
  rowsOf(interaction),
);
