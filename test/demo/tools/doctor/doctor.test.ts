/** `npm run doctor`: every illness is named, with what to do; nothing is touched, and the key stays unsaid. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test, type TestContext } from 'node:test';
import { runDoctor, type Outcome } from '../../../../demo/tools/doctor/doctor.ts';
import { makeFolder, serve } from '../../../../demo/sandbox/test/servers.ts';

const KEY = 'a-very-secret-key';
const ORIGIN = 'https://crm.example';
const SCRIPT = 'customElements.define("vbot-widget", class extends HTMLElement {});';
const HOTLINE = {
  hotline_name: 'Sales',
  hotline_number: '842899990001',
  hotline_code: 'HL_A',
  hotline_type: 'HOTLINE',
};

const envelope =
  (data: unknown, error = 0, status = 200) =>
  () =>
    Response.json({ error, message: 'x', data }, { status });
const refusal = (error: number) => envelope(null, error);
const http =
  (status: number, body = '<h1>no</h1>') =>
  () =>
    new Response(body, { status });

const moved = () => new Response(null, { status: 301, headers: { Location: 'https://new.example/v3.0' } });

const cors = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type',
};
const preflight =
  (headers: Record<string, string> = cors) =>
  () =>
    new Response(null, { status: 204, headers });
const script =
  (headers: Record<string, string> = cors) =>
  () =>
    new Response(SCRIPT, { headers: { 'Content-Type': 'text/javascript', ...headers } });

const HOTLINES = 'GET /v3.0/api/hotline/getAll';
const BALANCE = 'GET /v3.0/api/account/balance';
const PREFLIGHT = 'OPTIONS /v3.0/api/sdk/info';
const SDK = 'GET /sdk/1.0.11/sdk.js';

/** A vendor in good health, by method and path. */
const HEALTHY: Readonly<Record<string, () => Response>> = {
  [HOTLINES]: envelope([HOTLINE]),
  [BALANCE]: envelope(5000),
  [PREFLIGHT]: preflight(),
  [SDK]: script(),
};

interface Check {
  readonly check: string;
  readonly result: 'ok' | 'fix' | 'skipped';
  readonly sentence: string;
  readonly todo?: string;
}

interface Visit extends Outcome {
  readonly requests: readonly string[];
}

interface Plan {
  readonly answers?: Readonly<Record<string, () => Response>> | undefined;
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
}

/** Has the doctor look at a vendor that answers like this. */
async function visit(t: TestContext, { answers = {}, env = {}, args = [] }: Plan = {}): Promise<Visit> {
  const requests: string[] = [];
  const vendor = await serve(t, (request) => {
    const place = `${request.method} ${new URL(request.url).pathname}`;
    requests.push(place);
    return ({ ...HEALTHY, ...answers }[place] ?? http(404))();
  });
  const result = await runDoctor(['--origin', ORIGIN, '--sdk', `${vendor}/sdk/1.0.11/sdk.js`, ...args], {
    VENDOR_BASE_URL: `${vendor}/v3.0`,
    VENDOR_API_KEY: KEY,
    AUTH_JWT_SECRET: 's'.repeat(32),
    AUTH_AUDIENCE: 'companion',
    DATABASE_URL: 'file:/nowhere/companion.db',
    ...env,
  });
  assert.equal(result.text.includes(KEY), false, 'the key is not told');
  return { ...result, requests };
}

/** The rows of the table, by check: its result, and the sentence with the advice. */
function parseRows({ text }: Pick<Visit, 'text'>): Map<string, Check> {
  const { checks } = JSON.parse(text) as { checks: Check[] };
  return new Map(checks.map((check) => [check.check, check]));
}

/** Those that are not ok, as `check result`. */
function illnesses(rows: Map<string, Check>): string[] {
  return [...rows.values()]
    .filter(({ result }) => result !== 'ok')
    .map(({ check, result }) => `${check} ${result}`);
}

