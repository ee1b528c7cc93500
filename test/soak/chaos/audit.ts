/** Compares the ledger with what really happened at the vendor, order by order. */
import { setTimeout as delay } from 'node:timers/promises';
import { Ledger } from '../../../demo/companion/money/ledger.ts';
import type { Movement } from '../../../demo/companion/money/movement.ts';
import { reconcile } from '../../../demo/companion/money/reconcile.ts';
import type { MoneyApi } from '../../../demo/companion/money/result.ts';
import { readStanding, settleMissing } from '../../../demo/companion/money/standing.ts';
import type { Database } from '../../../demo/companion/store/database.ts';
import { PACE, POLICY } from './plan.ts';
import type { BadVendor } from './vendor.ts';

/** What the vendor knows for sure. */
type Facts = Pick<BadVendor, 'orders' | 'dues'>;

export interface Audit {
  /** VND. */
  readonly credited: number;
  readonly settled: number;
  /** Reserved for good, as nobody can tell: how much, and how much of that was really applied. */
  readonly doubtful: number;
  readonly doubtfulApplied: number;
  /** What must never be; empty: the money is exact. */
  readonly violations: readonly string[];
}

const CONSUMING: readonly string[] = ['claimed', 'sent', 'settled', 'unknown', 'abandoned'];
/** The scope of the budget of the day. */
const ALL_MEMBERS = 'all members';
const OPEN: readonly string[] = ['claimed', 'sent', 'unknown'];

/** What can be seen at any moment, without asking the ledger. */
export function auditVendor({ orders, dues }: Facts): string[] {
  const applied = orders.filter((order) => order.applied);
  const members = [...new Set(applied.map(({ memberNo }) => memberNo))];
  const credits = (memberNo: string) => applied.filter((order) => order.memberNo === memberNo).length;
  return members
    .filter((one) => credits(one) > dues(one))
    .map((one) => `${one}: ${credits(one)} credits, ${dues(one)} due`);
}

/** While it goes on: no more was credited than is reserved, and that is within the limits of each day. */
export async function auditInFlight(database: Database, { orders }: Facts): Promise<string[]> {
  const credited = orders.filter(({ applied }) => applied).length * POLICY.amount;
  const movements = await new Ledger(database).history();
  const reserved = sum(movements.filter(({ state }) => CONSUMING.includes(state)));
  const open = movements.filter(({ state }) => OPEN.includes(state)).map(({ memberNo }) => memberNo);
  return [
    ...(credited > reserved ? [`${credited} VND credited, only ${reserved} reserved`] : []),
    ...auditLimits(movements),
    ...(new Set(open).size < open.length ? ['a member has two open movements'] : []),
    ...(await auditCaps(database)),
  ];
}

/** A campaign may last into the next day, which has its own limits. */
function auditLimits(movements: readonly Movement[]): string[] {
  const counted = movements.filter((one) => CONSUMING.includes(one.state) && !one.isBeyondLimits);
  const exceeding = (limit: number, scopeOf: (one: Movement) => string) =>
    [...new Set(counted.map(scopeOf))]
      .map((scope) => ({ scope, reserved: sum(counted.filter((one) => scopeOf(one) === scope)) }))
      .filter(({ reserved }) => reserved > limit)
      .map(({ scope, reserved }) => `${scope}: ${reserved} VND reserved, above the limit of the day`);
  return [
    ...exceeding(POLICY.dailyLimit, ({ day }) => day),
    ...exceeding(POLICY.dailyLimitPerMember, ({ day, memberNo }) => `${memberNo} on ${day}`),
  ];
}

/** Money is reserved within the limits that everybody was given, also where the campaign is too short to reach them. */
async function auditCaps(database: Database): Promise<string[]> {
  const rows = await database.read('select scope, cap from budget');
  return rows
    .filter(
      ({ scope, cap }) =>
        Number(cap) > (scope === ALL_MEMBERS ? POLICY.dailyLimit : POLICY.dailyLimitPerMember),
    )
    .map(
      ({ scope, cap }) => `${String(scope)}: reserved within ${String(cap)} VND, which is no limit of ours`,
    );
}

