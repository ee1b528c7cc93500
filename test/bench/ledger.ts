/** What it costs to be exact: the ledger's three durable writes of one top-up, one top-up after the other. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ledger } from '../../demo/companion/money/ledger.ts';
import { openDatabase } from '../../demo/companion/store/database.ts';
import { startPostgres } from '../../demo/companion/test/postgres.ts';
import { median, type Measure } from './measure.ts';

const WARM_UP = 50;
const TOP_UPS = 300;
const AMOUNT = 1000;

export async function benchLedger(): Promise<Measure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  const postgres = await startPostgres();
  try {
    return [
      await measure('SQLite', `file:${folder}/companion.db`, 2),
      await measure('PostgreSQL', await postgres.createDatabase(), 5),
    ];
  } finally {
    await postgres.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(store: string, url: string, goal: number): Promise<Measure> {
  const database = openDatabase(url);
  const ledger = new Ledger(database);
  const times: number[] = [];
  for (let n = 0; n < WARM_UP + TOP_UPS; n += 1) {
    const begin = performance.now();
    await topUp(ledger, `agent${n}`);
    if (n >= WARM_UP) times.push(performance.now() - begin);
  }
  await database.close();
  return { name: `ledger of one top-up, p50 ms, ${store}`, value: median(times), goal, note: '' };
}

async function topUp(ledger: Ledger, memberNo: string): Promise<void> {
  const limits = { dailyLimitPerMember: AMOUNT, dailyLimit: AMOUNT * (WARM_UP + TOP_UPS) };
  const claimed = await ledger.claim({ memberNo, amount: AMOUNT, reason: 'session', ...limits });
  if (typeof claimed === 'string') throw new Error(`The bench was refused: ${claimed}.`);
  const sent = await ledger.send(claimed, 0);
  if (!sent) throw new Error('The bench was taken for dead.');
  await ledger.advance(sent, 'settled', { after: AMOUNT, isSeen: true });
}
