/** The figures in README and docs are those of the code. The generated tables and the packages' version have tests of their own. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { it } from 'node:test';
import { Settings } from '../../demo/server/server.ts';
import { DEFAULT_SDK_URL } from '../../src/element/attributes.ts';

const SECONDS = 1000;
const MINUTES = 60_000;
const DAYS = 24 * 3_600_000;
const CALLS = 1;
const IN_WORDS = ['no', 'a', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/** `#` stands for the constant of the file, in this unit, as digits or as a word. */
const FIGURES: readonly (readonly [
  document: string,
  phrase: string,
  file: string,
  constant: string,
  unit: number,
])[] = [
  ['README.md', 'once less than # minutes are left', 'ui/views/call', 'COUNTDOWN_MS', MINUTES],
  ['CHANGELOG.md', 'deleted after # days', 'dialer/calls/call-log', 'LONGEST_MS', DAYS],
  ['CONTRIBUTING.md', 'For # seconds after its view changes', 'ui/press-guard', 'GUARD_MS', SECONDS],
  ['docs/agents.md', 'The last # calls', 'ui/views/recent-calls', 'LISTED_CALLS', CALLS],
  ['docs/agents.md', 'records you for # seconds', 'devices/headset-test', 'SPEAKING_MS', SECONDS],
  [
    'docs/broker.md',
    'requests `status` after # seconds',
    'dialer/member/status-poller',
    'FIRST_WAIT_MS',
    SECONDS,
  ],
  ['docs/broker.md', 'retries after # seconds', 'dialer/connection/reconnection', 'FIRST_WAIT_MS', SECONDS],
  [
    'docs/broker.md',
    'up to # minutes, with jitter',
    'dialer/connection/reconnection',
    'LONGEST_WAIT_MS',
    MINUTES,
  ],
  ['docs/broker.md', 'at most once in # minutes', 'dialer/connection/retry', 'HIDDEN_MS', MINUTES],
  ['docs/broker.md', 'waits up to # minute for your response', 'broker/session', 'HELP_TIMEOUT_MS', MINUTES],
  ['docs/broker.md', 'After # s, or after no response', 'dialer/member/help-requests', 'ANSWER_MS', SECONDS],
  ['docs/broker.md', 'an expired token or # seconds', 'broker/given-session', 'TIMEOUT_MS', SECONDS],
  ['docs/devices.md', 'plays the ringtone there for # seconds', 'devices/devices', 'TEST_RING_MS', SECONDS],
  ['docs/devices.md', 'the dialer records # seconds', 'devices/headset-test', 'SPEAKING_MS', SECONDS],
  ['docs/reference.md', 'A repetition within # s', 'page/tel-links', 'REPEAT_MS', SECONDS],
  ['docs/reference.md', 'time limit (# seconds', 'broker/request', 'TIMEOUT_MS', SECONDS],
  ['docs/reference.md', 'for `customers` #)', 'broker/customers', 'TIMEOUT_MS', SECONDS],
  [
    'docs/reference.md',
    'for at most # s, the button waits',
    'dialer/member/help-requests',
    'PAGE_MS',
    SECONDS,
  ],
  ['docs/reference.md', 'about # s at most', 'sdk/vbot/sip', 'TELLING_TIMEOUT_MS', SECONDS],
  ['docs/reference.md', 'the last # calls', 'ui/support-details', 'LAST_CALLS', CALLS],
  ['docs/security.md', 'only the last # calls', 'dialer/calls/call-log', 'MOST_CALLS', CALLS],
  ['docs/security.md', 'deleted after # days', 'dialer/calls/call-log', 'LONGEST_MS', DAYS],
  ['docs/security.md', 'SIP socket opens, at most # second', 'sdk/vbot/sip-socket', 'TIMEOUT_MS', SECONDS],
  ['docs/security.md', 'script loads, at most # seconds', 'sdk/script', 'TIMEOUT_MS', SECONDS],
  ['docs/testing.md', 'For # seconds after its view changes', 'ui/press-guard', 'GUARD_MS', SECONDS],
  ['docs/troubleshooting.md', 'the last # calls', 'ui/support-details', 'LAST_CALLS', CALLS],
  ['docs/troubleshooting.md', 'in # s, or failed', 'dialer/member/help-requests', 'ANSWER_MS', SECONDS],
  [
    'docs/troubleshooting.md',
    'no result within # s',
    'dialer/connection/connection',
    'CONNECT_TIMEOUT_MS',
    SECONDS,
  ],
];

const read = (path: string) => readFileSync(path, 'utf8');
/** With single spaces, wherever its lines end. */
const flat = (path: string) => read(path).replaceAll(/\s+/g, ' ');
const countLines = (path: string) => read(path).trimEnd().split('\n').length;
const packageJson = JSON.parse(read('package.json')) as {
  readonly engines: { readonly node: string };
  readonly peerDependencies: { readonly vue: string };
  readonly scripts: { readonly check: string };
};