describe('npm run doctor', () => {
  test('a vendor in good health: all good, with the attributes and directives to paste', async (t) => {
    const { exit, text, requests } = await visit(t);
    assert.equal(exit, 0, text);
    const hash = (name: string, form: 'hex' | 'base64') => createHash(name).update(SCRIPT).digest(form);
    assert.equal(text.includes(`sdk-integrity="sha384-${hash('sha384', 'base64')}"`), true);
    assert.equal(text.includes(`SHA-256 ${hash('sha256', 'hex')}`), true);
    assert.match(text, new RegExp(`${SCRIPT.length} bytes, text/javascript`));
    assert.match(text, /1 hotline; members without one get the first, HL_A/);
    assert.match(text, /5000 VND, enough for 5 × 1000 VND/);
    assert.match(text, /script-src 'self' http:\/\/127\.0\.0\.1:\d+\/sdk\/1\.0\.11\/sdk\.js;/);
    assert.match(text, /connect-src 'self' http:\/\/127\.0\.0\.1:\d+ wss:;/);
    assert.match(text, /is known only after a member has signed in/);
    assert.match(text, /All good\.$/m);
    assert.deepEqual(
      new Set(requests),
      new Set(Object.keys(HEALTHY)),
      'nothing else was asked, and nothing changed',
    );
  });

  const keys: readonly [string, () => Response, RegExp][] = [
    ['error 401 behind HTTP 200', refusal(401), /error 401: “x”/],
    ['error 403 behind HTTP 403', envelope(null, 403, 403), /error 403/],
    ['error 409', refusal(409), /error 409/],
    ['HTTP 401 without an envelope', http(401), /error 401/],
  ];
  for (const [name, answer, words] of keys) {
    test(`a key refused with ${name} is told from the others, and nothing more is asked with it`, async (t) => {
      const answers = { [HOTLINES]: answer };
      const { exit, text, requests } = await visit(t, { answers, args: ['--json'] });
      const rows = parseRows({ text });
      assert.equal(exit, 1);
      assert.deepEqual(illnesses(rows), ['key fix', 'hotlines skipped', 'admin balance skipped']);
      assert.match(rows.get('key')?.sentence ?? '', words);
      assert.match(rows.get('key')?.todo ?? '', /\S/);
      assert.equal(requests.includes(BALANCE), false);
    });
  }

  const places: readonly [string, () => Response, RegExp][] = [
    ['out of order', http(503), /failed: HTTP 503.*responds with an error: run the doctor again later/],
    ['a redirect', moved, /redirects to https:\/\/new\.example \(HTTP 301\).*to the target of the redirect/],
    ['a limit', http(429), /too many requests: HTTP 429.*ask the vendor for your rate limits/],
    ['an unknown code', envelope([HOTLINE], 7), /error 7.*VENDOR_FIELDS=\{"success":\[0,.*7\]\}/],
    ['a failing API', refusal(500), /error 500/],
    ['no API at all', http(404), /error 404.*end with the version/],
    ['a page', http(200), /cannot be parsed.*end with the version/],
  ];
  for (const [name, answer, words] of places) {
    test(`an address behind which is ${name} is a matter of the vendor, not of the key`, async (t) => {
      const answers = { [HOTLINES]: answer };
      const { exit, text } = await visit(t, { answers, args: ['--json'] });
      const rows = parseRows({ text });
      assert.equal(exit, 1);
      assert.equal(rows.get('key')?.result, 'skipped');
      const { sentence, todo } = rows.get('vendor') ?? {};
      assert.match(`${sentence} ${todo}`, words);
      if (!words.source.includes('DNS')) assert.doesNotMatch(todo ?? '', /DNS|firewall/);
    });
  }

  test('how the vendor answers is told where it is read otherwise than documented', async (t) => {
    const answers = {
      [HOTLINES]: () =>
        Response.json({ errorCode: '00', data: { items: [{ hotlineNumber: '84', hotlineCode: 'HL_A' }] } }),
      [BALANCE]: envelope({ balance: '5000' }),
    };
    const { exit, text } = await visit(t, { answers, args: ['--json'] });
    assert.equal(exit, 0, text);
    const { sentence = '' } = parseRows({ text }).get('vendor') ?? {};
    for (const told of [
      'errorCode is "00"',
      'data is in data.items',
      'hotline_code is hotlineCode',
      'data.balance',
    ])
      assert.equal(sentence.includes(told), true, sentence);
  });

  test('VENDOR_FIELDS is read by the doctor, too', async (t) => {
    const answers = { [HOTLINES]: envelope([HOTLINE], 7) };
    const VENDOR_FIELDS = '{"success":[0,7]}';
    assert.equal((await visit(t, { answers, env: { VENDOR_FIELDS } })).exit, 0);
  });

  const unreachable: readonly [string, string, RegExp][] = [
    ['a closed port', 'http://127.0.0.1:9/v3.0', /ECONNREFUSED/],
    ['an unknown name', 'https://vendor.invalid/v3.0', /ENOTFOUND|EAI_AGAIN/],
  ];
  for (const [name, VENDOR_BASE_URL, words] of unreachable) {
    test(`${name} is named, and the page is looked at all the same`, async (t) => {
      const { exit, text } = await visit(t, { env: { VENDOR_BASE_URL }, args: ['--json'] });
      const rows = parseRows({ text });
      assert.equal(exit, 1);
      assert.match(rows.get('vendor')?.sentence ?? '', words);
      assert.equal(rows.get('sdk script')?.result, 'ok');
      assert.equal(rows.get('api cors')?.result, 'skipped', 'which is no question of CORS');
      assert.doesNotMatch(text, /Ask the vendor to allow this origin/);
    });
  }

  test('a server without TLS behind an https address is a matter of TLS', async (t) => {
    const plain = await serve(t, http(200));
    const env = { VENDOR_BASE_URL: `${plain.replace('http:', 'https:')}/v3.0` };
    const { text } = await visit(t, { env, args: ['--json'] });
    assert.match(parseRows({ text }).get('vendor')?.sentence ?? '', /SSL|TLS|EPROTO/);
  });

  const others = { ...cors, 'Access-Control-Allow-Origin': 'https://other.example' };
  const star = { ...cors, 'Access-Control-Allow-Headers': '*' };
  const page = script({ 'Content-Type': 'text/html' });
  const rest: readonly [string, Plan['answers'], string[], RegExp, Plan?][] = [
    ['no hotline', { [HOTLINES]: envelope([]) }, ['hotlines fix'], /Ask the vendor to activate/],
    ['another HOTLINE_CODE', {}, ['hotlines fix'], /one of: HL_A/, { env: { HOTLINE_CODE: 'HL_B' } }],
    [
      'a poor admin',
      { [BALANCE]: envelope(999.5) },
      ['admin balance fix'],
      /Add money to the partner account/,
    ],
    ['a secret balance', { [BALANCE]: http(404) }, ['admin balance fix'], /let this key read the balance/],
    ['an unreadable balance', { [BALANCE]: envelope(null) }, ['admin balance fix'], /cannot be parsed/],
    ['no script', { [SDK]: http(404) }, ['sdk script fix', 'script cors skipped'], /HTTP 404/],
    [
      'a page for a script',
      { [SDK]: page },
      ['sdk script fix', 'script cors skipped'],
      /has the content type text\/html, which is not JavaScript/,
    ],
    ['a script that may not be read', { [SDK]: script({}) }, ['script cors fix'], /Remove sdk-integrity/],
    [
      'an API for other pages',
      { [PREFLIGHT]: preflight(others) },
      ['api cors fix'],
      /may not read the responses/,
    ],
    [
      'a star without the token',
      { [PREFLIGHT]: preflight(star) },
      ['api cors fix'],
      /may not send Authorization/,
    ],
    ['a redirected preflight', { [PREFLIGHT]: moved }, ['api cors fix'], /HTTP 301.*do not follow redirects/],
    ['no preflight', { [PREFLIGHT]: http(405) }, ['api cors fix'], /HTTP 405/],
    [
      'a page without https',
      {},
      ['page fix'],
      /do not let it use the microphone/,
      { args: ['--origin', 'http://crm.example'] },
    ],
  ];
  for (const [name, answers, expected, words, { env = {}, args = [] } = {}] of rest) {
    test(`${name}: something to fix`, async (t) => {
      const { exit, text } = await visit(t, { answers, env, args: [...args, '--json'] });
      const rows = parseRows({ text });
      assert.equal(exit, 1);
      assert.deepEqual(illnesses(rows), expected);
      const row = [...rows.values()].find(({ result }) => result === 'fix');
      assert.match(`${row?.sentence} ${row?.todo}`, words);
    });
  }

  test('an address without https gets no key', async (t) => {
    const env = { VENDOR_BASE_URL: 'http://vendor.invalid/v3.0' };
    const { exit, text, requests } = await visit(t, { env, args: ['--json'] });
    const rows = parseRows({ text });
    assert.equal(exit, 78);
    assert.deepEqual([illnesses(rows), requests], [['environment fix'], []]);
    assert.match(rows.get('environment')?.sentence ?? '', /VENDOR_BASE_URL must be an https URL/);
  });

  test('what would keep the script from loading is not offered for pasting', async (t) => {
    const { text } = await visit(t, { answers: { [SDK]: script({}) } });
    assert.doesNotMatch(text, /sha384-/);
  });

  test('without top-ups a poor admin is no illness', async (t) => {
    const answers = { [BALANCE]: envelope(0) };
    assert.equal((await visit(t, { answers, env: { TOP_UP_MODE: 'off' } })).exit, 0);
  });

  test('no key: a sandbox is looked at in the same way', async (t) => {
    const env = { DATABASE_URL: `file:${await makeFolder(t)}/companion.db` };
    const { exit, text } = await runDoctor(['--json'], env);
    assert.equal(exit, 0, text);
    const { sandbox, pin } = JSON.parse(text) as { sandbox: boolean; pin: string };
    assert.equal(sandbox, true);
    assert.match(pin, /\/vendor\/vbot-sdk\.js" sdk-integrity/);
    assert.match(text, /VENDOR_API_KEY is not set, so the sandbox is used/);
    const named = { ...env, VENDOR_BASE_URL: 'http://127.0.0.1:1/v3.0', VENDOR_API_KEY: 'sandbox-api-key' };
    assert.match(
      (await runDoctor([], named)).text,
      /VENDOR_API_KEY is the sandbox’s, so the sandbox is used/,
    );
  });

  test('a wrong environment names every mistake and ends with 78', async () => {
    const env = { VENDOR_API_KEY: KEY, TOP_UP_AMOUNT: 'much' };
    for (const args of [[], ['--json']]) {
      const { exit, text } = await runDoctor(args, env);
      assert.equal(exit, 78);
      assert.match(text, /VENDOR_BASE_URL/);
      assert.match(text, /TOP_UP_AMOUNT/);
      if (args.length > 0) assert.deepEqual(illnesses(parseRows({ text })), ['environment fix']);
    }
  });

  test('options that mean nothing end with 78 and the usage', async () => {
    for (const args of [['--origin', 'crm.example'], ['--sdk', 'sdk.js'], ['--money']]) {
      const { exit, text } = await runDoctor(args, {});
      assert.equal(exit, 78);
      assert.match(text, /Usage: npm run doctor/);
    }
  });
});
