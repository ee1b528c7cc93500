/** One companion for the chaos test: the real provisioning in a process that can be killed, with short times. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Hotlines } from '../../../demo/companion/hotlines.ts';
import { Ledger } from '../../../demo/companion/money/ledger.ts';
import { Refused } from '../../../demo/companion/money/reserve.ts';
import type { MoneyApi } from '../../../demo/companion/money/result.ts';
import { TopUp } from '../../../demo/companion/money/top-up.ts';
import { provision } from '../../../demo/companion/provision.ts';
import { openDatabase, type Database } from '../../../demo/companion/store/database.ts';
import { memberNoSchema, OpenApi } from '../../../demo/companion/vbot/api.ts';
import { breakDatabase, breakPolicy, breakVendor } from './mutants.ts';
import { companionPlanSchema, MOVEMENT_HEADER, PACE, REST_PATH } from './plan.ts';

const JUMP_MS = 6 * 3_600_000;
const JUMP_EVERY_MS = 700;

const plan = companionPlanSchema.parse(JSON.parse(process.argv[2] ?? ''));
if (plan.clockJumps) {
  const rightTime = Date.now;
  let wrongBy = 0;
  Date.now = () => rightTime() + wrongBy;
  setInterval(() => (wrongBy = Math.round(JUMP_MS * (2 * Math.random() - 1))), JUMP_EVERY_MS);
}
const api = new OpenApi(plan.vendor, {
  deadlineMs: PACE.vendorDeadlineMs,
  openMs: PACE.circuitOpenMs,
});
const { money, vendor } = breakVendor(api, plan.mutant);
const database = breakDatabase(reportFailures(openDatabase(plan.databaseUrl)), plan.mutant);

/** By member: what this process may send. It runs one top-up of a member at a time. */
const fenced = new Map<string, string>();
const paying = new AsyncLocalStorage<string>();
class TracedLedger extends Ledger {
  override async send(...args: Parameters<Ledger['send']>): ReturnType<Ledger['send']> {
    const sent = await super.send(...args);
    if (sent) fenced.set(sent.memberNo, sent.id);
    return sent;
  }
}
const addMoney: MoneyApi['addMoney'] = (memberNo, vnd) =>
  paying.run(fenced.get(memberNo) ?? '', () => money.addMoney(memberNo, vnd));
subscribe('undici:request:create', (message) => {
  const movement = paying.getStore();
  const { request } = message as { request: { addHeader(name: string, value: string): void } };
  if (movement !== undefined) request.addHeader(MOVEMENT_HEADER, movement);
});

const ledger = new TracedLedger(database, PACE);
const topUp = new TopUp({ ...money, addMoney }, ledger, breakPolicy(plan.policy, plan.mutant), {
  timeoutMs: PACE.timeoutMs,
  log: {
    topUp: () => undefined,
    alert: () => undefined,
    ledgerFailed: () => undefined,
  },
});
const hotlines = new Hotlines(vendor, database);
const dependencies = { vendor, topUp, hotlines, hotlineCode: undefined };

const running = new Set<Promise<unknown>>();
const server = createServer((request, response) => {
  if (request.url === REST_PATH) return void rest().then(() => response.end());
  const memberNo = memberNoSchema.parse(request.url?.slice(1));
  const run = provision(memberNo, dependencies, 'session', () => undefined).then(
    ({ member }) => response.end(String(member.balance)),
    () => response.writeHead(503).end(),
  );
  running.add(run);
  void run.finally(() => running.delete(run));
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));

/** Whoever asked may have given up, and what they asked for gone on. */
async function rest(): Promise<void> {
  await Promise.all(running);
  await topUp.rest();
}

let sweeping = false;
async function sweep(): Promise<void> {
  if (sweeping) return;
  sweeping = true;
  await topUp.sweep().catch(() => undefined);
  sweeping = false;
}
setInterval(() => void sweep(), PACE.sweepMs);

/** So that a campaign knows whether its outages have been noticed. */
function reportFailures(store: Database): Database {
  return {
    read: (text, values) => store.read(text, values).catch(report),
    write: (text, values) => store.write(text, values).catch(report),
    transact: (work) => store.transact(work).catch(report),
    close: () => store.close(),
  };
}

function report(error: unknown): never {
  if (!(error instanceof Refused)) process.stdout.write('failed\n');
  throw error;
}

// Nobody who starts this outlives the one who started it.
process.stdin.on('end', () => process.exit()).resume();
