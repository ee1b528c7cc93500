/** `npm run api`, run as a person runs it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runProgram } from '../program.ts';
import { startSandbox } from '../../../demo/sandbox/test/servers.ts';

const API = fileURLToPath(new URL('../../../demo/tools/api.ts', import.meta.url));

const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runProgram(API, args, env);

test('it takes the variables that npm run dev prints, moves no money past the ledger, and says what does', async (t) => {
  const sandbox = await startSandbox(t);
  sandbox.world.createMember('12345', []);
  const env = { VENDOR_BASE_URL: sandbox.baseUrl, VENDOR_API_KEY: sandbox.apiKey };
  const [refused, read, table, wrong, mistyped] = await Promise.all([
    run(['addMoney', 'member_no=12345', 'money=1000'], env),
    // Digits alone stay text.
    run(['readMember', 'member_no=12345'], env),
    run([]),
    run(['readMember', 'memberNo=12345'], env),
    run(['issueToken', 'member_no=12345', 'hotline_codes=HL_SALES'], env),
  ]);
  assert.equal(refused.exit, 2);
  assert.match(refused.err, /npm run provision -- MEMBER_NO --top-up VND/);
  assert.deepEqual(sandbox.world.topUps, []);
  assert.equal(read.exit, 0);
  assert.match(read.out, /"member_no": "12345"/);
  assert.match(table.out, /addMoney +POST +api\/member\/addMoney member_no\* money\*#/);
  assert.equal(wrong.exit, 2);
  assert.match(mistyped.err, /hotline_codes: is not JSON/);
});
