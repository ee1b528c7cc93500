/** The ledger on each store: what it promises whatever dies, and whoever else writes. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { describe, it, type TestContext } from 'node:test';
import { Ledger, LedgerError } from '../money/ledger.ts';
import { dayOf, type Movement } from '../money/movement.ts';
import { TIMING, type Claim, type Timing } from '../money/reserve.ts';
import { WrongDatabaseError, type Database } from '../store/database.ts';
import type { Account } from '../store/schema.ts';
import { makeFolder, openTestDatabase, stopClock, STORES } from './stores.ts';

const request = (memberNo: string, more: Partial<Claim> = {}): Claim => ({
  memberNo,
  amount: 1000,
  reason: 'session',
  dailyLimitPerMember: 1000,
  dailyLimit: 3000,
  ...more,
});

async function claim(ledger: Ledger, order: Claim): Promise<Movement> {
  const result = await ledger.claim(order);
  assert.ok(typeof result !== 'string', String(result));
  return result;
}

async function settle(ledger: Ledger, movement: Movement): Promise<void> {
  const sent = await ledger.send(movement, 0);
  assert.ok(
    sent && (await ledger.advance(sent, 'settled', { after: 1000.5, isSeen: true })),
    'the ledger refused',
  );
}

/** Any number of companions on one new database. */
async function setUp(t: TestContext, create: (t: TestContext) => Promise<string>) {
  const url = await create(t);
  const openStore = (): Database => openTestDatabase(t, url);
  return {
    url,
    openStore,
    open: (timing: Partial<Timing> = {}) => new Ledger(openStore(), { ...TIMING, ...timing }),
  };
}

