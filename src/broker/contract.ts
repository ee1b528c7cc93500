/**
 * What a broker answers, as schemas: the element parses with them, the companion builds its answers to their types.
 * A broker may leave out everything but the token; what it does send has to be right.
 *
 * None is ever compiled, as those of full zod are: that probes `new Function`, which a strict content security policy
 * reports, and could be told not to only for the page's own zod as well.
 */
import * as z from '../schema.ts';

export const text = z.text();

/** The SDK token: opaque, but never empty and never with blanks (it travels in a header). */
export const tokenSchema = z.matching(/^\S{1,8192}$/);

/** The vendor writes it as a number as well. */
const extensionSchema = z.custom<string>(
  (value) => typeof value === 'string' || Number.isFinite(value),
  String,
);

export const memberSchema = z.object({
  memberNo: text,
  name: z.optional(z.string()),
  extension: z.optional(extensionSchema),
  /** Call balance in VND. */
  balance: z.optional(z.number()),
  currency: z.optional(z.oneOf('VND')),
  /** When the member's account ends, ISO 8601. */
  expiresAt: z.optional(orNull(z.string())),
});

export const hotlineSchema = z.object({
  name: z.string(),
  number: text,
  code: z.optional(z.string()),
  type: z.optional(z.oneOf('HOTLINE', 'ALIAS')),
});

/** Each is relative to the broker's own address, and stays within its origin. */
export const linksSchema = z.object({
  status: z.optional(text),
  topUp: z.optional(text),
  hotline: z.optional(text),
  calls: z.optional(text),
  /** Who has the number `?phone=`; with a code behind it, one customer and their history. */
  customers: z.optional(text),
});

export const readinessShape = {
  member: z.optional(memberSchema),
  hotlines: z.optional(z.array(hotlineSchema)),
  links: z.optional(linksSchema),
};

/** The answer to `POST broker-url`. */
export const sessionSchema = z.object({
  ...readinessShape,
  token: tokenSchema,
  blockers: z.optional(z.array(text)),
  /** When the token ends, ISO 8601. */
  expiresAt: z.optional(text),
});

/** The vendor's own envelope, handed through by a minimal broker. */
export const envelopeSchema = z.object({
  error: z.custom<number>(Number.isSafeInteger),
  message: z.optional(orNull(z.string())),
  data: z.optional(z.custom<unknown>()),
});

function orNull<T>(schema: z.Schema<T>): z.Schema<T | null> {
  return z.custom((value) => value === null || z.safeParse(schema, value).success);
}

/** The signed-in member, as far as the broker tells. */
export interface Member {
  readonly memberNo: string;
  readonly name?: string | undefined;
  readonly extension?: string | undefined;
  /** Call balance in VND. */
  readonly balance?: number | undefined;
  readonly currency?: 'VND' | undefined;
  /** When the member's account ends, ISO 8601. */
  readonly expiresAt?: string | null | undefined;
}

/** A caller number that was assigned to the member. */
export interface Hotline {
  readonly name: string;
  readonly number: string;
  readonly code?: string | undefined;
  readonly type?: 'HOTLINE' | 'ALIAS' | undefined;
}
export type Links = z.infer<typeof linksSchema>;
export type SessionAnswer = z.infer<typeof sessionSchema>;

/** Somebody in the CRM. Besides these it holds whatever else the page's own `lookup` returns. */
export interface Customer {
  readonly code: string;
  readonly name: string;
  /** As the CRM keeps it. */
  readonly number?: string | undefined;
  /** A few words that tell the agent more. */
  readonly context?: string | undefined;
  readonly [more: string]: unknown;
}

/** The customers with a number, none among them; what fails or makes no sense counts as none. */
export type CustomerLookup = (number: string) => readonly Customer[] | Promise<readonly Customer[]>;
