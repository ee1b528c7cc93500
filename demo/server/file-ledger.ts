/**
 * The ledger as a file of JSON lines: each state of each movement is one line, on disk before anything is done on the
 * strength of it, and never changed. The last line of a movement is its state.
 *
 * Meant for one companion. Further processes on the same host (`npm run provision` beside it) take turns through a lock
 * file; never put the file on a network file system, and never let companions on two hosts have a ledger each.
 */
import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { JsonLines } from './json-lines.ts';
import {
  dayOf,
  isOpen,
  LedgerError,
  usesLimits,
  type Claim,
  type Facts,
  type Ledger,
  type Movement,
  type MovementState,
  type Wish,
} from './ledger.ts';

const movementSchema = z.object({
  id: z.string(),
  memberNo: z.string(),
  amount: z.int().check(z.positive()),
  reason: z.enum(['session', 'agent', 'operator']),
  day: z.string(),
  claimedAt: z.string(),
  at: z.string(),
  state: z.enum(['claimed', 'sent', 'settled', 'failed', 'unknown', 'void', 'abandoned']),
  before: z.optional(z.number()),
  after: z.optional(z.number()),
  note: z.optional(z.string()),
});

export class FileLedger implements Ledger {
  readonly #lines: JsonLines<Movement>;
  readonly #movements = new Map<string, Movement>();
  readonly #open = new Map<string, Movement>();

  constructor(path: string) {
    this.#lines = new JsonLines(path, movementSchema, (movement) => this.#see(movement));
  }

  claim(wish: Wish): Promise<Claim> {
    return this.#update<Claim>(() => {
      const now = Date.now();
      const refused = this.#whyNot(wish, dayOf(now));
      if (refused) return { result: { refused } };
      const at = new Date(now).toISOString();
      const { memberNo, amount, reason } = wish;
      const id = randomUUID();
      const movement: Movement = {
        id,
        memberNo,
        amount,
        reason,
        day: dayOf(now),
        claimedAt: at,
        at,
        state: 'claimed',
      };
      return { row: movement, result: { movement } };
    });
  }

  advance(movement: Movement, state: MovementState, facts: Facts = {}): Promise<Movement | undefined> {
    return this.#update<Movement | undefined>(() => {
      if (this.#movements.get(movement.id)?.state !== movement.state) return { result: undefined };
      const row: Movement = { ...movement, ...facts, state, at: new Date().toISOString() };
      return { row, result: row };
    });
  }

  async openMovement(memberNo: string): Promise<Movement | undefined> {
    await this.#guard(() => this.#lines.refresh());
    return this.#open.get(memberNo);
  }

  async history(): Promise<readonly Movement[]> {
    await this.#guard(() => this.#lines.refresh());
    return [...this.#movements.values()];
  }

  close(): Promise<void> {
    return this.#lines.close();
  }

  #whyNot(wish: Wish, day: string): 'open' | 'member-limit' | 'daily-limit' | undefined {
    if (this.#open.has(wish.memberNo)) return 'open';
    const today = [...this.#movements.values()].filter((one) => one.day === day && usesLimits(one));
    const used = (movements: readonly Movement[]) =>
      movements.reduce((sum, { amount }) => sum + amount, wish.amount);
    const own = today.filter(({ memberNo }) => memberNo === wish.memberNo);
    if (used(own) > wish.dailyLimitPerMember) return 'member-limit';
    return used(today) > wish.dailyLimit ? 'daily-limit' : undefined;
  }

  #see(movement: Movement): void {
    this.#movements.set(movement.id, movement);
    if (isOpen(movement)) this.#open.set(movement.memberNo, movement);
    else if (this.#open.get(movement.memberNo)?.id === movement.id) this.#open.delete(movement.memberNo);
  }

  #update<R>(decide: () => { row?: Movement; result: R }): Promise<R> {
    return this.#guard(() => this.#lines.update(decide));
  }

  async #guard<R>(work: () => Promise<R>): Promise<R> {
    try {
      return await work();
    } catch (error) {
      throw new LedgerError('The ledger cannot be used; no money is moved.', { cause: error });
    }
  }
}
