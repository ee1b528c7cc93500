/**
 * The money rules, each broken on purpose, from outside: the companion's own code has no switch for that. A chaos test
 * that does not notice one of these would not notice the mistake either.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { MoneyApi, TopUpPolicy } from '../../../demo/companion/money/result.ts';
import type { Database, Sql } from '../../../demo/companion/store/database.ts';
import type { MemberNo, MemberRow, OpenApi } from '../../../demo/companion/vbot/api.ts';
import { VendorError } from '../../../demo/companion/vbot/errors.ts';
import { HELD_MEMBER, PACE, type Mutant } from './plan.ts';

const DAWDLING = 0.2;

/** The vendor as the money rules see it, and as the rest of the companion does. */
export function breakVendor(api: OpenApi, mutant: Mutant | undefined): { money: MoneyApi; vendor: OpenApi } {
  /** The balances of 0 that sessions have read and nobody has paid for. */
  const seen = new Map<MemberNo, MemberRow>();
  const vendor = Object.create(api, {
    listHotlines: { value: () => api.listHotlines() },
    issueToken: { value: (memberNo: MemberNo, codes: string[]) => api.issueToken(memberNo, codes) },
    readMember: {
      value: async (memberNo: MemberNo) => {
        const member = await api.readMember(memberNo);
        if (member.balance <= 0) seen.set(memberNo, member);
        if (memberNo.startsWith(HELD_MEMBER)) await delay(PACE.longestHoldMs * Math.random());
        return member;
      },
    },
    assignHotline: { value: (memberNo: MemberNo, number: string) => api.assignHotline(memberNo, number) },
  }) as OpenApi;
  const money: MoneyApi = {
    readMember: async (memberNo) => {
      const member = await api.readMember(memberNo);
      await dawdle();
      return member;
    },
    adminBalance: () => api.adminBalance(),
    addMoney: (memberNo, vnd) => api.addMoney(memberNo, vnd),
  };
  switch (mutant) {
    case 'no second read': {
      const readMember = async (memberNo: MemberNo) => {
        const stale = seen.get(memberNo);
        seen.delete(memberNo);
        return stale ?? api.readMember(memberNo);
      };
      return { vendor, money: { ...money, readMember } };
    }
    case 'POST repeated': {
      const addMoney = (memberNo: MemberNo, vnd: number) =>
        api.addMoney(memberNo, vnd).catch(() => api.addMoney(memberNo, vnd));
      return { vendor, money: { ...money, addMoney } };
    }
    case 'doubt taken for refusal': {
      const addMoney = (memberNo: MemberNo, vnd: number) =>
        api.addMoney(memberNo, vnd).catch(() => {
          throw new VendorError('refused', 'No answer, so surely nothing happened.', { vendorCode: 402 });
        });
      return { vendor, money: { ...money, addMoney } };
    }
    default:
      return { vendor, money };
  }
}

/** A process may pause anywhere; between reading a balance and acting on it is the worst place. */
async function dawdle(): Promise<void> {
  if (Math.random() < DAWDLING) await delay(PACE.longestDawdleMs * Math.random());
}

export function breakDatabase(database: Database, mutant: Mutant | undefined): Database {
  const rewrite = mutant && REWRITES[mutant];
  if (!rewrite) return database;
  return {
    read: rewrite(database.read),
    write: rewrite(database.write),
    transact: (work) => database.transact((sql) => work(rewrite(sql))),
    close: () => database.close(),
  };
}

const REWRITES: Partial<Record<Mutant, (sql: Sql) => Sql>> = {
  'no fence': withoutFence,
  'budget not atomic': readThenWrite,
  'own clock': byOwnClock,
  'no cool-down': withoutCoolDown,
  'future never over': replacing(
    'where day >= ? and changed_at >',
    'where 1 = 0 and day >= ? and changed_at >',
  ),
  'put back forgotten': replacing('unexplained >= 0 order by at', 'unexplained > 0 order by at'),
};

function replacing(found: string, by: string): (sql: Sql) => Sql {
  return (sql) => (text, values) => sql(text.replace(found, by), values);
}

const FENCE = `state = 'claimed' and lease > (select now from clock)`;

function withoutFence(sql: Sql): Sql {
  return (text, values) => sql(text.replace(FENCE, `state <> 'none'`), values);
}

/** Believes a balance of 0, however short ago it was topped up. */
function withoutCoolDown(sql: Sql): Sql {
  return (text, values) =>
    sql(text.replace('and seen_at is null and changed_at > ?', '$& and 1 = 0'), values);
}

/** What one companion is told outweighs the environment of all. */
export function breakPolicy(policy: TopUpPolicy, mutant: Mutant | undefined): TopUpPolicy {
  if (mutant !== 'limits of its own') return policy;
  return {
    ...policy,
    dailyLimit: policy.dailyLimit * 10,
    dailyLimitPerMember: policy.dailyLimitPerMember * 10,
  };
}

function byOwnClock(sql: Sql): Sql {
  return (text, values) =>
    sql(text.replace(/(?<=(?:from|,) )clock/g, `(select ${Date.now()} as now) as clock`), values);
}

/** Reads how much is used, waits, and then writes the sum. */
function readThenWrite(sql: Sql): Sql {
  return async (text, values = []) => {
    if (!text.startsWith('insert into budget')) return sql(text, values);
    const [scope, day, amount, cap] = values;
    const [row] = await sql('select used from budget where scope = ? and day = ?', [scope, day]);
    const used = Number(row?.['used'] ?? 0) + Number(amount);
    await delay(3);
    if (used > Number(cap)) return [];
    return sql(
      `insert into budget (scope, day, used, cap) values (?, ?, ?, ?)
       on conflict (scope, day) do update set used = excluded.used returning used`,
      [scope, day, used, cap],
    );
  };
}

/** What has to be done to the tables before anybody starts. */
export async function breakTables(database: Database, mutant: Mutant | undefined): Promise<void> {
  if (mutant === 'no unique index') await database.write('drop index top_up_open');
  if (mutant !== 'commit not awaited') return;
  await database.write(`create function hurry() returns trigger language plpgsql
    as $$ begin perform set_config('synchronous_commit', 'off', true); return null; end $$`);
  for (const table of ['top_up', 'budget'])
    await database.write(
      `create trigger hurry after insert or update on ${table} for each statement execute function hurry()`,
    );
}
