/** The environment: what may be left out, and what a mistake looks like. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ConfigurationError, readEnvironment } from '../../../demo/server/environment.ts';
import { makeFolder } from '../servers.ts';

const MAIN = fileURLToPath(new URL('../../../demo/dev/companion.ts', import.meta.url));

function mistakesIn(env: Record<string, string>): string {
  try {
    readEnvironment(env);
  } catch (error) {
    assert.ok(error instanceof ConfigurationError, String(error));
    return error.message;
  }
  return assert.fail('it should have been refused');
}

test('nothing set means the sandbox, its demo sign-in and one top-up a day', () => {
  const { vendor, demoLogin, topUp, sessionSecret, databaseFile } = readEnvironment({});
  assert.equal(vendor, undefined);
  assert.equal(demoLogin, true);
  assert.deepEqual(topUp, { mode: 'auto', amount: 1000, dailyLimitPerMember: 1000, dailyLimit: 100_000 });
  assert.equal(databaseFile, '.data/companion.db');
  assert.notEqual(sessionSecret, readEnvironment({}).sessionSecret);
});

test('a real vendor switches the demo sign-in off and needs a secret', () => {
  const vendor = { VENDOR_BASE_URL: 'https://vendor.example/v3.0/', VENDOR_API_KEY: 'k' };
  assert.match(mistakesIn(vendor), /SESSION_SECRET is required/);
  const configuration = readEnvironment({ ...vendor, SESSION_SECRET: 's'.repeat(32) });
  assert.equal(configuration.demoLogin, false);
  assert.deepEqual(configuration.vendor, { baseUrl: 'https://vendor.example/v3.0', apiKey: 'k' });
});

test('an empty variable counts as not set, and the limit of a member follows the amount', () => {
  const { topUp, vendor } = readEnvironment({
    TOP_UP_AMOUNT: '2500',
    VENDOR_API_KEY: '',
    TOP_UP_DAILY_LIMIT: '',
  });
  assert.equal(vendor, undefined);
  assert.deepEqual([topUp.dailyLimitPerMember, topUp.dailyLimit], [2500, 250_000]);
});

test('every mistake is named in one message, and no value', () => {
  const message = mistakesIn({
    VENDOR_API_KEY: 'se cret',
    PORT: '70000',
    DATABASE_URL: 'mysql://user:pass@host/db',
    SESSION_SECRET: 'short',
    ALLOWED_ORIGINS: 'https://crm.example *',
    TOP_UP_AMOUNT: '-5',
    TOP_UP_DAILY_LIMIT_PER_MEMBER: 'lots',
    TOP_UP_DAILY_LIMIT: '1e3',
    TOP_UP_MODE: 'sometimes',
    DEMO_LOGIN: 'yes',
  });
  const named = message
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(' ')[0]);
  assert.deepEqual(
    new Set(named),
    new Set([
      'VENDOR_API_KEY',
      'PORT',
      'DATABASE_URL',
      'SESSION_SECRET',
      'ALLOWED_ORIGINS',
      'TOP_UP_AMOUNT',
      'TOP_UP_DAILY_LIMIT_PER_MEMBER',
      'TOP_UP_DAILY_LIMIT',
      'TOP_UP_MODE',
      'DEMO_LOGIN',
    ]),
  );
  assert.match(message, /VENDOR_BASE_URL/, 'the missing half of the pair too');
  assert.doesNotMatch(message, /se cret|pass|short|lots/);
});

test('an origin is exact, or refused', () => {
  for (const origin of ['*', 'null', 'https://crm.example/', 'https://crm.example/path', 'crm.example']) {
    assert.match(mistakesIn({ ALLOWED_ORIGINS: origin }), /ALLOWED_ORIGINS/, origin);
  }
  const { allowedOrigins } = readEnvironment({ ALLOWED_ORIGINS: 'https://a.example, http://localhost:3000' });
  assert.deepEqual(allowedOrigins, ['https://a.example', 'http://localhost:3000']);
});

test('the companion alone starts, answers, ends when told to, and then not as that of another vendor', async (t) => {
  const env = {
    PATH: process.env['PATH'] ?? '',
    PORT: '0',
    DATABASE_URL: `file:${await makeFolder(t)}/companion.db`,
  };
  const child = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), MAIN, 'serve'], { env });
  t.after(() => child.kill('SIGKILL'));
  const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  const origin = /http:\S+/.exec(line)?.[0] ?? '';
  assert.equal((await fetch(`${origin}/healthz`)).status, 200);
  child.kill('SIGTERM');
  const [exit] = (await once(child, 'close')) as [number | null];
  assert.equal(exit, 0);

  const real = {
    VENDOR_BASE_URL: 'https://vendor.example',
    VENDOR_API_KEY: 'k',
    SESSION_SECRET: 's'.repeat(32),
  };
  const other = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), MAIN, 'serve'], {
    env: { ...env, ...real },
  });
  t.after(() => other.kill('SIGKILL'));
  let message = '';
  other.stderr.setEncoding('utf8').on('data', (text: string) => (message += text));
  const [refused] = (await once(other, 'close')) as [number | null];
  assert.deepEqual(
    [refused, message.trim()],
    [78, 'The database belongs to the sandbox, not to https://vendor.example/. Set another DATABASE_URL.'],
  );
});
