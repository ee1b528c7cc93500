/** The environment: what may be left out, and what a mistake looks like. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { ConfigError, isLoopback, readConfig, type Command } from '../config.ts';
import { makeFolder } from './stores.ts';

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

test('a real vendor needs a database with an absolute path', () => {
  assert.match(mistakesIn(without('DATABASE_URL')), /DATABASE_URL is required: file:/);
  // The shell and the service start in different folders, and would keep two ledgers.
  for (const path of ['companion.db', './companion.db', '~/companion.db', ':memory:']) {
    assert.match(
      mistakesIn({ ...REAL, DATABASE_URL: `file:${path}` }),
      /DATABASE_URL must contain an absolute path/,
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

test('DEMO_LOGIN=on is refused where other machines can reach the companion', () => {
  const env = { ...REAL, DEMO_LOGIN: 'on' };
  for (const reachable of [
    { PUBLIC_ORIGIN: 'https://crm.example' },
    { HOST: '0.0.0.0' },
    { HOST: '::' },
    { HOST: 'crm.example' },
    { PROXY_HOPS: '1' },
  ]) {
    const message = mistakesIn({ ...env, ...reachable });
    assert.match(message, /DEMO_LOGIN=on lets anybody sign in as any agent/, JSON.stringify(reachable));
  }
  for (const local of [
    {},
    { HOST: '127.0.0.1' },
    { HOST: '::1' },
    { HOST: 'localhost' },
    { PROXY_HOPS: '0' },
  ])
    assert.equal(readConfig({ ...env, ...local }).demoLogin, true);
});

const ENDS = { 'a carriage return': '\r', 'a line feed': '\n', both: '\r\n', 'a blank': ' ', 'a tab': '\t' };
for (const [what, end] of Object.entries(ENDS)) {
  test(`with ${what} at its end, each variable is what it is without`, () => {
    const env = {
      ...REAL,
      VENDOR_API_KEY_PREVIOUS: 'old',
      SESSION_SECRET: 't'.repeat(32),
      SESSION_SECRET_PREVIOUS: 'u'.repeat(32),
      AUTH_ISSUER: 'https://id.example',
      AUTH_MEMBER_CLAIM: 'sub',
      HOTLINE_CODE: 'HL_SALES',
      WEBHOOK_AUTH: 'w'.repeat(16),
      WEBHOOK_AUTH_PREVIOUS: 'v'.repeat(16),
      OPERATOR_PASSWORD: 'o'.repeat(16),
      CALL_ME_SCRIPT: 'script',
      CUSTOMER_CONTEXT_FIELD: 'field',
      PUBLIC_ORIGIN: 'https://crm.example',
      ALLOWED_ORIGINS: 'https://a.example',
      TOP_UP_MODE: 'request',
      TOP_UP_AMOUNT: '2000',
      PROXY_HOPS: '1',
      PORT: '8080',
    };
    const ended = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value + end]));
    assert.deepEqual(readConfig(ended), readConfig(env));
    assert.deepEqual(readConfig({ ...env, HOTLINE_CODE: end }).hotlineCode, undefined);
  });
}

test('an address with a line end inside is refused', () => {
  assert.match(mistakesIn({ ...REAL, DATABASE_URL: 'file:/var/lib/comp\nanion.db' }), /DATABASE_URL must be/);
});

test('a secret may be mounted as a file', async (t) => {
  const folder = await makeFolder(t);
  const secrets = {
    VENDOR_API_KEY: 'production',
    VENDOR_API_KEY_PREVIOUS: 'old',
    DATABASE_URL: 'postgres://user:p%23ss@host/db',
    AUTH_JWT_SECRET: 'j'.repeat(32),
    SESSION_SECRET: 't'.repeat(32),
    SESSION_SECRET_PREVIOUS: 'u'.repeat(32),
    WEBHOOK_AUTH: 'w'.repeat(16),
    WEBHOOK_AUTH_PREVIOUS: 'v'.repeat(16),
    OPERATOR_PASSWORD: 'o'.repeat(16),
  };
  const env: Record<string, string> = { VENDOR_BASE_URL: REAL.VENDOR_BASE_URL, AUTH_AUDIENCE: 'companion' };
  for (const [name, value] of Object.entries(secrets)) {
    writeFileSync(`${folder}/${name}`, `${value}\r\n`);
    env[`${name}_FILE`] = `${folder}/${name}`;
  }
  assert.deepEqual(readConfig(env), readConfig({ ...REAL, ...secrets }));

  assert.match(
    mistakesIn({ ...env, VENDOR_API_KEY: 'k' }),
    /VENDOR_API_KEY and VENDOR_API_KEY_FILE cannot both be set/,
  );
  assert.match(
    mistakesIn({ ...env, SESSION_SECRET_FILE: `${folder}/none` }),
    /SESSION_SECRET_FILE cannot be read: ENOENT/,
  );
  mkdirSync(`${folder}/folder`);
  assert.match(
    mistakesIn({ ...env, WEBHOOK_AUTH_FILE: `${folder}/folder` }),
    /WEBHOOK_AUTH_FILE cannot be read: EISDIR/,
  );
  writeFileSync(`${folder}/empty`, '\n');
  assert.match(
    mistakesIn({ ...env, OPERATOR_PASSWORD_FILE: `${folder}/empty` }),
    /OPERATOR_PASSWORD_FILE names an empty/,
  );
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

test('a name that is nearly a setting of top-ups is refused: who sets it means to limit what is paid', () => {
  for (const [name, meant] of Object.entries({
    TOP_UUP_MODE: 'TOP_UP_MODE',
    TOP_UP_MDOE: 'TOP_UP_MODE',
    TOP_UP_MODES: 'TOP_UP_MODE',
    TOPUP_MODE: 'TOP_UP_MODE',
    TOPUPMODE: 'TOP_UP_MODE',
    top_up_mode: 'TOP_UP_MODE',
    TOP_UP_MODE_FILE: 'TOP_UP_MODE',
    TOP_UP_AMMOUNT: 'TOP_UP_AMOUNT',
    TOP_UP_LIMIT: 'TOP_UP_DAILY_LIMIT_PER_MEMBER',
    TOP_UP_DAILY_LIMIT_PER_MEMBERS: 'TOP_UP_DAILY_LIMIT_PER_MEMBER',
  })) {
    const line = `  ${name} is not a setting: did you mean ${meant}?`;
    assert.ok(
      mistakesIn({ ...REAL, [name]: 'off' })
        .split('\n')
        .includes(line),
      line,
    );
  }
});

test('a name that is nearly another setting is named in one warning', () => {
  const meant = {
    DATABASE_URI: 'DATABASE_URL',
    PROXY_HOP: 'PROXY_HOPS',
    HOTLINE_CDE: 'HOTLINE_CODE',
    PUBLIC_ORGIIN: 'PUBLIC_ORIGIN',
    ALLOWED_ORIGIN: 'ALLOWED_ORIGINS',
    VENDOR_BASEURL: 'VENDOR_BASE_URL',
    vendor_api_key: 'VENDOR_API_KEY',
    VENDOR_API_KEY_FIEL: 'VENDOR_API_KEY_FILE',
    AUTH_AUDIENCE_FILE: 'AUTH_AUDIENCE',
    OPERATOR_PASSWROD: 'OPERATOR_PASSWORD',
    SESSION_SECRT: 'SESSION_SECRET',
    LOG_LEVELS: 'LOG_LEVEL',
  };
  const env = { ...REAL, ...Object.fromEntries(Object.keys(meant).map((name) => [name, 'x'])) };
  const warnings: string[] = [];
  readConfig(env, 'serve', true, (text) => warnings.push(text));
  assert.deepEqual(
    warnings,
    Object.entries(meant).map(([name, setting]) => `${name} is not a setting: did you mean ${setting}?`),
  );
});

test('every other name belongs to another program, whatever it begins with', () => {
  // What Kubernetes sets for services of these names, and what desktops, shells and frameworks set.
  const services = ['AUTH', 'SESSION', 'VENDOR', 'WEBHOOK', 'OPERATOR', 'CALL_ME', 'RATE_LIMIT', 'TOP_UP'];
  const names = services.flatMap((service) => [
    `${service}_SERVICE_HOST`,
    `${service}_SERVICE_PORT`,
    `${service}_SERVICE_PORT_HTTP`,
    `${service}_PORT`,
    `${service}_PORT_80_TCP`,
    `${service}_PORT_80_TCP_ADDR`,
    `${service}_PORT_80_TCP_PORT`,
    `${service}_PORT_80_TCP_PROTO`,
  ]);
  const others =
    'VENDOR_SDK SESSION_MANAGER SSH_AUTH_SOCK DATABASE_USER DATABASE_NAME PROXY_HOST PROXY_PORT PUBLIC_URL HOSTNAME POST HOSTS ' +
    'npm_config_user_agent WEBHOOK_TOKEN CALL_ME_PER_HOUR RATE_LIMIT_PER_IP';
  const env = Object.fromEntries([...names, ...others.split(' ')].map((name) => [name, 'x']));
  assert.ok(readConfig({ ...REAL, ...env }, 'serve', true, assert.fail), 'without a word');
});

test('the keys of two projects are two accounts, and no message contains a key', () => {
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

test('only localhost, 127.x and [::1] count as loopback', () => {
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
    assert.match(message, /VENDOR_BASE_URL must be an https URL/);
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

test('one message names every mistake, but no value', () => {
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
