/** From the tables of one version to those of the next, on each store: what was paid today still counts. */
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import Libsql from 'libsql';
import { Client } from 'pg';
import { Ledger } from '../money/ledger.ts';
import { dayOf } from '../money/movement.ts';
import { settleMissing } from '../money/standing.ts';
import { openDatabase } from '../store/database.ts';
import { MIGRATIONS, type Migration } from '../store/migrations.ts';
import type { Account } from '../store/schema.ts';
import { environmentOf, run } from './process.ts';
import { createPostgresDatabase, makeFolder, openTestDatabase } from './stores.ts';
import { startVendor } from './vendor.ts';

const ACCOUNT: Account = { vendor: 'https://vendor.example/v3.0', key: 'production' };
const CLAIM = { amount: 1000, dailyLimitPerMember: 1000, dailyLimit: 2000, reason: 'session' } as const;
/** A payment of today, as every companion has written it. */
const PAID = [
  `insert into account (one, vendor, key) values (1, '${ACCOUNT.vendor}', '${ACCOUNT.key}')`,
  `insert into top_up (id, member, amount, reason, day, state, owner, before_balance, lease, claimed_at, changed_at, beyond_limits)
     select 'one', 'agent001', 1000, 'session', '${dayOf(Date.now())}', 'sent', 'x', 0, now + 30000, now, now, 0 from clock`,
  `update top_up set state = 'settled', after_balance = 1000, seen_at = changed_at`,
  `insert into budget (scope, day, used, cap) values ('agent001', '${dayOf(Date.now())}', 1000, 1000)`,
  `insert into budget (scope, day, used, cap) values ('all members', '${dayOf(Date.now())}', 1000, 2000)`,
];

type Fill = (statements: readonly string[]) => Promise<void>;

const stores: Record<string, (t: TestContext) => Promise<{ url: string; fill: Fill }>> = {
  sqlite: async (t) => {
    const path = `${await makeFolder(t)}/companion.db`;
    const fill: Fill = async (statements) => {
      const file = new Libsql(path);
      for (const statement of statements) file.exec(statement);
      file.close();
    };
    return { url: `file:${path}`, fill };
  },
  postgres: async () => {
    const url = await createPostgresDatabase();
    const fill: Fill = async (statements) => {
      const client = new Client({ connectionString: url });
      await client.connect();
      for (const statement of statements) await client.query(statement);
      await client.end();
    };
    return { url, fill };
  },
};

/** Makes the tables of version 3. */
async function openFirst(url: string): Promise<void> {
  const later = (MIGRATIONS as Migration[]).splice(1);
  await openOnce(url).finally(() => (MIGRATIONS as Migration[]).push(...later));
}

/** VND that each comparison found, by the hour, as version 3 wrote them: each repeats what the others with its balance found. */
const COMPARED = (
  rows: readonly (readonly [hour: number, since: number, result: string, unexplained: number])[],
) =>
  rows.map(
    ([hour, since, result, unexplained]) =>
      `insert into reconciliation (at, since, result, lost, settled, doubtful, unexplained)
       values (${hour}, ${since}, '${result}', ${Math.max(0, unexplained)}, 0, 0, ${unexplained})`,
  );

/** Makes today's tables. */
async function openOnce(url: string): Promise<void> {
  const database = openDatabase(url);
  await database.read('select 1');
  await database.close();
}

