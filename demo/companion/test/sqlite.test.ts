/** The SQLite file: what a backup finds in it, and what happens when somebody takes it away. */
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { Ledger } from '../money/ledger.ts';
import { openDatabase, StoreClosedError, StoreReplacedError } from '../store/database.ts';
import { ensure, GENEROUS, POLICY, setUp } from './money.ts';
import { makeFolder, openTestDatabase, sqliteUrl } from './stores.ts';

const CLAIM = { ...POLICY, memberNo: 'agent001', reason: 'session' } as const;

test('after a clean stop the file alone is the whole ledger', async (t) => {
  const folder = await makeFolder(t);
  const database = openDatabase(`file:${folder}/companion.db`);
  assert.equal(typeof (await new Ledger(database).claim(CLAIM)), 'object');
  await database.close();
  copyFileSync(`${folder}/companion.db`, `${folder}/backup.db`);
  const backup = openTestDatabase(t, `file:${folder}/backup.db`);
  assert.equal((await new Ledger(backup).history()).length, 1);
});

test('a closed database does not open again', async (t) => {
  const folder = await makeFolder(t);
  const database = openDatabase(`file:${folder}/companion.db`);
  await database.read('select 1');
  await database.close();
  await assert.rejects(database.read('select 1'), StoreClosedError);
  await assert.rejects(
    database.transact((sql) => sql('select 1')),
    StoreClosedError,
  );
  const unused = openDatabase(`file:${folder}/unused.db`);
  await unused.close();
  await assert.rejects(unused.read('select 1'), StoreClosedError);
  assert.equal(existsSync(`${folder}/unused.db`), false);
});

test('a folder instead of a file is refused, and stays as it is', async (t) => {
  const folder = `${await makeFolder(t)}/data`;
  mkdirSync(folder, { mode: 0o755 });
  const database = openTestDatabase(t, `file:${folder}`);
  await assert.rejects(database.read('select 1'), /is not a file/);
  assert.equal(statSync(folder).mode & 0o777, 0o755);
});

test('a long queue of transactions does not block other work', async (t) => {
  const database = openTestDatabase(t, await sqliteUrl(t));
  await database.read('select 1');
  let turns = 0;
  const turn = (): void => {
    turns += 1;
    if (turns < 50) setImmediate(turn);
  };
  setImmediate(turn);
  await Promise.all(
    Array.from({ length: 50 }, () => database.write('update call_sequence set last = last + 1')),
  );
  assert.equal(turns, 50);
});

test('a commit waits for the disk', async (t) => {
  const database = openTestDatabase(t, await sqliteUrl(t));
  const [row] = await database.transact((sql) => sql('pragma synchronous'));
  const FULL = 2;
  assert.equal(row?.['synchronous'], FULL);
});

test('the file is for its user only', async (t) => {
  const path = `${await makeFolder(t)}/new/companion.db`;
  const database = openTestDatabase(t, `file:${path}`);
  await database.read('select 1');
  assert.equal(statSync(path).mode & 0o777, 0o600);
});

const losses: Readonly<Record<string, (path: string) => void>> = {
  deleted: (path) => ['', '-wal', '-shm'].forEach((end) => rmSync(path + end, { force: true })),
  'tidied up, so that its -wal is gone': (path) => ['-wal', '-shm'].forEach((end) => rmSync(path + end)),
  'moved away': (path) => renameSync(path, `${path}.old`),
  'replaced by an empty one': (path) => {
    rmSync(path);
    writeFileSync(path, '');
  },
  'replaced by an older copy': (path) => {
    copyFileSync(path, `${path}.copy`);
    renameSync(`${path}.copy`, path);
  },
};
for (const [what, lose] of Object.entries(losses)) {
  test(`a file that was ${what} under a running companion stops its payments, and it says so`, async (t) => {
    const { stub, url, open, failures } = await setUp(t);
    const tools = open(GENEROUS);
    assert.equal((await ensure(tools)).why, 'paid');
    lose(url.slice('file:'.length));
    for (let n = 0; n < 2; n += 1) {
      stub.members.get('agent001')!.balance = 0;
      const { why, detail } = await ensure(tools);
      assert.equal(why, 'ledger');
      assert.match(detail, /was deleted or replaced while in use/);
    }
    assert.equal(stub.paid.length, 1);
    assert.ok(failures.length > 0 && failures[0]?.cause instanceof StoreReplacedError, 'the log is told');
    // What was asked a moment ago may still say otherwise.
    const now = performance.now.bind(performance);
    t.mock.method(performance, 'now', () => now() + 60_000);
    assert.match((await tools.topUp.outlook()).troubles[0]?.text ?? '', /was deleted or replaced/);
  });
}
