/** Several companions on one database: a page hears what any of them was told. */
import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { CallEvents } from '../../../../demo/server/calls/call-events.ts';
import { openDatabase } from '../../../../demo/server/store/open.ts';
import type { Database } from '../../../../demo/server/store/database.ts';
import { usePostgres, type UsedPostgres } from '../../../postgres.ts';
import { makeFolder, postJson, signIn, startCompanion, startSandbox } from '../../servers.ts';
import { listen } from './page.ts';

const WEBHOOK_AUTH = 'a-shared-webhook-secret';
const SESSION_SECRET = 'one secret for all companions of a site';

let postgres: UsedPostgres | undefined;
before(async () => {
  postgres = await usePostgres();
});
after(() => postgres?.close());

const stores = {
  SQLite: async (t: TestContext) => `file:${await makeFolder(t)}/companion.db`,
  PostgreSQL: async () => postgres?.createDatabase(),
};

const log = (transId: string, callerMemberNo = 'agent001') => ({
  transId,
  callerMemberNo,
  disposition: 'ANSWER',
});
/** Does not say whose it is. */
const recording = (transId: string) => ({ transId, recordUrl: 'https://vendor.example/r' });

async function openTwo(t: TestContext, DATABASE_URL: string) {
  const sandbox = await startSandbox(t);
  const env = { DATABASE_URL, WEBHOOK_AUTH, SESSION_SECRET };
  const [one, other] = [await startCompanion(t, sandbox, env), await startCompanion(t, sandbox, env)];
  const cookie = await signIn(one, 'agent001');
  const tell = async (companion: string, body: unknown) => {
    const answer = await postJson(`${companion}/webhooks/calls`, body, { Authorization: WEBHOOK_AUTH });
    assert.equal(answer.status, 204);
  };
  return { one, other, headers: { Cookie: cookie }, tell };
}

function openStore(t: TestContext, url: string): Database {
  const database = openDatabase(url);
  t.after(() => database.close());
  return database;
}

/** What a page of agent001 hears, straight from the store. */
function hear(t: TestContext, events: CallEvents, since: number | undefined): string[] {
  const heard: string[] = [];
  t.after(events.listen('agent001', since, ({ transId, kind }) => heard.push(`${transId} ${kind}`)));
  return heard;
}

async function until(holds: () => boolean): Promise<void> {
  const giveUp = performance.now() + 10_000;
  while (!holds() && performance.now() < giveUp) await delay(20);
  // Whatever comes twice or too much comes by then, too.
  await delay(1200);
}

/** Commits late, as a companion does that is held up. */
function held(inner: Database, released: Promise<void>): Database {
  const transact: Database['transact'] = (work) =>
    inner.transact(async (sql) => {
      const result = await work(sql);
      await released;
      return result;
    });
  return { read: inner.read, transact, close: () => inner.close() };
}

for (const [store, create] of Object.entries(stores)) {
  describe(`companions that share ${store}`, () => {
    it('bring a page all that either was told, in order and once each', async (t) => {
      const url = await create(t);
      if (url === undefined) return t.skip('there is no PostgreSQL here');
      const { one, other, headers, tell } = await openTwo(t, url);
      const page = await listen(t, one, headers);
      const wanted: string[] = [];
      for (let n = 1; n <= 6; n += 1) {
        await tell(n % 2 ? other : one, log(`t${n}`));
        await tell(n % 2 ? one : other, log(`t${n}`));
        await tell(other, log(`u${n}`, 'agent002'));
        wanted.push(`t${n}`);
      }
      await tell(other, log('end'));
      const heard = [];
      while (heard.at(-1) !== 'end') heard.push((await page.next())['transId']);
      assert.deepEqual(heard, [...wanted, 'end']);
    });

    it('miss nothing and repeat nothing when the page comes back to another of them', async (t) => {
      const url = await create(t);
      if (url === undefined) return t.skip('there is no PostgreSQL here');
      const { one, other, headers, tell } = await openTwo(t, url);
      await tell(one, log('before'));
      const first = await listen(t, one, headers);
      const fresh = first.lastId();
      await tell(other, log('t1'));
      assert.equal((await first.next())['transId'], 't1');
      first.leave();
      // More than is read in one go.
      for (let n = 2; n <= 60; n += 1) await tell(n % 2 ? one : other, log(`t${n}`));
      const again = await listen(t, other, { ...headers, 'Last-Event-ID': first.lastId() });
      for (let n = 2; n <= 60; n += 1) assert.equal((await again.next())['transId'], `t${n}`);
      // One that left before it heard anything.
      const silent = await listen(t, other, { ...headers, 'Last-Event-ID': fresh });
      assert.equal((await silent.next())['transId'], 't1');
      for (const odd of ['x', '-1', '999999999999999']) {
        const lost = await listen(t, one, { ...headers, 'Last-Event-ID': odd });
        await tell(other, log(`after ${odd}`));
        assert.equal((await lost.next())['transId'], `after ${odd}`);
      }
    });

    it('skip no event whose transaction ends after that of a later one', async (t) => {
      const url = await create(t);
      if (url === undefined) return t.skip('there is no PostgreSQL here');
      const open = () => openStore(t, url);
      const page = new CallEvents(open());
      const heard = hear(t, page, await page.position());
      const slow = new CallEvents(held(open(), delay(1500)));
      const late = slow.accept(log('t1'));
      await delay(200);
      await new CallEvents(open()).accept(log('t2'));
      await late;
      await until(() => heard.length === 2);
      assert.deepEqual(heard, ['t1 log', 't2 log']);
    });

    it('tell of both parts of a call that come at once, though only one says whose it is', async (t) => {
      const url = await create(t);
      if (url === undefined) return t.skip('there is no PostgreSQL here');
      const open = () => openStore(t, url);
      const page = new CallEvents(open());
      const heard = hear(t, page, await page.position());
      const slow = new CallEvents(held(open(), delay(1000)));
      const nameless = slow.accept(recording('t1'));
      await delay(200);
      await new CallEvents(open()).accept(log('t1'));
      await nameless;
      await until(() => heard.length === 2);
      // Which is told first is up to the machine's pace.
      assert.deepEqual(heard.toSorted(), ['t1 log', 't1 recording']);
    });
  });
}