for (const [store, create] of Object.entries(stores)) {
  describe(`a database on ${store}`, () => {
    it('of the version before is taken over once by all who start at once, with what was paid today', async (t) => {
      const { url, fill } = await create(t);
      await openOnce(url);
      await fill(PAID);
      const steps = MIGRATIONS as Migration[];
      steps.push(() => ['create table later (id integer)', 'insert into later (id) values (1)']);
      t.after(() => steps.pop());
      const databases = Array.from({ length: 4 }, () => openTestDatabase(t, url, ACCOUNT));
      const ledgers = databases.map((database) => new Ledger(database));
      const claims = await Promise.all(
        ledgers.map((ledger) => ledger.claim({ ...CLAIM, memberNo: 'agent001' })),
      );
      assert.deepEqual([...new Set(claims)], ['member-limit']);
      const [database] = databases;
      const [ledger] = ledgers;
      assert.ok(database && ledger);
      assert.deepEqual(await ledger.mismatches(), []);
      assert.equal(typeof (await ledger.claim({ ...CLAIM, memberNo: 'agent002' })), 'object');
      assert.equal(await ledger.claim({ ...CLAIM, memberNo: 'agent003' }), 'daily-limit');
      assert.deepEqual(
        (await ledger.history(`where id = 'one'`)).map(({ state, amount }) => [state, amount]),
        [['settled', 1000]],
      );
      assert.deepEqual(await database.read('select version from schema_version'), [{ version: 5 }]);
      assert.deepEqual(await database.read('select id from later'), [{ id: 1 }]);
    });

    const losses: Record<string, [rows: Parameters<typeof COMPARED>[0], missing: number]> = {
      'found twice with one balance': [
        [
          [1, 0, 'agrees', 0],
          [2, 0, 'missing', 5000],
          [3, 0, 'missing', 5000],
        ],
        5000,
      ],
      'found with two balances': [
        [
          [2, 0, 'missing', 5000],
          [4, 3, 'missing', 300],
          [5, 3, 'filled', -9000],
        ],
        5300,
      ],
      settled: [
        [
          [2, 0, 'missing', 5000],
          [3, 3, 'missing', -5000],
          [5, 4, 'agrees', 0],
        ],
        0,
      ],
      'settled, put back and hidden by that': [
        [
          [2, 0, 'missing', 5000],
          [3, 3, 'missing', -5000],
          [5, 0, 'agrees', 0],
          [6, 0, 'missing', 4000],
        ],
        4000,
      ],
    };
    for (const [what, [rows, missing]] of Object.entries(losses)) {
      it(`of version 3 keeps a loss that was ${what}`, async (t) => {
        const { url, fill } = await create(t);
        await openFirst(url);
        await fill([...PAID, ...COMPARED(rows)]);
        const database = openTestDatabase(t, url, ACCOUNT);
        const ledger = new Ledger(database);
        assert.equal((await ledger.standing()).missing, missing);
        assert.equal(await settleMissing(database), missing);
        assert.equal((await ledger.standing()).missing, 0);
        assert.equal(await ledger.claim({ ...CLAIM, memberNo: 'agent001' }), 'member-limit');
        assert.deepEqual(await database.read('select version from schema_version'), [{ version: 4 }]);
      });
    }

    const strange: Record<string, [statements: string[], found: RegExp, isOurs?: boolean]> = {
      'of a newer companion': [
        ['update schema_version set version = 5'],
        /tables of version 5; this companion knows 3 to 4\. Start the version that created them[^]*could be paid twice/,
        true,
      ],
      'of a companion before the first release': [
        ['update schema_version set version = 2'],
        /tables of version 2; this companion knows 3 to 4\./,
        true,
      ],
      'of an unknown version': [
        ['delete from schema_version'],
        /tables of version null; this companion knows 3 to 4\./,
        true,
      ],
      'of somebody else': [
        ['create table customer (id integer)', 'create table account (id integer)'],
        /it has account, customer, but no schema_version, top_up/,
      ],
      'of somebody else who counts versions too': [
        ['create table schema_version (version integer)', 'insert into schema_version values (2)'],
        /it has schema_version, but no account, top_up/,
      ],
      'of ours that has lost its payments': [
        ['drop table top_up_history'],
        /but no top_up_history.+restore the backup/,
        true,
      ],
    };
    for (const [what, [statements, found, isOurs]] of Object.entries(strange)) {
      it(`${what} ends every command with 78, and says what it found`, async (t) => {
        const { url, fill } = await create(t);
        if (isOurs) await openOnce(url);
        await fill(statements);
        const env = environmentOf(await startVendor(t), url);
        for (const command of [['serve'], ['provision', 'agent001'], ['reconcile']]) {
          const { exit, err } = await run(command, env);
          assert.deepEqual([exit, found.test(err)], [78, true], `${command[0]}: ${err}`);
        }
      });
    }
  });
}

it('on PostgreSQL, tables of others in another schema are nobody’s business', async (t) => {
  const url = await createPostgresDatabase();
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('create table customer (id integer)');
  await client.query('create schema companion');
  await client.end();
  const database = openTestDatabase(
    t,
    `${url}?options=${encodeURIComponent('-c search_path=companion,public')}`,
  );
  assert.deepEqual(await new Ledger(database).history(), []);
});
