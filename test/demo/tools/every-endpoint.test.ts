/** The table of `npm run api`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeFolder, serve } from '../../../demo/sandbox/test/servers.ts';
import { OPERATIONS, run } from '../../../demo/tools/api.ts';
import { runHere } from '../program.ts';

test('each row of the table makes the request that it says, with every key', async (t) => {
  const requests: { method: string; path: string; input: unknown }[] = [];
  const origin = await serve(t, async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    const isPost = request.method === 'POST';
    const input: unknown = isPost ? await request.json() : Object.fromEntries(searchParams);
    requests.push({ method: request.method, path: pathname.replace('/v3.0/', ''), input });
    return Response.json({ error: 0, status: 200, errorCode: 0, message: '', data: null });
  });
  const DATABASE_URL = `file:${await makeFolder(t)}/companion.db`;
  const env = { VENDOR_BASE_URL: `${origin}/v3.0`, VENDOR_API_KEY: 'key', DATABASE_URL };
  const table = (await runHere(t, () => run([], env))).out;
  const rows = [...table.matchAll(/^(\w+) +(GET|POST) +(\S+)(.*)$/gm)];
  assert.equal(rows.length, OPERATIONS.size);
  for (const [, name = '', method, path, keys = ''] of rows) {
    // Its money goes through the ledger.
    if (name === 'addMoney') continue;
    const inputs = keys.match(/\w+\*?#?/g) ?? [];
    const pairs = inputs.map((key): [string, unknown] => [
      key.replace(/\*?#?$/, ''),
      key.endsWith('#') ? [{ one: 1 }] : `text of ${key}`,
    ]);
    const typed = pairs.map(
      ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
    );
    const { exit, err } = await runHere(t, () => run([name, ...typed], env));
    assert.deepEqual([name, exit, err], [name, 0, '']);
    assert.deepEqual(requests.pop(), { method, path, input: Object.fromEntries(pairs) });
    const needed = inputs.filter((key) => key.includes('*'));
    if (needed.length > 0) assert.equal((await runHere(t, () => run([name], env))).exit, 2, name);
  }
  assert.deepEqual(requests, []);
});
