/**
 * What a broker answers, as schemas: the element parses with them, the companion builds its answers to their types. Only the
 * token is needed; every other part that is not valid is left out (`parseLeniently`).
 *
 * The schemas are `zod/mini`'s, because full zod compiles them with `new Function`, and a strict content security policy
 * reports that.
 */
import * as z from 'zod/mini';

export const matches = (pattern: RegExp) => z.string().check(z.refine((value) => pattern.test(value)));

const filled = z.refine<string>((text) => text !== '');
/** Trimmed, and never empty. */
const text = z
  .pipe(
    z.string(),
    z.transform((given: string) => given.trim()),
  )
  .check(filled);

/** The vendor may write an extension as a number, a CRM its codes. */
export const textOrNumber = z.pipe(
  z.custom<string | number>((value) => typeof value === 'string' || Number.isFinite(value)),
  z.transform(String),
);

/** In characters. A longer name would push the buttons out of view. */
const LONGEST_LINE = 200;
/** Text from another system, on one line. */
export const oneLine = z.pipe(
  z.string(),
  z.transform((given: string) =>
    given
      .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
      .trim()
      .slice(0, LONGEST_LINE),
  ),
);
/** Never empty. */
export const filledLine = oneLine.check(filled);

/** Epoch milliseconds. A time without an offset is UTC. `NaN`: not a time. */
export function timeOf(when: string): number {
  const hasNoOffset = /^\d{4}-\d\d-\d\d[T ][\d:.]+$/.test(when);
  return Date.parse(hasNoOffset ? `${when.replace(' ', 'T')}Z` : when);
}
/** ISO 8601. */
const time = z.string().check(z.refine((value) => !Number.isNaN(timeOf(value))));

/** In VND. A larger sum is a mistake. */
const MOST_MONEY = 1e12;
const MOST_PER_MINUTE = 1e6;
const money = z.number().check(z.refine((vnd) => Math.abs(vnd) <= MOST_MONEY));
export const cost = money.check(z.refine((vnd) => vnd >= 0));
const price = z.number().check(z.refine((vnd) => vnd === 0 || (vnd >= 1 && vnd <= MOST_PER_MINUTE)));

/** The SDK token: opaque, never empty, and without blanks, because it is sent in a header. */
export const tokenSchema = z.pipe(text, matches(/^\S{1,8192}$/));

export const memberSchema = z.object({
  memberNo: text,
  name: z.optional(z.string()),
  extension: z.optional(textOrNumber),
  /** Call balance in VND. */
  balance: z.optional(money),
  currency: z.optional(z.enum(['VND'])),
  /** VND; absent or 0: not known. */
  pricePerMinute: z.optional(price),
  /** When the member's account ends, ISO 8601. */
  expiresAt: z.nullish(time),
});

/** A hotline without a name is named by its number. */
export const hotlineSchema = z.pipe(
  z.object({
    name: z.optional(z.string()),
    number: text,
    code: z.optional(z.string()),
    type: z.optional(z.enum(['HOTLINE', 'ALIAS'])),
  }),
  z.transform((hotline) => ({ ...hotline, name: hotline.name?.trim() || hotline.number })),
);

/** Each is relative to `broker-url` and has the same origin. */
const linksSchema = z.object({
  status: z.optional(text),
  topUp: z.optional(text),
  hotline: z.optional(text),
  calls: z.optional(text),
  /** Who has the number `?phone=`. */
  customers: z.optional(text),
});

/** Why a member cannot call, in `blockers` and as the `code` of a refusal. Each has a guide of its own; all others share one. */
/** They end a call, too. */
export const CALL_BLOCKERS = ['insufficient-funds', 'no-hotline'] as const;
export const BLOCKERS = [...CALL_BLOCKERS, 'member-expired'] as const;
export type Blocker = (typeof BLOCKERS)[number];

/** What the broker can be asked for, by the name of its link. */
export type HelpKind = 'topUp' | 'hotline';
/** By what keeps the member from calling. */
export const HELP: ReadonlyMap<string, HelpKind> = new Map([
  ['insufficient-funds', 'topUp'],
  ['no-hotline', 'hotline'],
]);

/** May the member call, and if not, why? The answer of every link. */
const readiness = {
  member: z.optional(memberSchema),
  hotlines: z.optional(z.array(hotlineSchema)),
  links: z.optional(linksSchema),
  /** `BLOCKERS`, or what the broker names otherwise. Empty: the member can call. Absent: the broker does not say. */
  blockers: z.nullish(z.array(text)),
};
export const readinessSchema = z.object(readiness);

/** The answer to `POST broker-url`. */
export const sessionSchema = z.object({
  ...readiness,
  token: tokenSchema,
  /** When the token ends, ISO 8601. */
  expiresAt: z.optional(time),
});

/** The vendor's own envelope, handed through by a minimal broker. */
export const envelopeSchema = z.object({
  error: z.number(),
  data: z.optional(z.unknown()),
});

/** Short enough to be shown and logged. A longer text might be a secret and counts as absent. */
export const identifierSchema = z.catch(z.optional(matches(/^[\w.-]{1,64}$/)), undefined);

/** RFC 9457 with two extension members: the stable `code`, and the ID of the request in the broker's log. */
export const problemSchema = z.object({
  code: identifierSchema,
  requestId: identifierSchema,
  request_id: identifierSchema,
});

/** The signed-in member, as far as the broker tells. */
export interface Member {
  readonly memberNo: string;
  readonly name?: string | undefined;
  readonly extension?: string | undefined;
  /** Call balance in VND. */
  readonly balance?: number | undefined;
  readonly currency?: 'VND' | undefined;
  /** What a minute of an outgoing call costs, in VND; absent or 0: not known. */
  readonly pricePerMinute?: number | undefined;
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

/** Finds the customers with this number; an empty list: there are none. A failure or an invalid answer counts as an empty list. */
export type CustomerLookup = (number: string) => readonly Customer[] | Promise<readonly Customer[]>;
