/** What top-up.ts needs of a store: movements of money that last, one open per member, never above a day's limits. */

/**
 *     claimed ──▶ sent ──▶ settled      the vendor said so, or a higher balance proves it
 *        │          ├────▶ failed       refused, and the balance did not move
 *        │          └────▶ unknown ──▶ settled | abandoned
 *        └──▶ void                      nothing was sent
 *
 * `claimed`, `sent` and `unknown` are open: the member gets no second movement. All but `failed` and `void` use up the
 * day's limits, `abandoned` too: that money may have moved.
 */
export type MovementState = 'claimed' | 'sent' | 'settled' | 'failed' | 'unknown' | 'void' | 'abandoned';

/** Who wanted the money: the flow at a session, the agent in the guide, or an operator at the command line. */
export type TopUpReason = 'session' | 'agent' | 'operator';

export interface Movement {
  readonly id: string;
  readonly memberNo: string;
  /** VND. */
  readonly amount: number;
  readonly reason: TopUpReason;
  /** The day whose limits it counts against, see `dayOf`. */
  readonly day: string;
  readonly claimedAt: string;
  /** When it got this state. */
  readonly at: string;
  readonly state: MovementState;
  /** Balance in VND read after the claim, before the money was sent. */
  readonly before?: number | undefined;
  readonly after?: number | undefined;
  readonly note?: string | undefined;
}

export interface Wish {
  readonly memberNo: string;
  readonly amount: number;
  readonly reason: TopUpReason;
  readonly dailyLimitPerMember: number;
  readonly dailyLimit: number;
}

export type Claim =
  | { readonly movement: Movement }
  | { readonly refused: 'open' | 'member-limit' | 'daily-limit' };

export type Facts = Partial<Pick<Movement, 'before' | 'after' | 'note'>>;

/** Every method throws a LedgerError when the store cannot be trusted: then nobody may pay. */
export interface Ledger {
  /** Reserves the money, durably, or says what is in the way. */
  claim(wish: Wish): Promise<Claim>;
  /** Writes the next state, durably; undefined when somebody else has moved it on since it was read. */
  advance(movement: Movement, state: MovementState, facts?: Facts): Promise<Movement | undefined>;
  openMovement(memberNo: string): Promise<Movement | undefined>;
  /** The latest state of every movement, oldest first. */
  history(): Promise<readonly Movement[]>;
  close(): Promise<void>;
}

export class LedgerError extends Error {
  override readonly name = 'LedgerError';
}

const VIETNAM_OFFSET_MS = 7 * 3_600_000;

/** Limits are per day in Vietnam, whatever the server's own clock zone: `2026-11-21`. */
export function dayOf(time: number): string {
  return new Date(time + VIETNAM_OFFSET_MS).toISOString().slice(0, 10);
}

export function isOpen({ state }: Movement): boolean {
  return state === 'claimed' || state === 'sent' || state === 'unknown';
}

export function usesLimits({ state }: Movement): boolean {
  return state !== 'failed' && state !== 'void';
}