/** A loss that was settled and put back does not hide the next one. */
export async function auditLosses(database: Database): Promise<string[]> {
  let balance = 1_000_000;
  const adminBalance = async () => balance;
  const compare = async () => {
    await delay(5);
    await reconcile(database, { adminBalance } as MoneyApi);
  };
  await compare();
  balance -= 5000;
  await compare();
  await settleMissing(database);
  balance += 5000;
  await compare();
  balance -= 4000;
  await compare();
  const { missing } = await readStanding(database);
  return missing === 4000 ? [] : [`4000 VND were lost, but ${missing} VND are shown as missing`];
}

/** When all has come to rest. */
export async function audit(database: Database, vendor: Facts): Promise<Audit> {
  const movements = await new Ledger(database).history();
  const sentAt = new Map(
    (await database.read(`select top_up, at from top_up_history where state = 'sent'`)).map((row) => [
      String(row['top_up']),
      Number(row['at']),
    ]),
  );
  const budget = await auditBudget(database, movements);
  const violations = [
    ...auditVendor(vendor),
    ...budget,
    ...auditLimits(movements),
    ...auditCoolDown(movements, sentAt),
  ];
  if (vendor.orders.some(({ movement }) => !sentAt.has(movement)))
    violations.push('an order that no movement has sent');
  // Each order names its movement: how late it came in proves nothing.
  const ordersOf = (id: string) => vendor.orders.filter(({ movement }) => movement === id);
  const creditsOf = (id: string) => ordersOf(id).filter((order) => order.applied).length;
  for (const { id, state, memberNo, note } of movements) {
    const credits = creditsOf(id);
    const orders = ordersOf(id).length;
    if (orders > 1) violations.push(`${memberNo}: ${orders} orders for one movement`);
    if (OPEN.includes(state)) violations.push(`${memberNo}: stuck in ${state}`);
    if (state === 'settled' && credits !== 1) violations.push(`${memberNo}: settled, but ${credits} credits`);
    if (!CONSUMING.includes(state) && credits > 0)
      violations.push(`${memberNo}: ${state} (${note}), but credited`);
  }
  const inState = (...states: string[]) => movements.filter(({ state }) => states.includes(state));
  const doubtful = inState('unknown', 'abandoned');
  return {
    credited: vendor.orders.filter((order) => order.applied).length * POLICY.amount,
    settled: sum(inState('settled')),
    doubtful: sum(doubtful),
    doubtfulApplied: sum(doubtful.filter(({ id }) => creditsOf(id) === 1)),
    violations,
  };
}

/** Nobody is paid again while the rise of an earlier payment has not been seen, and its cool-down is not over. */
function auditCoolDown(movements: readonly Movement[], sentAt: ReadonlyMap<string, number>): string[] {
  return movements.flatMap(({ id, memberNo, claimedAt }) => {
    const sent = sentAt.get(id);
    if (sent === undefined) return [];
    const isTooEarly = movements.some(
      (earlier) =>
        earlier.memberNo === memberNo &&
        earlier.state === 'settled' &&
        earlier.changedAt < claimedAt &&
        earlier.changedAt > claimedAt - PACE.coolDownMs &&
        // What was seen after the claim, but before the money was sent, may have been seen by the claim as well.
        (earlier.seenAt ?? Infinity) > sent,
    );
    return isTooEarly ? [`${memberNo}: paid again before the balance was seen to rise`] : [];
  });
}

/** The counters of the day are the sum of the movements that count. */
async function auditBudget(database: Database, movements: readonly Movement[]): Promise<string[]> {
  const rows = await database.read('select scope, day, used from budget');
  return rows.flatMap(({ scope, day, used }) => {
    const counted = movements.filter(
      (one) =>
        one.day === day && CONSUMING.includes(one.state) && (scope === ALL_MEMBERS || one.memberNo === scope),
    );
    return sum(counted) === used ? [] : [`budget of ${String(scope)}: ${String(used)}, not ${sum(counted)}`];
  });
}

function sum(movements: readonly Movement[]): number {
  return movements.reduce((total, { amount }) => total + amount, 0);
}
