/** PostgreSQL as operators have it: another default isolation, deadlocks, nobody there. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test, type TestContext } from 'node:test';
import { Client } from 'pg';
import { Ledger } from '../money/ledger.ts';
import type { Movement } from '../money/movement.ts';
import { post, signIn, startApp } from './app.ts';
import { createPostgresDatabase, openTestDatabase } from './stores.ts';
import { startVendor } from './vendor.ts';

const CLAIM = { amount: 1000, dailyLimitPerMember: 1000, dailyLimit: 90_000, reason: 'session' } as const;

async function open(t: TestContext) {
  const url = await createPostgresDatabase();
  const client = new Client({ connectionString: url });
  await client.connect();
  t.after(() => client.end());
  const openStore = () => openTestDatabase(t, url);
  return { url, client, openStore };
}

async function pay(ledger: Ledger, memberNo: string, isSeen = true): Promise<Movement> {
  const claimed = await ledger.claim({ ...CLAIM, memberNo });
  assert.ok(typeof claimed === 'object', String(claimed));
  const sent = await ledger.send(claimed, 0);
  assert.ok(sent && (await ledger.advance(sent, 'settled', { after: 1000, isSeen })), 'settled');
  return sent;
}

test('where the default isolation is serializable, 30 new members at three companions all get their money', async (t) => {
  const setup = await open(t);
  const name = new URL(setup.url).pathname.slice(1);
  await setup.client.query(`alter database ${name} set default_transaction_isolation = 'serializable'`);
  const ledgers = Array.from({ length: 3 }, () => new Ledger(setup.openStore()));
  // As many as the companions have connections: more would wait for one, two seconds at most.
  await Promise.all(Array.from({ length: 30 }, (_, n) => pay(ledgers[n % 3]!, `agent${n}`)));
});

const update = (member: string) => `update assignment set number = number || 'x' where member = '${member}'`;

test('work that meets a deadlock runs again', async (t) => {
  const setup = await open(t);
  const database = setup.openStore();
  await database.transact((sql) => sql(`insert into assignment values ('a', '1'), ('b', '1')`));
  let meet = 0;
  const here = new AbortController();
  const bothAreHere = once(here.signal, 'abort');
  const work = (first: string, second: string) =>
    database.transact(async (sql) => {
      await sql(update(first));
      meet += 1;
      if (meet === 2) here.abort();
      await bothAreHere;
      await sql(update(second));
    });
  await Promise.all([work('a', 'b'), work('b', 'a')]);
  const rows = await database.read('select number from assignment');
  assert.deepEqual(
    rows.map(({ number }) => number),
    ['1xx', '1xx'],
  );
});

test('a burst of webhooks leaves payments the connections they need', async (t) => {
  const setup = await open(t);
  const stub = await startVendor(t);
  const { origin } = await startApp(t, stub, { DATABASE_URL: setup.url, WEBHOOK_AUTH: 'none' });
  const Cookie = await signIn(origin, 'agent001');
  await setup.openStore().read('select 1');
  // The first webhook is held up here.
  await setup.client.query('begin');
  await setup.client.query('update call_sequence set last = last');
  const webhooks = Array.from({ length: 30 }, (_, n) =>
    post(`${origin}/webhooks/calls`, { transId: `c${n}`, disposition: 'ANSWER', member_no: 'agent002' }),
  );
  const session = await post(`${origin}/dialer/session`, undefined, { Cookie });
  assert.deepEqual(((await session.json()) as { blockers: string[] }).blockers, []);
  await setup.client.query('commit');
  const statuses = (await Promise.all(webhooks)).map(({ status }) => status);
  assert.deepEqual([...new Set(statuses)], [204]);
});

test(
  'a database that only reads, as after a failover, is told before anybody is to be paid',
  { timeout: 60_000 },
  async (t) => {
    const setup = await open(t);
    const ready = async () => {
      const { origin } = await startApp(t, await startVendor(t), { DATABASE_URL: setup.url });
      for (;;) {
        const { store, topUps } = (await (await fetch(`${origin}/readyz`)).json()) as Record<string, string>;
        // Until the schema is made, which a busy machine does not do in the second that `/readyz` waits.
        if (store === 'ok') return topUps;
      }
    };
    assert.equal(await ready(), 'ok');
    const name = new URL(setup.url).pathname.slice(1);
    await setup.client.query(`alter database ${name} set default_transaction_read_only = on`);
    assert.equal(await ready(), 'The ledger cannot be used; no money is moved');
  },
);

for (const where of ['server', 'address']) {
  test(`where the ${where} does not wait for the disk, a payment's transactions do`, async (t) => {
    const setup = await open(t);
    const { client } = setup;
    const name = new URL(setup.url).pathname.slice(1);
    let { openStore } = setup;
    if (where === 'server') {
      await client.query(`alter database ${name} set synchronous_commit = off`);
      await client.query(`alter database ${name} set lock_timeout = 0`);
    } else {
      const options = encodeURIComponent('-c synchronous_commit=off -c lock_timeout=0');
      const database = openTestDatabase(t, `${setup.url}?options=${options}`);
      openStore = () => database;
    }
    const ledger = new Ledger(openStore());
    await ledger.open();
    await client.query('create table noted (what text, synchronous_commit text, lock_timeout text)');
    await client.query(`create function note() returns trigger language plpgsql as $$ begin
      insert into noted values (tg_table_name, current_setting('synchronous_commit'), current_setting('lock_timeout'));
      return null; end $$`);
    for (const table of ['top_up', 'budget']) {
      await client.query(
        `create trigger note after insert or update on ${table} for each row execute function note()`,
      );
    }
    const sent = await pay(ledger, 'agent001', false);
    assert.ok(await ledger.see(sent, 1000), 'seen');
    const { rows } = await client.query<Record<string, string>>('select * from noted');
    assert.equal(rows.length, 6, 'claim and its two budgets, send, settle, see');
    for (const row of rows) {
      assert.deepEqual([row['synchronous_commit'], row['lock_timeout']], ['on', '3s'], row['what']);
    }
  });
}

test('a top-up asks PostgreSQL thirteen times at most', async (t) => {
  const setup = await open(t);
  const ledger = new Ledger(setup.openStore());
  await ledger.open();
  let asked = 0;
  const query = Client.prototype.query;
  t.mock.method(Client.prototype, 'query', function (this: Client, ...args: unknown[]) {
    asked += 1;
    return Reflect.apply(query, this, args) as unknown;
  });
  await pay(ledger, 'agent001');
  assert.ok(asked <= 13, `${asked} queries`);
});
