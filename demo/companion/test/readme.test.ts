/** What README and docs link to is there, in the package too; what they say of settings and codes is so. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readConfig } from '../config.ts';
import { PROBLEMS } from '../problem.ts';
import { readFormat } from '../vbot/envelope.ts';

const FOLDER = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(join(FOLDER, path), 'utf8');
const settings = [...read('config.ts').matchAll(/^ {2}([A-Z_]+): z/gm)].map(([, name = '']) => name);
const DOCUMENTS = ['README.md', ...readdirSync(join(FOLDER, 'docs')).map((name) => `docs/${name}`)];

/** As GitHub names the place of a title. */
const anchorsOf = (text: string) =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  );

test('every link of README and docs leads to something that npm packs', () => {
  const { files } = JSON.parse(read('package.json')) as { files: string[] };
  for (const document of DOCUMENTS) {
    const links = [...read(document).matchAll(/\]\((?!https?:)([^)#]*)#?([^)]*)\)/g)];
    for (const [link, to = '', anchor = ''] of links) {
      const path = to === '' ? document : normalize(join(document, '..', to));
      assert.ok(existsSync(join(FOLDER, path)), `${document}: ${link}`);
      // Sources are read in the project's repository.
      if (path.endsWith('.ts')) continue;
      assert.ok(['README.md', ...files].includes(path.split('/')[0] ?? ''), `not in the package: ${path}`);
      if (anchor !== '') assert.ok(anchorsOf(read(path)).includes(anchor), `${document}: ${link}`);
    }
  }
});

test('no example publishes the operator’s page or the metrics', () => {
  const places = [...DOCUMENTS, 'compose.yaml'].flatMap((document) => [
    ...(read(document).match(/location ~ \S+|\/\^.*\$\)\//g) ?? []),
  ]);
  assert.ok(places.length > 1, places.join());
  for (const place of places) assert.doesNotMatch(place, /operator|metrics|healthz|readyz/);
});

test('docs/reference.md has a row for each setting, with the default that it has', () => {
  const rows = [...read('docs/reference.md').matchAll(/^\| ((?:`[A-Z_]+`(?:, or |, )?)+) \| (.*) \|$/gm)].map(
    ([, names = '', meaning = '']) => ({ names: [...names.matchAll(/[A-Z_]+/g)].map(String), meaning }),
  );
  const named = rows.flatMap(({ names }) => names);
  assert.deepEqual(named.toSorted(), settings.toSorted());
  const config = readConfig({
    VENDOR_BASE_URL: 'https://vendor.example/v3.0',
    VENDOR_API_KEY: 'k',
    DATABASE_URL: 'file:/var/lib/companion/companion.db',
    AUTH_JWT_SECRET: 's'.repeat(32),
    AUTH_AUDIENCE: 'companion',
  });
  const { topUp, callMe } = config;
  const [, concurrency] = /concurrency = (\d+)/.exec(read('vbot/client.ts')) ?? [];
  const defaults: Readonly<Record<string, readonly (string | number | undefined)[]>> = {
    HOST: [config.host],
    PORT: [config.port],
    PROXY_HOPS: [config.proxyHops],
    TOP_UP_AMOUNT: [topUp.amount],
    TOP_UP_DAILY_LIMIT: [topUp.dailyLimit / topUp.amount],
    AUTH_MEMBER_CLAIM: [config.bearer?.memberClaim],
    SESSION_IDLE_MINUTES: [config.sessionIdleMinutes],
    VENDOR_CONCURRENCY: [concurrency],
    CALL_ME_PER_DAY: [callMe.perMinute, callMe.perDay],
    RATE_LIMIT_PER_ADDRESS: [config.ratePerMember, config.ratePerAddress],
    SESSION_SECRET: [32],
    AUTH_JWT_SECRET: [32],
    WEBHOOK_AUTH: [16],
    OPERATOR_PASSWORD: [16],
  };
  for (const [name, values] of Object.entries(defaults)) {
    const { meaning = '' } = rows.find(({ names }) => names.includes(name)) ?? {};
    for (const value of values) assert.match(meaning, new RegExp(`(?<![\\w.])${value}(?![\\w])`), name);
  }
});

test('docs/routes.md has each code of an error response in the row of its status', () => {
  const rows = [...read('docs/routes.md').matchAll(/^\| (\d{3}(?:, \d{3})*) \| (.*) \|$/gm)];
  const listed = rows.flatMap(([, status = '', codes = '']) =>
    [...codes.matchAll(/`([a-z-]+)`/g)].map(([, code]) => `${status.slice(0, 3)} ${code}`),
  );
  assert.deepEqual(
    listed.toSorted(),
    Object.entries(PROBLEMS)
      .map(([code, { status }]) => `${status} ${code}`)
      .toSorted(),
  );
});

test('documents name only variables that are settings', () => {
  const named = DOCUMENTS.flatMap((document) =>
    [
      ...read(document).matchAll(
        /\b(?:VENDOR|AUTH|SESSION|RATE|CALL|WEBHOOK|PROXY|PUBLIC|DEMO|LOG)_[A-Z_]+/g,
      ),
    ].map(([name]) => `${document}: ${name.replace(/_FILE$/, '')}`),
  );
  assert.ok(named.length > 20);
  assert.deepEqual(
    named.filter((name) => !settings.includes(name.replace(/.* /, ''))),
    [],
  );
});

test('docs/vendor.md has examples of VENDOR_FIELDS that are read, and no others', () => {
  const examples = [...read('docs/vendor.md').matchAll(/^\| .* \| (`\{.*)\|$/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`(\{.*?\})`/g)].map(([, example = '']) => example),
  );
  assert.ok(examples.length > 5);
  for (const example of examples) assert.doesNotThrow(() => readFormat(example), example);
});
