/** From the tables of an earlier companion to today's, on each store: what was paid today still counts. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it, type TestContext } from 'node:test';
import Libsql from 'libsql';
import { Client } from 'pg';
import { Ledger } from '../money/ledger.ts';
import { dayOf } from '../money/movement.ts';
import { openDatabase } from '../store/database.ts';
import { MIGRATIONS } from '../store/migrations.ts';
import type { Account } from '../store/schema.ts';
import { environmentOf, run } from './process.ts';
import { createPostgresDatabase, makeFolder } from './stores.ts';
import { startVendor } from './vendor.ts';

const ACCOUNT: Account = { vendor: 'https://vendor.example/v3.0', key: 'production' };
const CLAIM = { amount: 1000, dailyLimitPerMember: 1000, dailyLimit: 2000, reason: 'session' } as const;
/** As the companions of that version made them, and written down from what they did. */
const tablesOf = (version: number, store: string) =>
  readFileSync(new URL(`schemas/version-${version}.${store}.sql`, import.meta.url), 'utf8').split(';;\n');

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

for (const [store, create] of Object.entries(stores)) {
  describe(`an earlier database on ${store}`, () => {
    for (const version of [1, 2]) {
      it(`of version ${version} is taken over once by all who start at once, with what was paid today`, async (t) => {
        const { url, fill } = await create(t);
        await fill([...tablesOf(version, store), ...PAID]);
        const databases = Array.from({ length: 4 }, () => openDatabase(url, ACCOUNT));
        t.after(() => Promise.all(databases.map((database) => database.close())));
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
        assert.deepEqual(await database.read('select version from schema_version'), [{ version: 3 }]);
        for (const table of ['call_price', 'call_count', 'reconciliation']) {
          assert.deepEqual(await database.read(`select * from ${table}`), [], table);
        }
        await database.write(`insert into call_event (trans_id, kind, at) values ('c1', 'ended', 1)`);
        assert.deepEqual(await database.read('select last from call_sequence'), [{ last: 0 }]);
      });
    }

    const strange: Record<string, [statements: string[], found: RegExp]> = {
      'of a newer companion': [
        [...tablesOf(2, store), `update schema_version set version = ${MIGRATIONS.length + 1}`],
        /tables of version 4; this companion knows 1 to 3/,
      ],
      'of an unknown version': [
        [...tablesOf(2, store), 'delete from schema_version'],
        /tables of version null; this companion knows 1 to 3/,
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
        [...tablesOf(2, store), 'drop table top_up_history'],
        /but no top_up_history.+restore the backup/,
      ],
    };
    for (const [what, [statements, found]] of Object.entries(strange)) {
      it(`${what} ends every command with 78, and says what it found`, async (t) => {
        const { url, fill } = await create(t);
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
  const database = openDatabase(`${url}?options=${encodeURIComponent('-c search_path=companion,public')}`);
  t.after(() => database.close());
  assert.deepEqual(await new Ledger(database).history(), []);
});
