/** The SDK script as a page loads it from the sandbox. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startSandbox } from '../servers.ts';

test('the script is one file that defines the widget, readable from any origin', async (t) => {
  const { origin } = await startSandbox(t);
  const answer = await fetch(`${origin}/vendor/vbot-sdk.js`, { headers: { Origin: 'https://crm.example' } });
  assert.equal(answer.status, 200);
  assert.match(answer.headers.get('content-type') ?? '', /^text\/javascript/);
  assert.equal(answer.headers.get('access-control-allow-origin'), '*');
  const script = await answer.text();
  assert.match(script, /vbot-widget/);
  assert.doesNotMatch(script, /^\s*(?:import|export) /m);
  assert.doesNotMatch(script, /process\.env\.NODE_ENV/);
});

test('the script can be made to fail, and comes back', async (t) => {
  const { origin, world } = await startSandbox(t);
  const ask = () => fetch(`${origin}/vendor/vbot-sdk.js`);
  world.faults.set('script', { kind: 'status', value: 404, times: 1 });
  assert.equal((await ask()).status, 404);
  assert.equal((await ask()).status, 200);
  world.faults.set('script', { kind: 'drop', times: 1 });
  await assert.rejects(ask());
});
