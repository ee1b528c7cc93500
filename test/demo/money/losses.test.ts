/**
 * No loss of the partner account is hidden: losses, money put back, fills, payments, comparisons of two companions, settlements and
 * days at random, against an exact count, on both stores.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { Ledger } from '../../../demo/companion/money/ledger.ts';
import { reconcile } from '../../../demo/companion/money/reconcile.ts';
import { settleMissing } from '../../../demo/companion/money/standing.ts';
import type { Database } from '../../../demo/companion/store/database.ts';
import { openTestDatabase, STORES } from '../../../demo/companion/test/stores.ts';

const RUNS = Number(process.env['LOSS_RUNS'] ?? (process.env['LONG'] === '1' ? 100 : 12));
const [AMOUNT, DAY_MS] = [1000, 86_400_000];
const CLAIM = { amount: AMOUNT, reason: 'session', dailyLimitPerMember: 1e9, dailyLimit: 1e9 } as const;

/** VND. `doubt`: a payment without an answer, that arrived or not. */
const vnd = fc.constantFrom(300, 1000, 4000, 5000);
const weighted = (weight: number, ...what: string[]) => ({
  weight,
  arbitrary: fc.record({ what: fc.constantFrom(...what), vnd }),
});
const calmStep = fc.oneof(
  weighted(6, 'compare', 'both'),
  weighted(4, 'lose'),
  weighted(3, 'back'),
  weighted(2, 'settle'),
  weighted(1, 'pay', 'day', 'fill'),
);
const doubtfulStep = fc.oneof(
  fc.record({ what: fc.constant('lose'), vnd }),
  fc.record({
    what: fc.constantFrom('compare', 'settle', 'pay', 'day', 'doubt', 'resolve'),
    vnd: fc.nat({ max: 1 }),
  }),
);
type Step = { readonly what: string; readonly vnd: number };

class Books {
  readonly #databases: readonly [Database, Database];
  readonly #ledger: Ledger;
  #now = Date.parse('2026-01-01T01:00:00Z');
  #balance = 1e9;
  #payments = 0;
  #open: {
    readonly id: string;
    readonly settle: (isPaid: boolean) => Promise<unknown>;
    readonly isPaid: boolean;
  }[] = [];
  /** Net, since the last comparison. */
  unseen = 0;
  /** What page and gauge have to show. */
  missing = 0;
  /** In all. */
  lost = 0;
  settled = 0;
  doubted = 0;

  constructor(databases: readonly [Database, Database]) {
    this.#databases = databases;
    this.#ledger = new Ledger(databases[0]);
  }

  async open(): Promise<void> {
    const [database] = this.#databases;
    await database.write('create table test_clock (now bigint not null)');
    await database.write('insert into test_clock values (0)');
    await database.transact(async (sql) => {
      await sql('drop view clock');
      await sql('create view clock as select now from test_clock');
    });
  }

  /** A later day, without the comparisons of the run before. */
  async begin(): Promise<void> {
    for (const { settle } of this.#open.splice(0)) await settle(false);
    [this.unseen, this.missing, this.lost, this.settled, this.doubted] = [0, 0, 0, 0, 0];
    await this.pass(3 * DAY_MS);
    for (const table of ['reconciliation', 'admin_balance'])
      await this.#databases[0].write(`delete from ${table}`);
    await this.#compare(0);
  }

  async pass(ms: number): Promise<void> {
    this.#now += ms;
    await this.#databases[0].write('update test_clock set now = ?', [this.#now]);
  }

  async take({ what, vnd: sum }: Step): Promise<void> {
    await this.pass(1000);
    if (what === 'lose') this.#lose(sum);
    if (what === 'back') this.#lose(-sum);
    if (what === 'fill') this.#lose(-1e6);
    if (what === 'day') {
      // A companion ends what is in doubt within minutes.
      while (this.#open.length > 0) await this.#resolve();
      await this.pass(DAY_MS);
    }
    if (what === 'pay') await this.#pay(true, true);
    if (what === 'doubt') await this.#pay(false, sum === 1);
    if (what === 'resolve') await this.#resolve();
    if (what === 'settle') {
      const settled = await settleMissing(this.#databases[1]);
      this.settled += settled;
      if (this.doubted === 0) assert.equal(settled, this.missing);
      this.missing = 0;
    }
    if (what === 'compare') await this.#compare(1);
    if (what === 'both') await Promise.all([this.#compare(0), this.#compare(1)]);
  }

  async shown(): Promise<number> {
    return (await this.#ledger.standing()).missing;
  }

  #lose(sum: number): void {
    this.#balance -= sum;
    this.unseen += sum;
    if (sum > 0) this.lost += sum;
  }

  async #compare(by: 0 | 1): Promise<void> {
    const adminBalance = async () => {
      await this.pass(1);
      return this.#balance;
    };
    const vendor = { adminBalance, readMember: assert.fail, addMoney: assert.fail };
    await reconcile(this.#databases[by], vendor as unknown as Parameters<typeof reconcile>[1]);
    this.missing += Math.max(0, this.unseen);
    this.unseen = 0;
  }

  async #pay(isAnswered: boolean, isPaid: boolean): Promise<void> {
    const claimed = await this.#ledger.claim({ ...CLAIM, memberNo: `agent${(this.#payments += 1)}` });
    const sent = typeof claimed === 'object' ? await this.#ledger.send(claimed, 0) : undefined;
    assert.ok(sent, String(claimed));
    if (isPaid) this.#balance -= AMOUNT;
    await this.pass(1);
    const settle = (proved: boolean) =>
      this.#ledger.advance(sent, proved ? 'settled' : 'failed', { isSeen: proved });
    if (isAnswered) await settle(isPaid);
    else {
      this.doubted += AMOUNT;
      await this.#ledger.advance(sent, 'unknown');
      this.#open.push({ id: sent.id, settle, isPaid });
    }
  }

  /** A balance shows what became of the oldest payment in doubt. */
  async #resolve(): Promise<void> {
    const oldest = this.#open.shift();
    await oldest?.settle(oldest.isPaid);
  }
}

for (const [store, create] of Object.entries(STORES)) {
  const open = async (t: Parameters<typeof openTestDatabase>[0]) => {
    const url = await create(t as never);
    const books = new Books([openTestDatabase(t, url), openTestDatabase(t, url)]);
    await books.open();
    return books;
  };

  test(`on ${store}, what is shown as missing is exactly what was lost and not settled`, async (t) => {
    const books = await open(t);
    const property = fc.asyncProperty(
      fc.array(calmStep, { minLength: 12, maxLength: 25, size: 'max' }),
      async (steps) => {
        await books.begin();
        for (const step of steps) {
          await books.take(step);
          assert.equal(await books.shown(), books.missing, JSON.stringify(step));
        }
      },
    );
    await fc.assert(property, { numRuns: RUNS });
  });

  test(`on ${store}, a loss hides behind payments in doubt only up to their sum, on each side of a balance`, async (t) => {
    const books = await open(t);
    const property = fc.asyncProperty(
      fc.array(doubtfulStep, { minLength: 12, maxLength: 25, size: 'max' }),
      async (steps) => {
        await books.begin();
        for (const step of [...steps, { what: 'compare', vnd: 0 }]) await books.take(step);
        const told = (await books.shown()) + books.settled;
        assert.ok(told <= books.lost, `${told} of ${books.lost}`);
        assert.ok(
          told >= books.lost - 2 * books.doubted,
          `${told} of ${books.lost}, ${books.doubted} in doubt`,
        );
      },
    );
    await fc.assert(property, { numRuns: RUNS });
  });
}
