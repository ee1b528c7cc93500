/** A movement of money, and the states it goes through. */
import * as z from 'zod/mini';
import { memberNoSchema } from '../vbot/api.ts';

/**
 *     claimed ──▶ sent ──▶ settled      the vendor said so, or a higher balance proves it
 *        │          ├────▶ failed       refused, rate limited or no connection, and the balance did not rise
 *        │          ├────▶ void         the request did not go out after all
 *        │          └────▶ unknown ──▶ settled | failed | abandoned ──▶ settled
 *        └──▶ void                      it was never sent
 *
 * An `abandoned` movement is settled only by the vendor's own answer to it, which an owner that was paused gets late.
 *
 * `sent` is written just before the request goes out. `claimed`, `sent` and `unknown` are open: the member gets no second movement. All but `failed` and `void` use up the
 * day's limits, `abandoned` too: that money may have moved.
 */
const stateSchema = z.enum(['claimed', 'sent', 'settled', 'failed', 'void', 'unknown', 'abandoned']);
/** In SQL: the states whose money may have moved. */
export const CONSUMING = `('claimed', 'sent', 'settled', 'unknown', 'abandoned')`;

/** Who asked: the flow at a session, the agent in the guide, or an operator at the command line. */
const reasonSchema = z.enum(['session', 'agent', 'operator']);

export const movementSchema = z.object({
  id: z.string(),
  memberNo: memberNoSchema,
  /** VND. */
  amount: z.number(),
  reason: reasonSchema,
  /** The day whose limits it counts against, see `dayOf`. */
  day: z.string(),
  state: stateSchema,
  /** The member's balance in VND, read after the claim and before the money was sent. */
  before: z.nullable(z.number()),
  after: z.nullable(z.number()),
  note: z.nullable(z.string()),
  /** Milliseconds since 1970, by the store's clock. */
  claimedAt: z.number(),
  changedAt: z.number(),
  /** When the balance was seen to have risen. */
  seenAt: z.nullable(z.number()),
  /** Ordered with `--beyond-limits`: it uses up no limit. */
  isBeyondLimits: z.pipe(
    z.number(),
    z.transform((flag) => flag === 1),
  ),
});

export const COLUMNS = `id, member as "memberNo", amount, reason, day, state, before_balance as "before",
  after_balance as "after", note, claimed_at as "claimedAt", changed_at as "changedAt", seen_at as "seenAt",
  beyond_limits as "isBeyondLimits"`;

export const openMovementSchema = z.extend(movementSchema, {
  /** Milliseconds since the last change of state. */
  age: z.number(),
  /** Milliseconds since its lease ended; negative while it lasts. */
  overdue: z.number(),
});

export type MovementState = z.infer<typeof stateSchema>;
export type TopUpReason = z.infer<typeof reasonSchema>;
export type Movement = Readonly<z.infer<typeof movementSchema>>;
export type OpenMovement = Readonly<z.infer<typeof openMovementSchema>>;

export const DAY_MS = 24 * 3_600_000;
export const VIETNAM_OFFSET_MS = 7 * 3_600_000;

/** The day in Vietnam, to which limits apply: `2026-11-21`. */
export function dayOf(time: number): string {
  return new Date(time + VIETNAM_OFFSET_MS).toISOString().slice(0, 10);
}

/**
 * In SQL: the movements of later days that count against the limits of a day, and the values of both `?`. A clock that was ahead
 * wrote them. When that is noticed, `changed_at` becomes the right time: they may be payments of that day, but not of the next one.
 */
export const FROM_LATER_DAYS = `from top_up where day > ? and changed_at >= ? and state in ${CONSUMING} and beyond_limits = 0`;
export function laterThan(day: string): [day: string, start: number] {
  return [day, Date.parse(`${day}T00:00:00Z`) - VIETNAM_OFFSET_MS];
}

/** The vendor keeps decimals: a difference of two amounts has no more of them than hundredths. */
export function rounded(vnd: number): number {
  return Math.round(vnd * 100) / 100;
}
