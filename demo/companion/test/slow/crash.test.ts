/** PostgreSQL crashes while a payment is at the vendor, on a server that was tuned not to wait for its disk. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from 'pg';
import { Ledger } from '../../money/ledger.ts';
import { TopUp } from '../../money/top-up.ts';
import { openDatabase } from '../../store/database.ts';
import { memberNoSchema, OpenApi } from '../../vbot/api.ts';
import { startPostgres } from '../postgres.ts';
import { PATHS, startVendor } from '../vendor.ts';

const POLICY = { mode: 'auto', amount: 1000, dailyLimitPerMember: 1000, dailyLimit: 9000 } as const;

test('nobody is paid again after a crash of the database', { timeout: 60_000 }, async (t) => {
  const server = await startPostgres();
  t.after(() => server.close());
  const admin = new Client({ connectionString: `${server.address}/postgres` });
  await admin.connect();
  await admin.query('alter system set synchronous_commit = off');
  await admin.query(`alter system set wal_writer_delay = '10s'`);
  await admin.end();
  await server.restart();
  const url = await server.createDatabase();
  const vendor = await startVendor(t);
  const member = vendor.add('agent001');
  const agent = memberNoSchema.parse('agent001');
  const api = new OpenApi(vendor);
  const companion = () => {
    const database = openDatabase(url);
    t.after(() => database.close());
    return new TopUp(api, new Ledger(database), POLICY);
  };
  const first = companion();
  await first.outlook();
  let crash: Promise<void> | undefined;
  vendor.before = ({ path }) => {
    if (path === PATHS.money) crash = server.restart();
  };
  await first.ensure(agent, await api.readMember(agent), 'session');
  await crash;
  assert.equal(vendor.paid.length, 1);
  // What the vendor shows may be old.
  member.balance = 0;
  const { why } = await companion().ensure(agent, await api.readMember(agent), 'session');
  assert.equal(vendor.paid.length, 1, why);
  t.after(() => api.close());
});
