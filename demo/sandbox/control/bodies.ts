/** The bodies that the switches of the sandbox accept. An unknown key is refused, as a misspelt switch would be. */
import * as z from 'zod/mini';
import { interactionKind, interactionType } from '../world/customer-schema.ts';

export const memberNo = z.string().check(z.regex(/^[A-Za-z0-9]+$/));
const digits = z.string().check(z.regex(/^\d+$/));
const hotline = z.object({
  name: z.string(),
  number: digits,
  code: z.string().check(z.minLength(1)),
  type: z._default(z.enum(['HOTLINE', 'ALIAS']), 'HOTLINE'),
  active: z._default(z.boolean(), true),
});

export const memberBody = z.strictObject({
  balance: z.optional(z.number()),
  hotlines: z.optional(z.array(digits)),
  name: z.optional(z.string()),
});
export const hotlinesBody = z.strictObject({
  hotlines: z.optional(z.array(hotline)),
  active: z.optional(z.record(digits, z.boolean())),
});
export const faultBody = z.strictObject({
  place: z.string().check(z.minLength(1)),
  kind: z.enum(['status', 'error', 'slow', 'cut', 'garbage', 'drop', 'drop-after', 'silent']),
  value: z.optional(z.number()),
  times: z.optional(z.int().check(z.positive())),
});
export const callBody = z.strictObject({
  memberNo,
  from: z.string().check(z.regex(/^\+?\d{3,15}$/)),
  name: z.optional(z.string()),
  externalCallId: z.optional(z.string().check(z.regex(/^[a-z0-9]{1,32}$/))),
});
export const socketsBody = z.strictObject({ memberNo: z.optional(memberNo) });
export const settingsBody = z.strictObject({
  hotlineList: z.optional(z.enum(['absent', 'hotlines', 'hotline_numbers'])),
  failureStatus: z.optional(z.enum(['ok', 'mirrored'])),
  repeatAssignment: z.optional(z.enum(['success', 'conflict'])),
  // A line break in the phrase would end the header it is sent in.
  paymentPhrase: z.optional(z.string().check(z.regex(/^[^\r\n]{0,100}$/))),
  paymentRefusal: z.optional(z.enum(['at-once', 'after-ringing'])),
  registerExpires: z.optional(z.int().check(z.nonnegative(), z.maximum(86_400))),
  answerAfter: z.optional(z.int().check(z.nonnegative(), z.maximum(60_000))),
  firstCustomerPage: z.optional(z.union([z.literal(0), z.literal(1)])),
  searchDiacritics: z.optional(z.enum(['ignored', 'significant'])),
  adminBalance: z.optional(z.number()),
});
export const interactionBody = z.strictObject({
  customerCode: z.string(),
  type: interactionType,
  kind: interactionKind,
  memberNo: z._default(memberNo, 'agent001'),
  content: z.string(),
});
export const webhooksBody = z.strictObject({
  url: z.optional(z.url({ protocol: /^https?$/ })),
  auth: z.optional(z.string().check(z.regex(/^[\x20-\x7e]*$/))),
  copies: z._default(z.int().check(z.positive(), z.maximum(10)), 1),
  delayMs: z._default(z.int().check(z.nonnegative()), 0),
  reversed: z._default(z.boolean(), false),
});
export const emptyBody = z.strictObject({});
