/** One movement of money, as the ledger keeps it. */
import * as z from 'zod/mini';

/**
 *     claimed ──▶ sent ──▶ settled      the vendor said so, or a higher balance proves it
 *        │          ├────▶ failed       refused, and the balance did not move
 *        │          ├────▶ void         it was too late to send it
 *        │          └────▶ unknown ──▶ settled | failed | abandoned
 *        └──▶ void                      nothing was sent
 *
 * `claimed`, `sent` and `unknown` are open: the member gets no second movement. All but `failed` and `void` use up the
 * day's limits, `abandoned` too: that money may have moved.
 */
const state = z.enum(['claimed', 'sent', 'settled', 'failed', 'void', 'unknown', 'abandoned']);

/** Who wanted the money: the flow at a session, the agent in the guide, or an operator at the command line. */
const reason = z.enum(['session', 'agent', 'operator']);

export const movementSchema = z.object({
  id: z.string(),
  memberNo: z.string(),
  /** VND. */
  amount: z.number(),
  reason,
  /** The day whose limits it counts against, see `dayOf`. */
  day: z.string(),
  state,
  /** The member's balance in VND, read after the claim and before the money was sent. */
  before: z.nullable(z.number()),
  after: z.nullable(z.number()),
  note: z.nullable(z.string()),
  /** Milliseconds since 1970, by the store's clock. */
  claimedAt: z.number(),
  changedAt: z.number(),
  /** When the balance was seen to have risen by it. */
  seenAt: z.nullable(z.number()),
  /** It uses up no limit, as a person wanted it so. */
  isBeyondLimits: z.pipe(
    z.number(),
    z.transform((flag) => flag === 1),
  ),
});

/** How the columns of `top_up` become a movement. */
export const COLUMNS = `id, member as "memberNo", amount, reason, day, state, before_balance as "before",
  after_balance as "after", note, claimed_at as "claimedAt", changed_at as "changedAt", seen_at as "seenAt",
  beyond_limits as "isBeyondLimits"`;

export const openMovementSchema = z.extend(movementSchema, {
  /** Milliseconds since it got its state. */
  age: z.number(),
  /** Milliseconds since whoever has it should have brought it on; before that, negative. */
  overdue: z.number(),
});

export const totalSchema = z.object({ state, count: z.number(), amount: z.number() });

export type MovementState = z.infer<typeof state>;
export type TopUpReason = z.infer<typeof reason>;
export type Movement = Readonly<z.infer<typeof movementSchema>>;
export type Total = Readonly<z.infer<typeof totalSchema>>;
export type OpenMovement = Readonly<z.infer<typeof openMovementSchema>>;

const VIETNAM_OFFSET_MS = 7 * 3_600_000;

/** In SQL: the states whose money has moved, or may have; all of it counts against the day. */
export const CONSUMING = `('claimed', 'sent', 'settled', 'unknown', 'abandoned')`;

/** Limits are per day in Vietnam, whatever the server's own time zone: `2026-11-21`. */
export function dayOf(time: number): string {
  return new Date(time + VIETNAM_OFFSET_MS).toISOString().slice(0, 10);
}
