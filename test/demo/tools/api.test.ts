/** `npm run api`, run as a person runs it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { publishSandbox } from '../../../demo/dev/find-vendor.ts';
import { runFromSource } from '../program.ts';
import { makeFolder, startSandbox } from '../servers.ts';

const API = fileURLToPath(new URL('../../../demo/tools/api.ts', import.meta.url));

const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runFromSource(API, args, env);

test('it moves no money past the ledger, and says what does', async (t) => {
  const sandbox = await startSandbox(t);
  sandbox.world.createMember('agent001', []);
  const database = `${await makeFolder(t)}/companion.db`;
  await publishSandbox(database, sandbox);
  const env = { DATABASE_URL: `file:${database}` };
  const [refused, read, table] = await Promise.all([
    run(['addMoney', 'member_no=agent001', 'money=1000'], env),
    run(['readMember', 'member_no=agent001'], env),
    run([]),
  ]);
  assert.equal(refused.exit, 2);
  assert.match(refused.err, /npm run provision -- MEMBER_NO --top-up VND/);
  assert.deepEqual(sandbox.world.topUps, []);
  assert.equal(read.exit, 0);
  assert.match(read.out, /"memberNo": "agent001"/);
  assert.match(table.out, /addMoney +POST +api\/member\/addMoney/);
});
