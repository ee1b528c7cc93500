/**
 * What is said of money is what was moved: payments, calls, lost answers, losses, money put back, fractions, restarts and days at random, and after
 * each step page, `/readyz` and gauges of two companions against the vendor's own books.
 */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { readStanding, settleMissing } from '../../money/standing.ts';
import { dayOf } from '../../money/movement.ts';
import { reconcile } from '../../money/reconcile.ts';
import { Ledger } from '../../money/ledger.ts';
import { TopUp } from '../../money/top-up.ts';
import type { Database } from '../../store/database.ts';
import { Telemetry } from '../../telemetry.ts';
import type { MemberNo, MemberRow } from '../../vbot/api.ts';
import { VendorError } from '../../vbot/errors.ts';
import { createMetricsRoute, createOperatorRoutes } from '../../features/operator/routes.ts';
import { en } from '../../features/operator/en.ts';
import { formatMoney } from '../../features/operator/table.ts';
import { Limits } from '../../guards/limits.ts';
import { openTestDatabase, STORES } from '../stores.ts';

const SEEDS = Number(process.env['SEEDS'] ?? 2);
const STEPS = 40;
const AMOUNT = 1000;
const POLICY = { mode: 'auto', amount: AMOUNT, dailyLimitPerMember: 3000, dailyLimit: 9000 } as const;
const inEnglish = (vnd: number) => formatMoney(en, vnd).replace(/\s/g, ' ');
const cents = (vnd: number) => Math.round(vnd * 100);

