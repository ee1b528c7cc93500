/** What can be set in the sandbox; README.md says what each setting means. */
import * as z from 'zod/mini';

export const settingsSchema = z.strictObject({
  hotlineList: z._default(z.enum(['absent', 'hotlines', 'hotline_numbers']), 'absent'),
  // A line break in the phrase would end the header it is sent in.
  paymentPhrase: z._default(z.string().check(z.regex(/^[^\r\n]{0,100}$/)), 'Payment Required'),
  paymentRefusal: z._default(z.enum(['at-once', 'after-ringing']), 'at-once'),
  registerExpires: z._default(z.int().check(z.nonnegative(), z.maximum(86_400)), 0),
  answerAfter: z._default(z.int().check(z.nonnegative(), z.maximum(60_000)), 0),
  packetLoss: z._default(z.number().check(z.nonnegative(), z.maximum(100)), 0),
  packetDelay: z._default(z.number().check(z.nonnegative(), z.maximum(5000)), 0),
  packetJitter: z._default(z.number().check(z.nonnegative(), z.maximum(5000)), 0),
  firstCustomerPage: z._default(z.literal([0, 1]), 0),
});

export type Settings = Readonly<z.infer<typeof settingsSchema>>;

export const DEFAULT_SETTINGS: Settings = settingsSchema.parse({});
