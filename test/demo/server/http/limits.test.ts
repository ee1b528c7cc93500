/** Limits that companions of one PostgreSQL share, and that outlive it. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { Limits } from '../../../../demo/server/http/limits.ts';
import { SharedLimiter } from '../../../../demo/server/money/shared-limiter.ts';
import { SpareStore } from '../../../../demo/server/money/spare-store.ts';
import { openDatabase } from '../../../../demo/server/store/open.ts';
import { usePostgres } from '../../../postgres.ts';

const RATES = { ratePerMember: 3, ratePerAddress: 1000, rateOfWebhooks: 1000, proxyHops: 0 };

function openLimits(t: Pick<TestContext, 'after'>, databaseUrl: string): Limits {
  const store = new SpareStore(databaseUrl);
  t.after(() => store.close());
  return new Limits(RATES, new SharedLimiter(store, RATES.ratePerMember));
}

/** How many of so many requests, in turns at each companion, get through. */
async function passed(limits: readonly Limits[], requests: number): Promise<number> {
  let count = 0;
  for (let n = 0; n < requests; n += 1) {
    if ((await limits[n % limits.length]?.member('agent001')) === undefined) count += 1;
  }
  return count;
}

test('two companions of one database count together', { timeout: 60_000 }, async (t) => {
  const postgres = await usePostgres();
  if (!postgres) return;
  t.after(() => postgres.close());
  const databaseUrl = await postgres.createDatabase();
  const database = openDatabase(databaseUrl);
  t.after(() => database.close());
  await database.read('select 1 as one');
  const limits = [openLimits(t, databaseUrl), openLimits(t, databaseUrl)];
  assert.equal(await passed(limits, 10), 3);
});

test('without its database a companion counts for itself, and goes on', { timeout: 20_000 }, async (t) => {
  const limits = openLimits(t, 'postgres://nobody@127.0.0.1:9/nothing');
  assert.equal(await passed([limits], 10), 3);
});
