/**
 * `npm run chaos`: the money under fire, on PostgreSQL and on one SQLite file, until enough companions were killed. Now and
 * then PostgreSQL, which was set up not to wait for its disk, crashes or stands still; the disk that SQLite is on is full, or
 * another program locks the file. Balances are shown late, and the clock of one companion jumps by hours.
 *
 *     npm run chaos -- [--kills 200] [--store sqlite|postgres] [--seed 1] [--seconds 25] [--mutants [--only NAME]]
 *
 * With `--mutants` each of the money rules is broken on purpose, and the test has to notice.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { startPostgres, type RunningPostgres } from '../../../demo/companion/test/postgres.ts';
import { bundleProgram } from './bundle-program.ts';
import { runCampaign, type Outcome } from './campaign.ts';
import { COMPANION, MUTANTS, type Mutant } from './plan.ts';
import { freezing, inTurns, locking } from './outages.ts';
import { mountSmallDisk } from './small-disk.ts';

const ATTEMPTS = 3;
const STORES = ['postgres', 'sqlite'] as const;
type Store = (typeof STORES)[number];

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    /** Of one campaign; a busy machine needs more of them. */
    seconds: { type: 'string', default: '25' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    store: { type: 'string' },
    mutants: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
});
const SECONDS = Number(values.seconds);
/** What a shell reports for a program that Ctrl+C ended. */
const EXIT_INTERRUPTED = 130;
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => process.exit(EXIT_INTERRUPTED));

const folder = mkdtempSync(join(tmpdir(), 'chaos-'));
const disk = mountSmallDisk(folder);
const postgres = values.store === 'sqlite' ? undefined : await startHastyPostgres();
const stores = STORES.filter((one) => values.store === undefined || values.store === one);
const script = await bundleProgram(COMPANION);
let databases = 0;

try {
  process.exitCode = (await (values.mutants ? huntMutants(postgres) : fight())) ? 0 : 1;
} finally {
  await postgres?.close();
  disk?.close();
  rmSync(folder, { recursive: true, force: true });
}

/** Campaigns on each store in turn, with new members and a new day's limits, until enough were killed on each. */
async function fight(): Promise<boolean> {
  let [exact, seed] = [true, Number(values.seed)];
  for (const store of stores) {
    let kills = 0;
    while (kills < Number(values.kills) / stores.length) {
      const databaseUrl = await newDatabase(store);
      const options = {
        script,
        databaseUrl,
        seconds: SECONDS,
        seed: (seed += 1),
        outage: inTurns(outagesOf(store, databaseUrl)),
      };
      const outcome = await runCampaign(options);
      kills += outcome.kills;
      exact &&= outcome.violations.length === 0;
      report(`${store}, 4 companions, seed ${seed}`, outcome);
    }
  }
  console.log(exact ? 'The money is exact.' : 'The money is NOT exact.');
  return exact;
}

/** A crash takes what was committed in the last seconds, unless the transaction itself waited for the disk. */
async function startHastyPostgres(): Promise<RunningPostgres> {
  const server = await startPostgres();
  const client = new Client({ connectionString: `${server.address}/postgres` });
  await client.connect();
  await client.query('alter system set synchronous_commit = off');
  await client.query(`alter system set wal_writer_delay = '10s'`);
  await client.end();
  await server.restart();
  return server;
}

function outagesOf(store: Store, databaseUrl: string): readonly (() => Promise<void>)[] {
  if (store === 'postgres') return postgres ? [postgres.restart, ...freezing(postgres)] : [];
  return [...(disk ? [disk.fill] : []), ...locking(databaseUrl)];
}

/** On PostgreSQL: SQLite, which lets only one write at a time, forgives a budget that is not atomic. */
async function huntMutants(server: RunningPostgres | undefined): Promise<boolean> {
  if (!server) throw new Error('The mutants need PostgreSQL.');
  let caught = 0;
  const hunted = MUTANTS.filter((one) => values.only === undefined || values.only === one);
  for (const mutant of hunted) {
    const outcome = await hunt(server, mutant);
    if (outcome.violations.length > 0) caught += 1;
    report(`${outcome.violations.length > 0 ? 'caught' : 'MISSED'}: ${mutant}`, outcome);
  }
  console.log(`${caught} of ${hunted.length} mutants caught.`);
  return caught === hunted.length;
}

/** Some mistakes take a coincidence to show. */
async function hunt(server: RunningPostgres, mutant: Mutant, attempt = 1): Promise<Outcome> {
  const databaseUrl = await server.createDatabase();
  const seed = Number(values.seed) + attempt;
  const outage = mutant === 'commit not awaited' ? server.restart : undefined;
  const outcome = await runCampaign({ script, databaseUrl, seed, mutant, outage, seconds: SECONDS });
  const done = outcome.violations.length > 0 || attempt === ATTEMPTS;
  return done ? outcome : hunt(server, mutant, attempt + 1);
}

async function newDatabase(store: Store): Promise<string> {
  if (store === 'postgres' && postgres) return postgres.createDatabase();
  return `file:${folder}/${(databases += 1)}.db`;
}

function report(title: string, outcome: Outcome): void {
  const { kills, stops, outages, failures, requests, orders, violations } = outcome;
  const { credited, settled, doubtful, doubtfulApplied } = outcome;
  console.log(
    `${title}: ${kills} kills, ${stops} stops, ${outages} outages noticed ${failures} times, ${requests} requests, ${orders} orders; ` +
      `${credited} VND credited = ${settled} settled + ${doubtfulApplied} of ${doubtful} left unknown`,
  );
  for (const violation of violations.slice(0, 5)) console.log(`    ${violation}`);
}
