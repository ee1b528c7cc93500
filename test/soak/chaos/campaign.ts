/** One campaign: companions that share a store and a bad vendor, bursts for the same members, kills and stops. */
import { setTimeout as delay } from 'node:timers/promises';
import { Ledger } from '../../../demo/companion/money/ledger.ts';
import { DAY_MS, dayOf } from '../../../demo/companion/money/movement.ts';
import { openDatabase, type Database } from '../../../demo/companion/store/database.ts';
import { audit, auditInFlight, auditLosses, auditVendor, type Audit } from './audit.ts';
import { CompanionProcesses } from './companion-processes.ts';
import { breakDatabase, breakTables } from './mutants.ts';
import { CUT_MEMBER, HELD_MEMBER, LATE_MEMBER, PACE, POLICY, type Mutant } from './plan.ts';
import { startBadVendor, type BadVendor } from './vendor.ts';
import { seededRandom } from '../../support/random.ts';

interface CampaignOptions {
  /** The companion as `buildCompanion` made it. */
  readonly script: string;
  /** Of an empty database. */
  readonly databaseUrl: string;
  /** At most. */
  readonly seconds: number;
  readonly seed: number;
  readonly mutant?: Mutant | undefined;
  /** Takes the store away from everybody, for a moment. */
  readonly outage?: (() => Promise<void>) | undefined;
}

export interface Outcome extends Audit {
  readonly kills: number;
  readonly stops: number;
  /** How often the store was taken away, and how often a companion found it gone. */
  readonly outages: number;
  readonly failures: number;
  readonly requests: number;
  readonly orders: number;
}

const COMPANIONS = 4;
const MEMBERS = 40;
const KILLS = 0.65;
/** So many at a time, each so many times. */
const BURSTS = 6;
const VOLLEYS = 7;
const VOLLEY_MS = 900;
const OUTAGE_EVERY_MS = 4000;

export async function runCampaign(options: CampaignOptions): Promise<Outcome> {
  const { databaseUrl, mutant } = options;
  const dice = seededRandom(options.seed);
  const database = openDatabase(databaseUrl);
  await breakTables(database, mutant);
  await reserveTomorrow(database);
  const vendor = await startBadVendor(dice);
  const processes = new CompanionProcesses(
    options.script,
    { databaseUrl, vendor: vendor.vendor, policy: POLICY, mutant },
    COMPANIONS,
  );
  try {
    await processes.ready();
    await askAtOnce(processes);
    await askTooEarly(processes, vendor);
    vendor.behave(false);
    const { requests, outages, seen } = await fight(options, dice, processes, vendor, database);
    vendor.behave(true);
    await processes.ready();
    await processes.rest();
    if (seen.length === 0) await untilQuiet(database);
    const found = await audit(database, vendor);
    // A violation seen early ends the campaign before all is settled: what the audit then finds proves nothing.
    const violations =
      seen.length > 0 ? seen : [...found.violations, ...(await auditLosses(breakDatabase(database, mutant)))];
    const { kills, stops, failures } = processes;
    const orders = vendor.orders.length;
    return { ...found, violations, kills, stops, outages, failures, requests, orders };
  } finally {
    await processes.close();
    await vendor.close();
    await database.close();
  }
}

/** The store's clock was a day ahead when a companion reserved this, and died. */
async function reserveTomorrow(database: Database): Promise<void> {
  await database.write(
    `insert into top_up (id, member, amount, reason, day, state, owner, lease, claimed_at, changed_at, beyond_limits)
     select 'tomorrow', 'ahead', ?, 'session', ?, 'claimed', 'x', now + ?, now + ?, now + ?, 1 from clock`,
    [POLICY.amount, dayOf(Date.now() + DAY_MS), DAY_MS, DAY_MS, DAY_MS],
  );
}

/**
 * Without waiting for a coincidence: two companions have read a balance of 0, and one is held up until the other has paid;
 * and a payment is cut off that was not made yet when the companion looks, but is made.
 */
