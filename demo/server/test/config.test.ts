/** The environment: what may be left out, and what a mistake looks like. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError, isLoopback, readConfig, type Command } from '../config.ts';

const REAL = {
  VENDOR_BASE_URL: 'https://vendor.example/v3.0/',
  VENDOR_API_KEY: 'k',
  DATABASE_URL: 'file:/var/lib/companion/companion.db',
  AUTH_JWT_SECRET: 's'.repeat(32),
  AUTH_AUDIENCE: 'companion',
};
const without = (...names: (keyof typeof REAL)[]): Record<string, string> =>
  Object.fromEntries(Object.entries(REAL).filter(([name]) => !names.includes(name as keyof typeof REAL)));

function mistakesIn(env: Record<string, string>, command?: Command): string {
  try {
    readConfig(env, command);
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error));
    return error.message;
  }
  return assert.fail('it should have been refused');
}

test('nothing set means the sandbox, its demo sign-in and one top-up a day', () => {
  const { vendor, demoLogin, topUp, sessionSecret, databaseUrl } = readConfig({});
  assert.equal(vendor, undefined);
  assert.equal(demoLogin, true);
  assert.deepEqual(topUp, { mode: 'auto', amount: 1000, dailyLimitPerMember: 1000, dailyLimit: 100_000 });
  assert.equal(databaseUrl, 'file:.data/companion.db');
  assert.notEqual(sessionSecret, readConfig({}).sessionSecret);
});

test('a real vendor needs a sign-in, and switches that of the demo off', () => {
  const bare = without('AUTH_JWT_SECRET', 'AUTH_AUDIENCE');
  assert.match(mistakesIn(bare), /AUTH_JWT_SECRET or AUTH_JWKS_URL is required/);
  const secret = { SESSION_SECRET: 's'.repeat(32) };
  assert.match(mistakesIn({ ...bare, ...secret }), /AUTH_JWT_SECRET or AUTH_JWKS_URL is required/);
  assert.equal(readConfig({ ...bare, ...secret, DEMO_LOGIN: 'on' }).demoLogin, true);
  const config = readConfig(REAL);
  assert.equal(config.demoLogin, false);
  assert.deepEqual(config.vendor, { baseUrl: 'https://vendor.example/v3.0', apiKey: 'k' });
});

test('whoever provisions or reconciles needs no sign-in; a sign-in of your own needs a session secret', () => {
  const bare = without('AUTH_JWT_SECRET', 'AUTH_AUDIENCE');
  for (const command of ['provision', 'reconcile'] as const) assert.ok(readConfig(bare, command), command);
  assert.ok(readConfig({ ...bare, SESSION_SECRET: 's'.repeat(32) }, 'mount'), 'mounted');
  assert.throws(() => readConfig(bare, 'mount'), /SESSION_SECRET is required: it signs the cookies/);
});

test('a real vendor needs a database that has a place', () => {
  assert.match(mistakesIn(without('DATABASE_URL')), /DATABASE_URL is required with a real vendor/);
  // The shell and the service start in different folders, and would keep two ledgers.
  for (const path of ['companion.db', './companion.db', '~/companion.db', ':memory:']) {
    assert.match(
      mistakesIn({ ...REAL, DATABASE_URL: `file:${path}` }),
      /DATABASE_URL has to be an absolute path/,
    );
  }
});

test('a database address that would be read as another one is refused', () => {
  for (const url of [
    'postgres://',
    'postgres://host',
    'postgres://host/',
    'postgres://user:p#ss@host/db',
    'postgres://user:p/ss@host/db',
    'postgres://user:p%zz@host/db',
    'postgres://host:port/db',
    'postgres:///db',
    'mysql://host/db',
    'companion.db',
    'file:',
  ]) {
    const message = mistakesIn({ ...REAL, DATABASE_URL: url });
    assert.match(message, /DATABASE_URL must be/, url);
    assert.equal(message.includes(url) && url.length > 'postgres://'.length, false, 'it is not repeated');
  }
  for (const url of [
    'postgres://user:p%23ss@host:5432/db?sslmode=require',
    'postgresql://host/db',
    'postgres:///db?host=/var/run/postgresql',
    'file:/x.db',
    'file:C:\\x.db',
  ])
    assert.equal(readConfig({ ...REAL, DATABASE_URL: url }).databaseUrl, url);
});

test('a sign-in as anybody is refused where everybody comes', () => {
  const env = { ...REAL, DEMO_LOGIN: 'on', PUBLIC_ORIGIN: 'https://crm.example' };
  assert.match(mistakesIn(env), /DEMO_LOGIN lets anybody be any agent/);
});

test('an amount that no limit allows is refused', () => {
  for (const [name, value] of [
    ['TOP_UP_DAILY_LIMIT_PER_MEMBER', '500'],
    ['TOP_UP_DAILY_LIMIT', '999'],
  ] as const) {
    assert.match(mistakesIn({ ...REAL, [name]: value }), new RegExp(`TOP_UP_AMOUNT is above ${name}`));
    assert.ok(
      readConfig({ ...REAL, [name]: value, TOP_UP_MODE: 'off' }),
      'without top-ups it does not matter',
    );
  }
  assert.match(mistakesIn({ TOP_UP_AMOUNT: '2000', TOP_UP_DAILY_LIMIT: '1000' }), /TOP_UP_AMOUNT is above/);
});

test('a variable that is misspelt is refused, and others are left alone', () => {
  for (const [name, meant] of [
    ['TOPUP_MODE', 'TOP_UP_MODE'],
    ['TOP_UP_MODES', 'TOP_UP_MODE'],
    ['SESION_SECRET', 'SESSION_SECRET'],
    ['VENDOR_BASEURL', 'VENDOR_BASE_URL'],
    ['ALLOWED_ORIGIN', 'ALLOWED_ORIGINS'],
  ] as const)
    assert.match(mistakesIn({ ...REAL, [name]: 'x' }), new RegExp(`${name} is misspelt: ${meant} is meant`));
  assert.match(mistakesIn({ ...REAL, TOP_UP_DAILY: '1' }), /TOP_UP_DAILY is no variable/);
  const others = {
    SESSION_MANAGER: 'local',
    SSH_AUTH_SOCK: '/x',
    HOSTNAME: 'h',
    npm_config_user_agent: 'npm',
    POST: '1',
  };
  assert.ok(readConfig({ ...REAL, ...others }), 'others');
});

test('keys of two projects are two accounts, and a key is not told', () => {
  const [a, b] = ['production', 'staging'].map((key) => readConfig({ ...REAL, VENDOR_API_KEY: key }).account);
  assert.equal(a?.vendor, b?.vendor);
  assert.notEqual(a?.key, b?.key);
  assert.doesNotMatch(JSON.stringify(a), /production/);
  const rotated = readConfig({ ...REAL, VENDOR_API_KEY: 'new', VENDOR_API_KEY_PREVIOUS: 'production' });
  assert.equal(rotated.account.previousKey, a?.key);
});

test('a shared secret needs an audience, as its tokens may be for others', () => {
  assert.match(mistakesIn(without('AUTH_AUDIENCE')), /AUTH_JWT_SECRET needs AUTH_AUDIENCE/);
});

test('this machine goes by few names', () => {
  for (const name of ['localhost', '127.0.0.1', '127.0.0.2', '[::1]'])
    assert.equal(isLoopback(name), true, name);
  for (const name of ['127.0.0.1.example', '::1', '0.0.0.0', 'host'])
    assert.equal(isLoopback(name), false, name);
});

test("a vendor's address that is not https, or has a login in it, is refused and not repeated", () => {
  for (const address of [
    'https://user:hunter2@vendor.example/v3.0',
    'http://vendor.example/v3.0',
    'http://127.0.0.1.vendor.example/v3.0',
  ]) {
    const message = mistakesIn({ ...REAL, VENDOR_BASE_URL: address });
    assert.match(message, /VENDOR_BASE_URL must be an https address/);
    assert.doesNotMatch(message, /hunter2|vendor\.example/);
  }
});

test('an empty variable counts as not set, and the limit of a member follows the amount', () => {
  const { topUp, vendor } = readConfig({
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
      'VENDOR_BASE_URL',
      'VENDOR_API_KEY',
      'PORT',
      'DATABASE_URL',
      'AUTH_JWT_SECRET',
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
  for (const origin of [
    '*',
    'https://*.example',
    'null',
    'https://crm.example/',
    'https://crm.example/path',
    'crm.example',
  ]) {
    assert.match(mistakesIn({ ALLOWED_ORIGINS: origin }), /ALLOWED_ORIGINS/, origin);
  }
  const { allowedOrigins } = readConfig({ ALLOWED_ORIGINS: 'https://a.example, http://localhost:3000' });
  assert.deepEqual(allowedOrigins, ['https://a.example', 'http://localhost:3000']);
});
