/** The bodies that the switches accept. An unknown key is refused, as it may be a misspelt one. */
import * as z from 'zod/mini';
import { faultSchema } from '../world/fault-plan.ts';
import { hotlineSchema } from '../world/members.ts';
import { settingsSchema } from '../world/settings.ts';

export const memberNo = z.string().check(z.regex(/^[A-Za-z0-9]+$/));
const digits = z.string().check(z.regex(/^\d+$/));
export const memberBody = z.strictObject({
  balance: z.optional(z.number()),
  hotlines: z.optional(z.array(digits)),
  name: z.optional(z.string()),
});
export const hotlinesBody = z.strictObject({
  hotlines: z.optional(z.array(hotlineSchema)),
  active: z.optional(z.record(digits, z.boolean())),
});
export const faultBody = z.extend(faultSchema, { place: z.string().check(z.minLength(1)) });
export const callBody = z.strictObject({
  memberNo,
  from: z.string().check(z.regex(/^\+?\d{3,15}$/)),
  name: z.optional(z.string()),
  externalCallId: z.optional(z.string().check(z.regex(/^[a-z0-9]{1,32}$/))),
});
export const socketsBody = z.strictObject({ memberNo: z.optional(memberNo) });
/** All settings; a request names those that change, and the others stay. */
export const settingsBody = z.extend(settingsSchema, { adminBalance: z.number() });
export const webhooksBody = z.strictObject({
  url: z.optional(z.url({ protocol: /^https?$/ })),
  auth: z.optional(z.string().check(z.regex(/^[\x20-\x7e]*$/))),
});
export const emptyBody = z.strictObject({});
