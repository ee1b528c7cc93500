/** `npm run api`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { run } from '../../../demo/tools/api.ts';
import { startSandbox } from '../../../demo/sandbox/test/servers.ts';
import { runProgram } from '../../../demo/companion/test/process.ts';
import { runHere } from '../program.ts';

const API = fileURLToPath(new URL('../../../demo/tools/api.ts', import.meta.url));

test('api takes the variables that npm run dev prints, moves no money past the ledger, and says what does', async (t) => {
  const sandbox = await startSandbox(t);
  sandbox.world.createMember('12345', []);
  const env = { VENDOR_BASE_URL: sandbox.baseUrl, VENDOR_API_KEY: sandbox.apiKey };
  const api = (...args: readonly string[]) => runHere(t, () => run(args, env));
  const refused = await api('addMoney', 'member_no=12345', 'money=1000');
  assert.equal(refused.exit, 2);
  assert.match(refused.err, /npm run provision -- MEMBER_NO --top-up VND/);
  assert.deepEqual(sandbox.world.topUps, []);
  assert.match((await api()).out, /addMoney +POST +api\/member\/addMoney member_no\* money\*#/);
  assert.equal((await api('readMember', 'memberNo=12345')).exit, 2);
  const mistyped = await api('issueToken', 'member_no=12345', 'hotline_codes=HL_SALES');
  assert.match(mistyped.err, /hotline_codes: is not JSON/);
  // Without a vendor, a sandbox would be started, which nobody would end.
  const unnamed = await runProgram(API, ['readMember', '12345'], {});
  assert.equal(unnamed.exit, 2);
  assert.match(unnamed.err, /12345 is not key=value/);
  // As a person runs it. Digits alone stay text.
  const read = await runProgram(API, ['readMember', 'member_no=12345'], env);
  assert.equal(read.exit, 0);
  assert.match(read.out, /"member_no": "12345"/);
});
