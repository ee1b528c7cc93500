/**
 * The audit of the chaos test: an order belongs to the movement that sent it, however late it reaches the vendor, and a
 * movement to its day.
 */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { Ledger } from '../../demo/companion/money/ledger.ts';
import type { Movement } from '../../demo/companion/money/movement.ts';
import { openDatabase } from '../../demo/companion/store/database.ts';
import { audit, auditInFlight } from '../soak/chaos/audit.ts';
import { POLICY } from '../soak/chaos/plan.ts';
import { makeFolder } from '../../demo/sandbox/test/servers.ts';

/** A member whose first payment was given up, and whose second one was fenced, but never sent. */
async function setUp(t: TestContext) {
  const database = openDatabase(`file:${await makeFolder(t)}/companion.db`);
  t.after(() => database.close());
  const ledger = new Ledger(database);
  const send = async (): Promise<Movement> => {
    const claimed = await ledger.claim({ ...POLICY, memberNo: 'agent15', reason: 'session' });
    assert.ok(typeof claimed === 'object', String(claimed));
    const sent = await ledger.send(claimed, 0);
    assert.ok(sent, 'the fence was passed');
    return sent;
  };
  const first = await send();
  const unknown = await ledger.advance(first, 'unknown');
  assert.ok(unknown && (await ledger.advance(unknown, 'abandoned')), 'given up');
  const second = await send();
  await ledger.advance(second, 'void', { note: 'too late to send' });
  const violationsWith = async (movement: string, applied = true) => {
    const orders = [{ memberNo: 'agent15', movement, applied }];
    return (await audit(database, { orders, dues: () => 1 })).violations;
  };
  return { first, second, violationsWith };
}

test('a payment that reaches the vendor after it was abandoned does not count for the next movement', async (t) => {
  const { first, violationsWith } = await setUp(t);
  assert.deepEqual(await violationsWith(first.id), []);
});

test('a credit of a void movement, and an order without a movement, are violations', async (t) => {
  const { second, violationsWith } = await setUp(t);
  assert.deepEqual(await violationsWith(second.id), ['agent15: void (too late to send), but credited']);
  assert.deepEqual(await violationsWith('', false), ['an order that no movement has sent']);
});

test('a campaign that lasts into the next day may use the limits of both days, and no more', async (t) => {
  const database = openDatabase(`file:${await makeFolder(t)}/companion.db`);
  t.after(() => database.close());
  let movements = 0;
  const settle = (member: string, day: string) =>
    database.write(
      `insert into top_up (id, member, amount, reason, day, state, owner, lease, claimed_at, changed_at)
       values (?, ?, ?, 'session', ?, 'settled', 'x', 0, 0, 0)`,
      [String((movements += 1)), member, POLICY.amount, day],
    );
  const look = () => auditInFlight(database, { orders: [], dues: () => 1 });
  for (const day of ['2026-11-29', '2026-11-30']) {
    for (let n = 0; n < POLICY.dailyLimit / POLICY.amount; n += 1) await settle(`agent${n}`, day);
  }
  assert.deepEqual(await look(), []);
  await settle('late1', '2026-11-30');
  assert.deepEqual(await look(), ['2026-11-30: 31000 VND reserved, above the limit of the day']);
  for (let n = 0; n < 4; n += 1) await settle('late2', '2026-12-01');
  assert.match((await look()).join(), /late2 on 2026-12-01: 4000 VND reserved/);
});
