/** Many at once: tabs that share one run, also over companions, and a vendor that is asked no faster than it takes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase } from '../../../demo/server/store/open.ts';
import { SharedSignIns } from '../../../demo/server/money/shared-sign-ins.ts';
import { SpareStore } from '../../../demo/server/money/spare-store.ts';
import { memberNoSchema } from '../../../demo/server/vendor/data.ts';
import { VendorError } from '../../../demo/server/vendor/response.ts';
import { OpenApi } from '../../../demo/server/vendor.ts';
import { parse } from 'zod/v4/core';
import { sessionSchema } from '../../../src/broker/contract.ts';
import { usePostgres } from '../../postgres.ts';
import { startProxy } from '../proxy.ts';
import { post, serve, signIn, startCompanion, startSandbox } from '../servers.ts';

const agent = memberNoSchema.parse('agent001');
const own = async () => 'my own';
const TOKEN = '/api/sdk/tokenSdk';
/** Less than a companion waits for another one's run. */
const LONGEST_HOLD_MS = 1800;

test(
  'two tabs that reach two companions at once cost one run of the vendor, and no token is kept in clear',
  { timeout: 60_000 },
  async (t) => {
    const postgres = await usePostgres();
    if (!postgres) return t.skip('there is no PostgreSQL here');
    t.after(() => postgres.close());
    const DATABASE_URL = await postgres.createDatabase();
    const database = openDatabase(DATABASE_URL);
    t.after(() => database.close());
    // As at every start: it has its tables before anybody is served.
    await database.read('select 1 as one');
    const sandbox = await startSandbox(t);
    const asked: string[] = [];
    const tokens = () => asked.filter((path) => path === TOKEN).length;
    const held = new Set<string>();
    /** The first of two tokens is there once somebody else waits for it. */
    const isAwaited = async () => {
      const [row] = await database.read('select waiting from sign_in where member = ?', [agent]);
      return Number(row?.['waiting'] ?? 0) > 0;
    };
    const slow = await startProxy(t, sandbox, async (path, forward) => {
      asked.push(path);
      const giveUp = performance.now() + LONGEST_HOLD_MS;
      // oxlint-disable-next-line no-await-in-loop -- looks again and again
      while (held.has(path) && tokens() === 1 && performance.now() < giveUp && !(await isAwaited()))
        await delay(20);
      return forward();
    });
    const env = { DATABASE_URL, SESSION_SECRET: 's'.repeat(32) };
    const companions = [await startCompanion(t, slow, env), await startCompanion(t, slow, env)];
    const cookie = await signIn(companions[0] ?? '', agent);
    const open = async (companion: string) => {
      const answer = await post(`${companion}/dialer/session`, { Cookie: cookie });
      assert.equal(answer.status, 200);
      return parse(sessionSchema, await answer.json());
    };
    // Another member's first: each companion is connected to its store then.
    const stranger = await signIn(companions[0] ?? '', 'agent002');
    for (const companion of companions)
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      assert.equal((await post(`${companion}/dialer/session`, { Cookie: stranger })).status, 200);
    asked.length = 0;
    await database.transact((sql) => sql('delete from sign_in'));
    held.add(TOKEN);
    const [one, other] = await Promise.all(companions.map(open));
    assert.deepEqual(one, other);
    assert.equal(tokens(), 1);
    const rows = await database.read('select member, result from sign_in');
    assert.deepEqual(
      rows.map(({ member }) => member),
      [agent],
    );
    const token = one?.token ?? '';
    assert.doesNotMatch(JSON.stringify(rows), new RegExp(token.split('.')[2] ?? token));
    await open(companions[1] ?? '');
    assert.equal(tokens(), 2, 'who comes later gets a token of their own');
  },
);

