/**
 * What a broker answers, as schemas: the element parses with them, the companion builds its answers to their types.
 * A broker may leave out everything but the token; what it does send has to be right.
 *
 * `zod/mini`, because it never compiles a schema: the full one probes `new Function`, which a strict content security
 * policy reports, and could be told not to only for the page's own zod as well.
 */
import * as z from 'zod/mini';

const text = z.string().check(z.trim(), z.minLength(1));

/** The SDK token: opaque, but never empty and never with blanks (it travels in a header). */
const tokenSchema = z.string().check(z.regex(/^\S{1,8192}$/));

export const memberSchema = z.object({
  memberNo: text,
  name: z.optional(z.string()),
  extension: z.optional(z.pipe(z.union([z.string(), z.number()]), z.transform(String))),
  /** Call balance in VND. */
  balance: z.optional(z.number()),
  currency: z.optional(z.literal('VND')),
  /** When the member's account ends, ISO 8601. */
  expiresAt: z.optional(z.nullable(z.string())),
});

export const hotlineSchema = z.object({
  name: z.string(),
  number: text,
  code: z.optional(z.string()),
  type: z.optional(z.enum(['HOTLINE', 'ALIAS'])),
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

/** May the member call, and if not, why? The answer of every link. */
export const readinessSchema = z.object({
  member: z.optional(memberSchema),
  hotlines: z.optional(z.array(hotlineSchema)),
  /** Empty: the member can call. `insufficient-funds` and `no-hotline` have guides of their own. */
  blockers: z.array(text),
  links: z.optional(linksSchema),
});

/** The answer to `POST broker-url`. */
export const sessionSchema = z.extend(readinessSchema, {
  token: tokenSchema,
  blockers: z._default(z.array(text), []),
  /** When the token ends, ISO 8601. */
  expiresAt: z.optional(text),
});

/** The vendor's own envelope, handed through by a minimal broker. */
export const envelopeSchema = z.object({
  error: z.int(),
  message: z.optional(z.nullable(z.string())),
  data: z.optional(z.unknown()),
});

/** Short and plain, so that it can be shown and logged; anything longer might be a secret. */
const identifier = z.string().check(z.regex(/^[\w.-]{1,64}$/));

/** RFC 9457 with two extension members: the stable `code`, and what the broker's log calls the request. */
export const problemSchema = z.object({
  code: z.catch(z.optional(identifier), undefined),
  requestId: z.catch(z.optional(identifier), undefined),
  request_id: z.catch(z.optional(identifier), undefined),
});
export const requestIdSchema = z.catch(z.optional(identifier), undefined);

export const bareTokenSchema = tokenSchema;

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
export type ReadinessAnswer = z.infer<typeof readinessSchema>;
export type SessionAnswer = z.infer<typeof sessionSchema>;
export type Problem = z.infer<typeof problemSchema>;

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