async function askAtOnce(processes: CompanionProcesses): Promise<void> {
  const members = [HELD_MEMBER, CUT_MEMBER].flatMap((one) => [0, 1, 2].map((n) => `${one}${n}`));
  await Promise.all(members.flatMap((one) => [processes.ask(0, one), processes.ask(1, one)]));
  await processes.rest();
}

/**
 * The cool-down, likewise: a member was paid, the vendor still shows the old balance, and another companion is asked at
 * once. Tried with one member after the other until nobody was held up meanwhile.
 */
async function askTooEarly(processes: CompanionProcesses, vendor: BadVendor): Promise<void> {
  for (let n = 0; n < 50; n += 1) {
    const memberNo = `${LATE_MEMBER}${n}`;
    const begin = Date.now();
    for (const place of [0, 1]) {
      await processes.ask(place, memberNo);
      await processes.rest();
    }
    const isPaid = vendor.orders.some((order) => order.memberNo === memberNo);
    if (isPaid && Date.now() < begin + PACE.longestLagMs) return;
  }
  throw new Error('The machine is too slow for this test.');
}

/** Until the time is over, or something has gone wrong. */
async function fight(
  { seconds, outage }: CampaignOptions,
  dice: () => number,
  processes: CompanionProcesses,
  vendor: BadVendor,
  database: Database,
): Promise<{ requests: number; outages: number; seen: readonly string[] }> {
  const end = new AbortController();
  const over = setTimeout(() => end.abort(), seconds * 1000);
  let [requests, outages] = [0, 0];
  const asked: Promise<void>[] = [];
  let seen: readonly string[] = [];
  const pick = (count: number) => Math.floor(dice() * count);
  const forever = async (pause: () => number, work: () => unknown) => {
    while (!end.signal.aborted) {
      await work();
      await delay(pause(), undefined, { signal: end.signal }).catch(() => undefined);
    }
  };
  // Several volleys, so that whoever comes back to life meets what the others have done meanwhile.
  const burst = async () => {
    const memberNo = `agent${pick(MEMBERS)}`;
    for (let volley = 0; volley < VOLLEYS && !end.signal.aborted; volley += 1) {
      for (let place = 0; place < processes.size; place += 1) {
        requests += 2;
        asked.push(processes.ask(place, memberNo), processes.ask(place, memberNo));
      }
      await delay(VOLLEY_MS * dice());
    }
  };
  const harass = () => {
    const running = processes.running();
    const place = running[pick(running.length)];
    // On a slow machine they would never come to do anything between two deaths.
    if (place === undefined || running.length * 2 <= processes.size) return;
    if (dice() < KILLS) processes.kill(place);
    else processes.stop(place, PACE.longestStopMs * (0.2 + 0.8 * dice()));
  };
  const look = async () => {
    const inFlight = auditInFlight(database, vendor);
    // What cannot be seen during an outage, or on a busy machine, shows later.
    seen = [...auditVendor(vendor), ...(await inFlight.catch(() => []))];
    if (seen.length > 0) end.abort();
  };
  await Promise.all([
    ...Array.from({ length: BURSTS }, () => forever(() => 50, burst)),
    forever(
      () => 250 + 350 * dice(),
      () => harass(),
    ),
    forever(
      () => 300,
      () => vendor.spendAll(`agent${pick(MEMBERS)}`),
    ),
    forever(() => 200, look),
    outage &&
      forever(
        () => OUTAGE_EVERY_MS,
        async () => {
          await outage();
          outages += 1;
        },
      ),
  ]);
  clearTimeout(over);
  await Promise.all(asked);
  return { requests, outages, seen };
}

/** The living companions have to end what the dead ones left open; what stays open is stuck. */
async function untilQuiet(database: Database): Promise<void> {
  const ledger = new Ledger(database);
  const giveUp = Date.now() + PACE.leaseMs + PACE.quarantineMs + 4 * PACE.sweepMs + 2 * PACE.vendorDeadlineMs;
  // What the vendor applies late has to be over too.
  await delay(PACE.latestEffectMs);
  while ((await ledger.open()).length > 0 && Date.now() < giveUp) await delay(100);
}