for (const [store, create] of Object.entries(STORES)) {
  describe(`the ledger on ${store}`, () => {
    it('keeps one row per movement, with who, how much, before, after, why and when', async (t) => {
      const setup = await setUp(t, create);
      const ledger = setup.open();
      const begin = Date.now();
      await settle(ledger, await claim(ledger, request('agent001')));
      const [row, ...more] = await setup.open().history();
      assert.ok(row && more.length === 0, `there is not one row, but ${more.length} more`);
      const { memberNo, amount, before: first, after: last, reason, day, state, claimedAt } = row;
      assert.deepEqual([memberNo, amount, first, last, reason], ['agent001', 1000, 0, 1000.5, 'session']);
      assert.deepEqual([state, day], ['settled', dayOf(claimedAt)]);
      assert.equal(
        claimedAt >= begin - 1 && claimedAt <= Date.now() + 1,
        true,
        `claimed at ${claimedAt}, begun at ${begin}`,
      );
      const states = await setup
        .openStore()
        .read('select state, owner from top_up_history order by at, state');
      assert.deepEqual(new Set(states.map((one) => one['state'])), new Set(['claimed', 'sent', 'settled']));
      assert.match(String(states[0]?.['owner']), new RegExp(`:${process.pid}:`));
    });

    it('opens one movement at a time for a member, whoever asks', async (t) => {
      const setup = await setUp(t, create);
      const ledgers = [setup.open(), setup.open(), setup.open(), setup.open()];
      const more = { dailyLimitPerMember: 9000, dailyLimit: 9000 };
      const results = await Promise.all(ledgers.map((ledger) => ledger.claim(request('agent001', more))));
      assert.equal(results.filter((result) => result === 'open').length, 3);
    });

    it('takes two spellings of a number for one member', async (t) => {
      const setup = await setUp(t, create);
      const ledger = setup.open();
      const movement = await claim(ledger, request('Agent001'));
      assert.equal(await ledger.claim(request('agent001', { dailyLimitPerMember: 9000 })), 'open');
      assert.equal((await ledger.open('AGENT001'))[0]?.memberNo, 'Agent001', 'as the vendor was asked');
      await settle(ledger, movement);
      assert.equal(await ledger.claim(request('agent001')), 'member-limit');
    });

    it('holds the limits of the day for a member and for all, after a restart too', async (t) => {
      const setup = await setUp(t, create);
      const first = setup.open();
      for (const memberNo of ['a', 'b', 'c']) await settle(first, await claim(first, request(memberNo)));
      const second = setup.open();
      assert.equal(await second.claim(request('a')), 'member-limit');
      assert.equal(await second.claim(request('d')), 'daily-limit');
      assert.equal(await second.claim(request('d', { amount: 1001 })), 'member-limit');
      assert.equal((await second.history()).length, 3, 'a refused claim leaves nothing behind');
      assert.ok(await claim(second, request('d', { dailyLimit: 4000 })), 'the ledger refused');
    });

    it('does not let many at once pass a limit', async (t) => {
      const setup = await setUp(t, create);
      const ledgers = [setup.open(), setup.open(), setup.open()];
      const members = Array.from({ length: 12 }, (_, n) => `agent${n}`);
      const claims = await Promise.all(
        members.map((memberNo, n) => ledgers[n % 3]?.claim(request(memberNo))),
      );
      assert.equal(claims.filter((result) => typeof result === 'object').length, 3);
      assert.equal(claims.filter((result) => result === 'daily-limit').length, 9);
    });

    it('a payment in doubt stays counted in the limits, a refused one does not', async (t) => {
      const setup = await setUp(t, create);
      const ledger = setup.open({ retryMs: 0 });
      const order = request('agent001');
      const refused = await ledger.send(await claim(ledger, order), 0);
      assert.ok(refused && (await ledger.advance(refused, 'failed', { note: 'no' })), 'the ledger refused');

      const sent = await ledger.send(await claim(ledger, order), 0);
      const unknown = sent && (await ledger.advance(sent, 'unknown'));
      assert.ok(unknown, 'there is no movement');
      assert.equal(await ledger.claim(order), 'open');
      assert.ok(await ledger.advance(unknown, 'abandoned'), 'the ledger refused');
      assert.equal(await ledger.claim(order), 'member-limit');
    });

    it('lets a member who was refused wait, each time longer, until it works again', async (t) => {
      const setup = await setUp(t, create);
      const begin = Date.parse('2026-11-21T03:00:00.000Z');
      const at = (minutes: number) => stopClock(setup.url, new Date(begin + minutes * 60_000).toISOString());
      const order = request('agent001', { dailyLimitPerMember: 9000, dailyLimit: 9000 });
      let minutes = 0;
      for (const pause of [1, 2, 4, 8, 10, 10]) {
        await at(minutes);
        const sent = await setup.open().send(await claim(setup.open(), order), 0);
        assert.ok(
          sent && (await setup.open().advance(sent, 'failed', { note: 'on a call' })),
          'the ledger refused',
        );
        await at(minutes + pause - 0.01);
        assert.equal(await setup.open().claim(order), 'too-soon', `${pause} minutes`);
        assert.ok(
          await claim(setup.open(), request(`agent${100 + pause * 2 + minutes}`, { dailyLimit: 9000 })),
          'the ledger refused',
        );
        minutes += pause;
      }
      await at(minutes);
      await settle(setup.open(), await claim(setup.open(), order));
      const sent = await setup.open().send(await claim(setup.open(), order), 0);
      assert.ok(sent && (await setup.open().advance(sent, 'failed')), 'the ledger refused');
      await at(minutes + 1);
      assert.ok(await claim(setup.open(), order), 'the ledger refused');
    });

    it('lets only its owner, and only in time, send a movement', async (t) => {
      const setup = await setUp(t, create);
      const [slow, quick] = [setup.open({ retryMs: 0 }), setup.open()];
      await stopClock(setup.url, '2026-11-21T02:00:00.000Z');
      const taken = await claim(slow, request('agent001'));
      assert.ok(await quick.advance(taken, 'void'), 'the ledger refused');
      assert.equal(await slow.send(taken, 0), undefined);

      await stopClock(setup.url, '2026-11-21T03:00:00.000Z');
      const late = await claim(slow, request('agent001'));
      await stopClock(setup.url, '2026-11-21T03:00:31.000Z');
      assert.equal((await quick.open('agent001'))[0]?.overdue, 1000);
      assert.equal(await slow.send(late, 0), undefined);
      assert.ok(await quick.advance(late, 'void'), 'the ledger refused');
      assert.deepEqual(await quick.open(), []);
    });

    it('frees itself when its clock was years ahead: what it reserved is overdue, what it paid counts as paid today', async (t) => {
      const setup = await setUp(t, create);
      const ledger = setup.open();
      const at = (time: string) => stopClock(setup.url, time);
      const template = request('', { dailyLimit: 4000 });
      const order = (memberNo: string) => ({ ...template, memberNo });
      await at('2099-01-01T03:00:00Z');
      const reserved = await claim(ledger, order('agent001'));
      const late = await ledger.send(await claim(ledger, order('agent002')), 0);
      const unseen = await ledger.send(await claim(ledger, order('agent003')), 0);
      assert.ok(late && unseen && (await ledger.advance(late, 'unknown')));
      assert.ok(await ledger.advance(unseen, 'settled'), 'paid, and not seen to arrive');
      await settle(ledger, await claim(ledger, order('agent004')));

      await at('2026-11-21T03:00:00Z');
      const claims = () =>
        Promise.all(['agent001', 'agent002', 'agent003', 'agent004'].map((one) => ledger.claim(order(one))));
      assert.deepEqual(await claims(), ['open', 'open', 'not-seen', 'member-limit']);
      assert.equal((await ledger.standing()).today.later, 4000);
      assert.equal((await ledger.standing()).today.used, 4000);
      await ledger.redate();
      const open = await ledger.open();
      assert.deepEqual(
        open.map(({ memberNo, overdue, age }) => [memberNo, overdue > 0, age]),
        [
          ['agent001', true, 0],
          ['agent002', true, 0],
        ],
      );
      assert.equal(await ledger.send(reserved, 0), undefined, 'its companion comes too late');
      for (const movement of open)
        assert.ok(await ledger.advance(movement, movement.state === 'unknown' ? 'abandoned' : 'void'));

      await at('2026-11-21T03:10:01Z');
      const granted = await ledger.claim(order('agent001'));
      assert.equal(typeof granted, 'object', 'nothing was paid, so they are paid now');
      assert.ok(await ledger.advance(granted as Movement, 'void'));
      for (const memberNo of ['agent002', 'agent003', 'agent004'])
        assert.equal(await ledger.claim(order(memberNo)), 'member-limit', memberNo);
      await at('2026-11-21T17:00:00Z');
      assert.deepEqual(
        (await claims()).map((one) => typeof one),
        Array(4).fill('object'),
        'the next day',
      );
      assert.equal((await ledger.standing()).today.later, 0);
      assert.deepEqual(await ledger.mismatches(), []);
    });

    it('pays a member once more while its clock shows a later day, and on neither day again', async (t) => {
      const setup = await setUp(t, create);
      const ledger = setup.open();
      const [today, ahead] = ['2026-11-21T03:00:00Z', '2026-11-24T03:00:00Z'];
      for (const time of [today, ahead]) {
        await stopClock(setup.url, time);
        await settle(ledger, await claim(ledger, request('agent001')));
      }
      for (const time of [today, ahead]) {
        await stopClock(setup.url, time);
        await ledger.redate();
        assert.equal(await ledger.claim(request('agent001')), 'member-limit', time);
      }
      assert.deepEqual(await ledger.mismatches(), []);
    });

    it('lets the owner settle a movement that others have set to unknown, once', async (t) => {
      const setup = await setUp(t, create);
      const [owner, other] = [setup.open(), setup.open()];
      const sent = await owner.send(await claim(owner, request('agent001')), 0);
      assert.ok(sent && (await other.advance(sent, 'unknown')), 'the ledger refused');
      assert.equal((await owner.advance(sent, 'settled', { after: 1000 }))?.state, 'settled');
      assert.equal(await other.advance({ ...sent, state: 'unknown' }, 'abandoned'), undefined);
    });

    it('turns the day at midnight in Vietnam, by the clock of the store', async (t) => {
      const setup = await setUp(t, create);
      const ledger = setup.open();
      await stopClock(setup.url, '2026-11-21T16:59:59.999Z');
      await settle(ledger, await claim(ledger, request('agent001')));
      assert.equal(await ledger.claim(request('agent001')), 'member-limit');
      await stopClock(setup.url, '2026-11-21T17:00:00.000Z');
      await settle(ledger, await claim(ledger, request('agent001')));
      const days = (await ledger.history()).map(({ day }) => day);
      assert.deepEqual(days, ['2026-11-21', '2026-11-22']);
      assert.equal((await ledger.history('where day = ?', '2026-11-22')).length, 1);
    });

    it('makes its tables once, however many start at once', async (t) => {
      const setup = await setUp(t, create);
      await Promise.all(Array.from({ length: 6 }, () => setup.open().history()));
      assert.deepEqual(await setup.openStore().read('select version from schema_version'), [{ version: 4 }]);
    });

    it('stays with the account it was first used for, and loses nothing that was there before', async (t) => {
      const setup = await setUp(t, create);
      await settle(setup.open(), await claim(setup.open(), request('agent001')));
      const openFor = (account: Account): Database => openTestDatabase(t, setup.url, account);
      const account = { vendor: 'https://vendor.example/v3.0', key: 'production' };
      const staging = { ...account, key: 'staging' };
      const real = openFor(account);
      assert.equal((await new Ledger(real).history()).length, 1);
      for (const other of [openFor({ vendor: 'the sandbox', key: 'none' }), openFor(staging)]) {
        for (let time = 0; time < 2; time += 1)
          await assert.rejects(other.read('select 1'), WrongDatabaseError);
        await assert.rejects(new Ledger(other).claim(request('agent002')), LedgerError);
      }
      const rotated = openFor({ ...account, key: 'new', previousKey: 'production' });
      assert.equal((await new Ledger(rotated).history()).length, 1);
      await assert.rejects(openFor(account).read('select 1'), WrongDatabaseError);
    });

    it('goes with the account to a new address, and its limits too', async (t) => {
      const setup = await setUp(t, create);
      const openFor = (account: Account) => new Ledger(openTestDatabase(t, setup.url, account));
      const [before, after] = ['https://old.example/v3.0', 'https://new.example/v3.0'];
      const limited = { ...request('agent001'), dailyLimitPerMember: 1000 };
      const old = openFor({ vendor: before, key: 'k' });
      await settle(old, await claim(old, limited));
      const moved: Account = { vendor: after, key: 'k', previousVendor: before };
      await assert.rejects(openFor({ ...moved, key: 'another' }).history(), LedgerError);
      await assert.rejects(
        openFor({ ...moved, previousVendor: 'https://third.example/' }).history(),
        LedgerError,
      );
      assert.equal(await openFor(moved).claim(limited), 'member-limit');
      // From here on it belongs to the new address.
      assert.equal((await openFor({ vendor: after, key: 'k' }).history()).length, 1);
      await assert.rejects(openFor({ vendor: before, key: 'k' }).history(), LedgerError);
      const both: Account = { vendor: before, key: 'new', previousVendor: after, previousKey: 'k' };
      assert.equal((await openFor(both).history()).length, 1, 'address and key at once');
    });

    it('lets nobody change or delete what has happened', async (t) => {
      const setup = await setUp(t, create);
      await settle(setup.open(), await claim(setup.open(), request('agent001')));
      const database = setup.openStore();
      const kept = await database.read('select * from top_up_history order by at, state');
      for (const attempt of [
        `update top_up_history set state = 'failed'`,
        `delete from top_up_history where state = 'sent'`,
        'delete from top_up',
        'update top_up set amount = amount + 1',
        `update top_up set member = 'agent002'`,
        `update budget set day = '2026-01-01'`,
        'delete from budget',
      ]) {
        await assert.rejects(
          database.transact((sql) => sql(attempt)),
          /is forbidden/,
          attempt,
        );
      }
      assert.deepEqual(await database.read('select * from top_up_history order by at, state'), kept);
      assert.equal((await setup.open().history()).length, 1);
    });

    it('undoes the work that failed halfway', async (t) => {
      const setup = await setUp(t, create);
      const database = setup.openStore();
      const halfway = database.transact(async (sql) => {
        await sql('insert into assignment (member, number) values (?, ?)', ['agent001', '84281']);
        throw new Error('halfway');
      });
      await assert.rejects(halfway, /halfway/);
      assert.deepEqual(await database.read('select * from assignment'), []);
    });
  });
}

it('reserves no money while the database cannot be used, and recovers with it', async (t) => {
  const folder = await makeFolder(t);
  await writeFile(`${folder}/companion.db`, 'this is no database, and long enough to be told apart from one');
  const broken = openTestDatabase(t, `file:${folder}/companion.db`);
  await assert.rejects(new Ledger(broken).claim(request('agent001')), LedgerError);
  await writeFile(`${folder}/companion.db`, '');
  assert.ok(await claim(new Ledger(broken), request('agent001')), 'the ledger refused');

  const nobody = openTestDatabase(t, 'postgres://nobody@127.0.0.1:9/nothing');
  await assert.rejects(new Ledger(nobody).history(), LedgerError);
});