test(
  'a run whose companion has died, or failed, or has another key, is done again by whoever waits',
  { timeout: 60_000 },
  async (t) => {
    const postgres = await usePostgres();
    if (!postgres) return t.skip('there is no PostgreSQL here');
    t.after(() => postgres.close());
    const url = await postgres.createDatabase();
    const database = openDatabase(url);
    t.after(() => database.close());
    await database.read('select 1 as one');
    const store = new SpareStore(url);
    t.after(() => store.close());
    const [one, other, stranger] = ['key', 'key', 'another'].map((key) => new SharedSignIns(store, key));
    /** Resolves when its run is under way. */
    const startOne = (work: () => Promise<string>) =>
      new Promise<void>((resolve) => {
        const begin = () => {
          resolve();
          return work();
        };
        one?.run(agent, begin).catch(() => undefined);
      });
    await startOne(() => new Promise(() => undefined));
    assert.equal(await other?.run(agent, own), 'my own', 'it has died');
    await database.transact((sql) => sql('delete from sign_in'));
    await startOne(() => delay(300).then(() => Promise.reject(new Error('the vendor is away'))));
    assert.equal(await other?.run(agent, own), 'my own', 'it has failed');
    await startOne(() => delay(300, 'theirs'));
    assert.deepEqual(
      await Promise.all([other?.run(agent, own), stranger?.run(agent, own), other?.run('agent002', own)]),
      ['theirs', 'my own', 'my own'],
    );
  },
);

test('without its store a companion does every run itself', { timeout: 20_000 }, async (t) => {
  const store = new SpareStore('postgres://nobody@127.0.0.1:9/nothing');
  t.after(() => store.close());
  assert.equal(await new SharedSignIns(store, 'key').run(agent, async () => 'my own'), 'my own');
});

/** Answers so many requests in a second of the clock, and refuses those above; `seen` are the answers. */
function limited(rate: number) {
  const seen = { taken: 0, refused: 0 };
  let [second, inSecond] = [0, 0];
  const handle = async () => {
    const now = Math.floor(Date.now() / 1000);
    if (now !== second) [second, inSecond] = [now, 0];
    inSecond += 1;
    const isTaken = inSecond <= rate;
    seen[isTaken ? 'taken' : 'refused'] += 1;
    return isTaken ? Response.json({ error: 0, data: 1 }) : new Response('{}', { status: 429 });
  };
  return { seen, handle };
}

test(
  'a vendor that refuses above a rate is soon asked below it, and the others of a rush are told to come back',
  { timeout: 60_000 },
  async (t) => {
    const { seen, handle } = limited(40);
    const api = new OpenApi({ baseUrl: await serve(t, handle), apiKey: 'k' });
    t.after(() => api.close());
    const outcomes: string[] = [];
    const ask = () =>
      api.adminBalance().then(
        () => outcomes.push('ok'),
        (error: unknown) => outcomes.push(error instanceof VendorError ? error.code : String(error)),
      );
    // Twice as many as it takes, for some seconds; what a busy machine is late with is made up for.
    const asked: Promise<unknown>[] = [];
    const began = performance.now();
    for (let ms = 0; ms < 4000; ms = performance.now() - began) {
      while (asked.length < 0.08 * ms) asked.push(ask());
      await delay(10);
    }
    await Promise.all(asked);
    assert.deepEqual(
      outcomes.filter((one) => !['ok', 'busy', 'rate-limited'].includes(one)),
      [],
    );
    assert.ok(seen.refused < seen.taken / 2, `${seen.refused} refused, ${seen.taken} taken`);
    assert.ok(outcomes.includes('busy'), 'nobody was told to come back');
  },
);

test(
  'requests beyond what may be under way wait in order, and are refused when it is not their turn in time',
  { timeout: 60_000 },
  async (t) => {
    const order: string[] = [];
    let isStuck = false;
    const origin = await serve(t, async (request) => {
      order.push(new URL(request.url).searchParams.get('member_no') ?? '');
      if (isStuck) await new Promise(() => undefined);
      await delay(20);
      return Response.json({ error: 404, data: null });
    });
    const api = new OpenApi({ baseUrl: origin, apiKey: 'k' }, { concurrency: 2 });
    const ask = (n: number) =>
      api
        .readMember(memberNoSchema.parse(`agent${n}`))
        .catch((error: unknown) => (error as VendorError).code);
    const first = await Promise.all(Array.from({ length: 30 }, (_, n) => ask(n)));
    const numbers = order.map((name) => Number(name.slice('agent'.length)));
    assert.deepEqual(
      numbers,
      numbers.toSorted((a, b) => a - b),
    );
    assert.equal(first.filter((code) => code === 'busy').length, 30 - 2 * 8 - 2, 'the queue is bounded');
    isStuck = true;
    const later = await Promise.all(Array.from({ length: 6 }, (_, n) => ask(n)));
    assert.deepEqual(later.slice(2), ['busy', 'busy', 'busy', 'busy']);
  },
);