function constantOf(file: string, name: string): number {
  const [, value = ''] = new RegExp(`const ${name} = ([\\d_ *]+);`).exec(read(`src/${file}.ts`)) ?? [];
  assert.notEqual(value, '', `src/${file}.ts has no ${name}`);
  return value
    .replaceAll('_', '')
    .split('*')
    .reduce((product, factor) => product * Number(factor), 1);
}

for (const [document, phrase, file, constant, unit] of FIGURES)
  it(`${document} says "${phrase}" as the code has it`, () => {
    const value = constantOf(file, constant) / unit;
    const ways = [String(value), IN_WORDS[value] ?? ''].map((figure) => phrase.replace('#', figure));
    const text = flat(document);
    assert.ok(
      ways.some((way) => text.includes(way)),
      `${constant} of src/${file}.ts is ${value}`,
    );
  });

it('documents name the version of VBot’s SDK that the dialer loads', () => {
  const [version = ''] = /\d+\.\d+\.\d+/.exec(DEFAULT_SDK_URL) ?? [];
  for (const path of ['README.md', 'README.vi.md', 'docs/limits.md', 'docs/reference.md']) {
    const named = [...read(path).matchAll(/(?:vbot-sdk\/|SDK )(\d+\.\d+\.\d+)/g)].map(([, name]) => name);
    assert.ok(named.length > 0, path);
    assert.deepEqual([...new Set(named)], [version], path);
  }
});

it('documents name the API to which VBot’s SDK talks', () => {
  const [, base = ''] = /const VENDOR_API_BASE = '(.+)';/.exec(read('src/sdk/vbot/sdk.ts')) ?? [];
  assert.ok(base !== '' && read('docs/reference.md').includes(`\`${base}\``));
});

it('documents ask for the Node and the Vue that package.json asks for', () => {
  const { engines, peerDependencies, scripts } = packageJson;
  const [node, vue] = [engines.node, peerDependencies.vue].map((range) => range.replace('>=', ''));
  for (const path of [
    'README.md',
    'README.vi.md',
    'CONTRIBUTING.md',
    'AGENTS.md',
    'demo/companion/README.md',
  ])
    assert.ok(read(path).includes(`Node ${node}`), path);
  assert.ok(read('docs/frameworks.md').includes(`Vue ${vue} and newer`));
  const [, runs = '', kills = ''] = /MODEL_RUNS=(\d+).*--kills (\d+)/.exec(scripts.check) ?? [];
  const check = `${runs} random sequences of the model, \`npm run chaos -- --kills ${kills}\``;
  assert.ok(flat('CONTRIBUTING.md').includes(check), check);
});

it('README says how long the files to read are', () => {
  const readme = flat('README.md');
  const about = (pattern: RegExp) => Number(pattern.exec(readme)?.[1]);
  assert.ok(Math.abs(about(/server\.ts`\].*?about (\d+) lines/) - countLines('demo/server/server.ts')) <= 10);
  assert.ok(Math.abs(about(/main\.ts` shows in (\d+) lines/) - countLines('demo/crm/main.ts')) <= 10);
});

it('the README of the server has a row for each of its settings, with the default that it has', () => {
  const rows = [...read('demo/server/README.md').matchAll(/^\| ((?:`[A-Z_]+`(?:, )?)+) \| (.*) \|$/gm)];
  const names = rows.flatMap(([, cell = '']) => cell.match(/[A-Z_]+/g) ?? []);
  assert.deepEqual(names.toSorted(), Object.keys(Settings.shape).toSorted());
  const { TOP_UP, PORT } = Settings.parse({ VENDOR_BASE_URL: 'https://vendor.example', VENDOR_API_KEY: 'k' });
  for (const [name, value] of Object.entries({ TOP_UP, PORT })) {
    const [, , meaning = ''] = rows.find(([, cell]) => cell === `\`${name}\``) ?? [];
    assert.match(meaning, new RegExp(`default ${value}\\b`), name);
  }
});

it('documents name files and folders that exist', () => {
  const inDocs = readdirSync('docs').filter((name) => name.endsWith('.md'));
  const paths = [
    'README.md',
    'README.vi.md',
    'CONTRIBUTING.md',
    'AGENTS.md',
    ...inDocs.map((name) => `docs/${name}`),
  ];
  const missing = paths.flatMap((path) =>
    [...read(path).matchAll(/`((?:src|demo|test|docs)\/[\w./-]+)`/g)]
      .map(([, name = '']) => name)
      // The build writes one of them, and whoever adds a language the other.
      .filter((name) => !['demo/dist', 'src/i18n/xx.ts'].includes(name) && !existsSync(name))
      .map((name) => `${path}: ${name}`),
  );
  assert.deepEqual(missing, []);
});
