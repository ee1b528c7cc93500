/** Pages that listen, and a database that is asked no more than it has to be, and cannot always be. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { CallEvents } from '../../../../demo/server/calls/call-events.ts';
import { openDatabase } from '../../../../demo/server/money/open-database.ts';
import type { Database } from '../../../../demo/server/money/database.ts';
import { makeFolder } from '../../servers.ts';

const LOOK_MS = 1000;
const log = (transId: string) => ({ transId, callerMemberNo: 'agent001', disposition: 'ANSWER' });

/** A store that counts what it is asked, and fails while it is told to. */
async function openStore(t: TestContext) {
  const inner = openDatabase(`file:${await makeFolder(t)}/companion.db`);
  t.after(() => inner.close());
  const state = { asked: 0, broken: false };
  const read: Database['read'] = async (text, values) => {
    state.asked += 1;
    if (state.broken) throw new Error('gone');
    return inner.read(text, values);
  };
  const database: Database = { read, transact: (work) => inner.transact(work), close: () => inner.close() };
  return { state, database };
}

function hear(events: CallEvents, since: number | undefined) {
  const heard: string[] = [];
  const stop = events.listen('agent001', since, ({ transId }, number) => heard.push(`${number} ${transId}`));
  return { heard, stop };
}

test('the database is asked only while somebody listens', async (t) => {
  const { state, database } = await openStore(t);
  const events = new CallEvents(database);
  await events.accept(log('t1'));
  assert.equal(state.asked, 0);
  const stops = Array.from({ length: 20 }, () => hear(events, 0).stop);
  await delay(LOOK_MS / 2);
  const before = state.asked;
  await delay(2 * LOOK_MS);
  assert.ok(state.asked - before <= 3, `${state.asked - before} questions in 2 s for 20 pages`);
  for (const stop of stops) stop();
  await delay(100);
  const after = state.asked;
  await delay(2 * LOOK_MS);
  assert.equal(state.asked, after);
});

test('a page outlives a database that fails, and hears what it was told meanwhile', async (t) => {
  const { state, database } = await openStore(t);
  const events = new CallEvents(database);
  const { heard, stop } = hear(events, await events.position());
  t.after(stop);
  await delay(100);
  state.broken = true;
  await events.accept(log('t1'));
  // One that comes now hears what comes later.
  const late = hear(events, undefined);
  t.after(late.stop);
  await delay(1.5 * LOOK_MS);
  assert.deepEqual(heard, []);
  state.broken = false;
  await delay(1.5 * LOOK_MS);
  await events.accept(log('t2'));
  await delay(1.5 * LOOK_MS);
  assert.deepEqual(heard, ['1 t1', '2 t2']);
  assert.deepEqual(late.heard, ['2 t2']);
});

test('a page that left hears no more, even of what was being read for it', async (t) => {
  const { database } = await openStore(t);
  const events = new CallEvents(database);
  for (const name of ['t1', 't2', 't3']) await events.accept(log(name));
  const heard: string[] = [];
  const stop = events.listen('agent001', 0, ({ transId }) => {
    heard.push(transId);
    stop();
  });
  await delay(LOOK_MS / 2);
  assert.deepEqual(heard, ['t1']);
});