/** mulberry32 */
function randomFrom(seed: number): () => number {
  let a = seed;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The vendor keeps its books in hundredths, and nobody else reads them. */
class Vendor {
  readonly members = new Map<string, number>();
  account = cents(263_000.1);
  /** Hundredths that left in another way since the last comparison, without those that were put back. */
  stolen = 0;
  loses = false;

  readonly readMember = async (memberNo: MemberNo): Promise<MemberRow> =>
    ({ memberNo, balance: (this.members.get(memberNo) ?? 0) / 100, hotlines: [] }) as unknown as MemberRow;
  readonly adminBalance = async () => this.account / 100;
  readonly addMoney = async (memberNo: MemberNo, vnd: number) => {
    this.account -= cents(vnd);
    this.members.set(memberNo, (this.members.get(memberNo) ?? 0) + cents(vnd));
    if (!this.loses) return;
    // Spent before anybody looks, so that no balance proves the payment.
    this.members.set(memberNo, 0);
    throw new VendorError('unreachable', 'no answer in time');
  };
}

interface Companion {
  readonly database: Database;
  readonly topUp: TopUp;
  ask(path: string): Promise<string>;
}

async function start(t: TestContext, url: string, vendor: Vendor): Promise<Companion> {
  const database = openTestDatabase(t, url);
  const ledger = new Ledger(database);
  const log = { topUp: () => undefined, alert: () => undefined, ledgerFailed: assert.ifError };
  const topUp = new TopUp(vendor, ledger, POLICY, { log });
  await topUp.account.read();
  const parts = {
    config: { operatorPassword: undefined, vendor: undefined, topUp: POLICY, proxyHops: 0 },
    database,
    ledger,
    limits: new Limits({ ratePerMember: 1, ratePerAddress: 1, proxyHops: 0 }),
    telemetry: new Telemetry({ logLevel: 'silent' }),
    topUp,
  };
  const routes = createOperatorRoutes(parts).route('/', createMetricsRoute(parts));
  const ask = async (path: string) => {
    const answer = await routes.request(path, {}, { incoming: { headers: {} } });
    const text = await answer.text();
    return text.replaceAll(/<style>.*?<\/style>|<[^>]*>/gs, ' ').replaceAll(/\s+/g, ' ');
  };
  return { database, topUp, ask };
}

for (const [store, create] of Object.entries(STORES)) {
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    test(`on ${store}, what is said of money is what was moved: seed ${seed}`, async (t) => {
      const random = randomFrom(seed);
      const pick = (n: number) => Math.floor(random() * n);
      const url = await create(t);
      const vendor = new Vendor();
      const companions = [await start(t, url, vendor), await start(t, url, vendor)];
      const any = () => companions[pick(2)]!;
      const clock = any().database;
      let now = Date.parse('2026-11-20T01:00:00Z');
      const setClock = () =>
        clock.transact(async (sql) => {
          await sql('drop view clock');
          await sql(`create view clock as select cast(${now} as bigint) as now`);
        });
      await setClock();
      /** By day: VND that were paid, and the count; and those of which nobody knows. */
      const paid = new Map<string, number>();
      const used = new Map<string, number>();
      let [doubt, missing] = [0, 0];
      /** Since the balance that the next comparison begins with. */
      let isDoubted = false;
      const add = (to: Map<string, number>, vnd: number) =>
        to.set(dayOf(now), (to.get(dayOf(now)) ?? 0) + vnd);
      const compare = async () => {
        const found = await reconcile(any().database, vendor);
        now += 60_000;
        await setClock();
        if (!found) return;
        missing += Math.max(0, vendor.stolen);
        vendor.stolen = 0;
      };
      const said: string[] = [];
      await compare();
      for (let step = 0; step < STEPS; step += 1) {
        const what = ['pay', 'pay', 'call', 'lost', 'steal', 'back', 'compare', 'restart', 'day', 'settle'][
          pick(10)
        ]!;
        said.push(what);
        now += 1000;
        await setClock();
        const memberNo = `agent${pick(5)}` as MemberNo;
        if (what === 'pay' || what === 'lost') {
          vendor.loses = what === 'lost';
          const before = vendor.account;
          const result = await any().topUp.ensure(memberNo, await vendor.readMember(memberNo), 'session');
          const moved = (before - vendor.account) / 100;
          if (moved > 0) add(used, moved);
          if (result.why === 'paid') add(paid, moved);
          else if (moved > 0) {
            doubt += moved;
            isDoubted = true;
          }
        }
        if (what === 'call') {
          const balance = vendor.members.get(memberNo) ?? 0;
          vendor.members.set(memberNo, pick(2) === 0 ? 0 : Math.max(0, balance - pick(99_999)));
        }
        if (what === 'steal' || what === 'back') {
          const vnd = (1 + pick(500_000)) * (what === 'back' ? -1 : 1);
          // A loss beside a payment in doubt is that payment's, as far as anybody can tell.
          if (!isDoubted) {
            vendor.account -= vnd;
            vendor.stolen += vnd;
          }
        }
        if (what === 'compare') await compare();
        if (what === 'settle') {
          assert.equal(cents(await settleMissing(any().database)), missing);
          missing = 0;
        }
        if (what === 'restart') companions[pick(2)] = await start(t, url, vendor);
        if (what === 'day') {
          now += 86_400_000;
          await setClock();
          // Nobody could prove it: given up, and no longer in doubt.
          await any().topUp.sweep();
          await any().topUp.sweep();
          doubt = 0;
        }
        const tell = `${said.join(' ')}`;
        const today = { paid: paid.get(dayOf(now)) ?? 0, used: used.get(dayOf(now)) ?? 0 };
        const isUsedUp = Number(today.used + AMOUNT > POLICY.dailyLimit);
        for (const { ask, database, topUp } of companions) {
          await topUp.account.read();
          const page = await ask('/operator');
          const metrics = await ask('/metrics');
          const standing = await readStanding(database);
          assert.equal(standing.today.paid.amount, today.paid, tell);
          assert.equal(standing.inDoubt.amount, doubt, tell);
          assert.ok(page.includes(`Topped up today ${inEnglish(today.paid)} `), `${tell}\n${page}`);
          assert.ok(page.includes(`${inEnglish(today.used)} of`), `${tell}\n${page}`);
          assert.match(metrics, new RegExp(`companion_missing_vnd ${missing / 100}(?: |$)`), tell);
          assert.equal(page.includes('left the partner account'), missing > 0, `${tell}\n${page}`);
          assert.ok(missing > 0 || !page.includes('is missing'), `${tell}\n${page}`);
          assert.match(metrics, new RegExp(`companion_stopped\\{why="daily-limit"\\} ${isUsedUp}`), tell);
          assert.match(metrics, /companion_stopped\{why="ledger"\} 0/, `${tell}\n${page}`);
          assert.equal(page.includes('can be made'), isUsedUp === 0, `${tell}\n${page}`);
          assert.equal(page.includes('in doubt.'), doubt > 0, `${tell}\n${page}`);
        }
      }
    });
  }
}
