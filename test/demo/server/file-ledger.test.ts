/** The ledger as a file: what it promises whatever dies, and whoever else writes. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { appendFile, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { FileLedger } from '../../../demo/server/file-ledger.ts';
import { dayOf, LedgerError, type Movement, type Wish } from '../../../demo/server/ledger.ts';
import { makeFolder } from '../servers.ts';

const wish = (memberNo: string, more: Partial<Wish> = {}): Wish => ({
  memberNo,
  amount: 1000,
  reason: 'session',
  dailyLimitPerMember: 1000,
  dailyLimit: 3000,
  ...more,
});

async function ledgerFile(t: TestContext): Promise<string> {
  return join(await makeFolder(t), 'new', 'ledger.jsonl');
}

function open(t: TestContext, path: string): FileLedger {
  const ledger = new FileLedger(path);
  t.after(() => ledger.close());
  return ledger;
}

async function claim(ledger: FileLedger, order: Wish): Promise<Movement> {
  const result = await ledger.claim(order);
  assert.ok('movement' in result, JSON.stringify(result));
  return result.movement;
}

async function settle(ledger: FileLedger, movement: Movement): Promise<void> {
  const sent = await ledger.advance(movement, 'sent', { before: 0 });
  assert.ok(sent && (await ledger.advance(sent, 'settled', { after: 1000 })));
}

test('a movement is one line per state, with who, how much, before, after, why and when', async (t) => {
  const path = await ledgerFile(t);
  const ledger = open(t, path);
  await settle(ledger, await claim(ledger, wish('agent001')));
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
  const rows = lines.map((line) => JSON.parse(line) as Movement);
  assert.deepEqual(
    rows.map(({ state }) => state),
    ['claimed', 'sent', 'settled'],
  );
  const { memberNo, amount, before, after, reason, day } = rows[2] as Movement;
  assert.deepEqual([memberNo, amount, before, after, reason], ['agent001', 1000, 0, 1000, 'session']);
  assert.equal(day, dayOf(Date.now()));
});

test('a member has one open movement at a time, whichever process asks', async (t) => {
  const path = await ledgerFile(t);
  const ledgers = [open(t, path), open(t, path), open(t, path)];
  const more = { dailyLimitPerMember: 9000, dailyLimit: 9000 };
  const results = await Promise.all(ledgers.map((ledger) => ledger.claim(wish('agent001', more))));
  assert.equal(results.filter((result) => 'movement' in result).length, 1);
  assert.equal(results.filter((result) => 'refused' in result && result.refused === 'open').length, 2);
});

test('the limits of the day hold for a member and for all, after a restart too', async (t) => {
  const path = await ledgerFile(t);
  const first = new FileLedger(path);
  for (const memberNo of ['a', 'b', 'c']) await settle(first, await claim(first, wish(memberNo)));
  await first.close();
  const second = open(t, path);
  assert.deepEqual(await second.claim(wish('a')), { refused: 'member-limit' });
  assert.deepEqual(await second.claim(wish('d')), { refused: 'daily-limit' });
});

test('a limit of all is not passed by many at once', async (t) => {
  const path = await ledgerFile(t);
  const ledgers = [open(t, path), open(t, path)];
  const members = Array.from({ length: 10 }, (_, n) => `agent${n}`);
  const claims = await Promise.all(members.map((memberNo, n) => ledgers[n % 2]?.claim(wish(memberNo))));
  assert.equal(claims.filter((result) => result && 'movement' in result).length, 3);
});

test('doubt keeps its share of the limits, a refusal gives it back', async (t) => {
  const ledger = open(t, await ledgerFile(t));
  const sent = await ledger.advance(await claim(ledger, wish('agent001')), 'sent');
  assert.ok(sent);
  const failed = await ledger.advance(sent, 'failed');
  assert.equal(failed?.state, 'failed');

  const again = await ledger.advance(await claim(ledger, wish('agent001')), 'sent');
  assert.ok(again);
  const unknown = await ledger.advance(again, 'unknown');
  assert.deepEqual(await ledger.claim(wish('agent001')), { refused: 'open' });
  assert.ok(unknown && (await ledger.advance(unknown, 'abandoned')));
  assert.deepEqual(await ledger.claim(wish('agent001')), { refused: 'member-limit' });
});

test('a movement that somebody else has moved on cannot be moved by its first owner', async (t) => {
  const path = await ledgerFile(t);
  const [slow, quick] = [open(t, path), open(t, path)];
  const movement = await claim(slow, wish('agent001'));
  assert.ok(await quick.advance(movement, 'void'));
  assert.equal(await slow.advance(movement, 'sent'), undefined);
});

test('a row that was torn by a crash never counted', async (t) => {
  const path = await ledgerFile(t);
  const first = new FileLedger(path);
  const movement = await claim(first, wish('agent001'));
  await first.close();
  await appendFile(path, JSON.stringify({ ...movement, state: 'sent' }).slice(0, 40));
  const second = open(t, path);
  assert.equal((await second.openMovement('agent001'))?.state, 'claimed');
  assert.ok(await second.advance(movement, 'void'));
  assert.equal(await second.openMovement('agent001'), undefined);
});

test('no money is promised on a ledger that cannot be read', async (t) => {
  const path = await ledgerFile(t);
  const ledger = open(t, path);
  await claim(ledger, wish('agent001'));
  await appendFile(path, 'not a row\n');
  await assert.rejects(ledger.claim(wish('agent002')), LedgerError);
  await truncate(path, 0);
  await assert.rejects(ledger.claim(wish('agent002')), LedgerError);
});

test('the lock of a dead process is broken, that of a living one respected', async (t) => {
  const path = await ledgerFile(t);
  const ledger = open(t, path);
  await claim(ledger, wish('agent001'));
  const dead = spawnSync(process.execPath, ['-e', '']).pid;
  await writeFile(`${path}.lock`, String(dead));
  assert.ok('movement' in (await ledger.claim(wish('agent002'))));

  await writeFile(`${path}.lock`, String(process.ppid));
  const waiting = ledger.claim(wish('agent003'));
  const early = await Promise.race([waiting, new Promise((resolve) => setTimeout(resolve, 100, 'waits'))]);
  assert.equal(early, 'waits');
  await rm(`${path}.lock`);
  assert.ok('movement' in (await waiting));
});

test('the day turns at midnight in Vietnam', () => {
  assert.equal(dayOf(Date.parse('2026-11-21T16:59:59Z')), '2026-11-21');
  assert.equal(dayOf(Date.parse('2026-11-21T17:00:00Z')), '2026-11-22');
});
