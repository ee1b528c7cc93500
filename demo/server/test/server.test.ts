/** The server in one file, as a process against a small vendor; PHP and Python, where they are installed, in what they promise too. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createBackEnd, run as runServer, Settings } from '../server.ts';
import { FOLDER, freePort, LANGUAGES, PYTHON, SERVER, type Environment } from './start-server.ts';
import {
  listen,
  paidFolder,
  payments,
  SALES,
  start,
  startVendor,
  SUPPORT,
  type Reply,
  type Vendor,
} from './vendor.ts';

const nested: Reply = (response) => response.end('['.repeat(100_000) + ']'.repeat(100_000));
const TOLD = [{ name: 'Sales', number: '842899990001', code: 'HL', type: 'HOTLINE' }];

for (const language of LANGUAGES) {
  test(
    `the server in ${language} makes a member able to call, and says what is missing`,
    { timeout: 60_000 },
    async (t) => {
      const vendor = await startVendor(t);
      const server = await start(t, language, vendor, { TOP_UP: '0', HOTLINE_CODE: '' });
      if (!server) return;
      const { ask, url } = server;
      const without = await ask();
      assert.equal(without['token'], 'a.b.c');
      assert.deepEqual(without['member'], { memberNo: 'agent001', name: 'An', balance: 0, currency: 'VND' });
      assert.deepEqual(without['blockers'], ['insufficient-funds']);
      assert.deepEqual(without['hotlines'], TOLD);
      const member = vendor.members.get('agent001')!;
      assert.deepEqual([...member.hotlines], ['842899990001']);
      member.money = 500;
      assert.deepEqual((await ask())['blockers'], []);

      for (const token of [
        'wrong',
        'lonely',
        'nobody',
        'odd',
        'agent003',
        'secret:agent001',
        '',
        'undefined',
      ]) {
        assert.deepEqual((await ask(token))['code'], 'broker-unauthorized', token);
      }
      for (const Authorization of ['secret', 'Basic secret', 'Bearersecret', 'Bearer', 'Bearer  secret']) {
        const response = await fetch(url + 'session', { method: 'POST', headers: { Authorization } });
        assert.equal(response.status, 401, Authorization);
      }
      const headers = { Authorization: 'Bearer secret' };
      const elsewhere = { ...headers, Origin: 'https://elsewhere.example' };
      const refusals = [
        [403, { method: 'POST', headers: elsewhere }],
        [403, { method: 'POST', headers: { ...headers, Origin: 'null' } }],
        [405, { method: 'GET', headers }],
        [413, { method: 'POST', headers, body: 'x'.repeat(4097) }],
      ] as const;
      for (const [status, init] of refusals) {
        const response = await fetch(url + 'session', init);
        assert.equal(response.status, status);
        assert.match(response.headers.get('content-type') ?? '', /^application\/problem\+json/);
        assert.equal(response.headers.get('cache-control'), 'no-store');
      }
      const own = { ...headers, Origin: new URL(url).origin };
      assert.equal((await fetch(url + 'session', { method: 'POST', headers: own })).status, 200);
      assert.equal(payments(vendor), 0);
    },
  );

  test(
    `whatever the vendor answers, the server in ${language} says what the dialer understands`,
    { timeout: 60_000 },
    async (t) => {
      const vendor = await startVendor(t);
      const server = await start(t, language, vendor, { TOP_UP: '0' });
      if (!server) return;
      const { ask, log } = server;
      await ask();
      vendor.members.get('agent001')!.money = 500;
      const data = (path: string, value: unknown) => {
        vendor.respond = (asked) => (asked === path ? { error: 0, data: value } : undefined);
      };
      for (const member_money of [null, '', '500', 'much', '500.000 ₫', [], false, {}]) {
        data('member/getByMemberNo', { member_no: 'agent001', member_name: 'An', member_money });
        const { status, blockers } = await ask();
        assert.deepEqual([status, blockers], [503, undefined], `a balance: ${JSON.stringify(member_money)}`);
      }
      data('member/getByMemberNo', { member_no: 'agent001', member_money: 500 });
      assert.deepEqual((await ask())['member'], { memberNo: 'agent001', balance: 500, currency: 'VND' });
      data('hotline/getAll', [SUPPORT]);
      assert.deepEqual((await ask())['hotlines'], [{ number: '842899990002', code: 'HS' }]);
      for (const missing of ['hotline_number', 'hotline_code']) {
        data('hotline/getAll', [{ ...SALES, [missing]: undefined }]);
        assert.equal((await ask())['status'], 503, `a hotline without ${missing}`);
      }
      for (const path of ['sdk/tokenSdk', 'member/getByMemberNo', 'hotline/getAll']) {
        for (const nothing of [undefined, null, '', { a: 1 }, 5]) {
          data(path, nothing);
          const { status, code } = await ask();
          assert.deepEqual(
            [status, code],
            [503, 'vendor-unreachable'],
            `${path}: ${JSON.stringify(nothing)}`,
          );
        }
      }
      for (const path of ['hotline/getAll', 'sdk/tokenSdk', 'member/getByMemberNo']) {
        for (const answer of [
          { error: 401, message: 'no access' },
          { error: '0' },
          [],
          'hang up',
          'cut',
        ] as const) {
          vendor.respond = (asked) => (asked === path ? answer : undefined);
          const { status, code } = await ask();
          assert.deepEqual([status, code], [503, 'vendor-unreachable'], `${path}: ${JSON.stringify(answer)}`);
        }
      }
      vendor.respond = (path) =>
        path === 'sdk/tokenSdk' ? { error: '0', message: 'fine', data: 'eyJ.secret.token' } : undefined;
      assert.equal((await ask())['status'], 503);
      assert.doesNotMatch(log(), /eyJ|Traceback|\n\s+at /);

      vendor.respond = (path) =>
        path === 'hotline/member/add' ? { error: 409, message: 'exists' } : undefined;
      assert.deepEqual((await ask('other'))['blockers'], ['insufficient-funds']);
      vendor.respond = () => undefined;
      vendor.hotlines = [];
      assert.deepEqual((await ask())['blockers'], ['no-hotline']);
    },
  );

  test(
    `if a cache returns another member's balance, the server in ${language} does not use it`,
    { timeout: 60_000 },
    async (t) => {
      const vendor = await startVendor(t);
      const server = await start(t, language, vendor);
      if (!server) return;
      for (const member_no of ['agent002', undefined, null, '', 7, ['agent001'], {}]) {
        vendor.respond = (path) =>
          path === 'member/getByMemberNo' ? { error: 0, data: { member_no, member_money: 0 } } : undefined;
        const { status, code } = await server.ask();
        assert.deepEqual([status, code], [503, 'vendor-unreachable'], JSON.stringify(member_no));
      }
      vendor.respond = (path, { member_no }) =>
        path === 'member/getByMemberNo' ? { error: 0, data: { member_no, member_money: 5 } } : undefined;
      assert.deepEqual((await server.ask('big'))['blockers'], []);
      vendor.respond = (path) =>
        path === 'member/getByMemberNo' ? { error: 0, data: { member_no: 7, member_money: 5 } } : undefined;
      assert.deepEqual((await server.ask('number'))['blockers'], [], 'a number');
      assert.equal(payments(vendor), 0);
    },
  );

  test(
    `the server in ${language} signs in nobody when AGENT_TOKENS is empty`,
    { timeout: 60_000 },
    async (t) => {
      const server = await start(t, language, await startVendor(t), { AGENT_TOKENS: '' });
      if (!server) return;
      if (language === 'Node') assert.match(server.log(), /AGENT_TOKENS names nobody: nobody can sign in/);
      for (const token of ['', 'secret', ':', 'undefined', 'null'])
        assert.equal((await server.ask(token))['code'], 'broker-unauthorized', token);
    },
  );

  test(
    `the server in ${language} says no-hotline if the vendor refuses one, and assigns no second one`,
    { timeout: 60_000 },
    async (t) => {
      const vendor = await startVendor(t);
      const server = await start(t, language, vendor, { TOP_UP: '1000' });
      if (!server) return;
      for (const refusal of [
        { error: 422, message: 'inactive' },
        { error: 0, data: false },
      ]) {
        vendor.respond = (path) => (path === 'hotline/member/add' ? refusal : undefined);
        const { blockers, hotlines } = await server.ask();
        assert.deepEqual(blockers, ['insufficient-funds', 'no-hotline'], JSON.stringify(refusal));
        assert.deepEqual([hotlines, payments(vendor)], [[], 0]);
      }
      for (const list of [
        (numbers: readonly string[]) => ({ hotlines: numbers }),
        (numbers: readonly string[]) => ({ member_hotline_list: numbers.map((number) => ({ number })) }),
      ]) {
        vendor.list = list;
        vendor.members.set('agent002', { money: 5, hotlines: new Set(['842899990001']) });
        assert.deepEqual((await server.ask('other'))['blockers'], []);
      }
      assert.equal(vendor.asked.filter((path) => path === 'hotline/member/add').length, 2);
    },
  );
}

for (const language of LANGUAGES) {
  test(
    `the server in ${language} leaves a member the hotline that they have, whatever HOTLINE_CODE names`,
    { timeout: 60_000 },
    async (t) => {
      const vendor = await startVendor(t);
      vendor.hotlines = [SALES, SUPPORT];
      vendor.list = (numbers) => ({ hotlines: numbers });
      vendor.members.set('agent001', { money: 5, hotlines: new Set(['842899990002']) });
      for (const HOTLINE_CODE of ['HL', 'not-listed']) {
        const server = await start(t, language, vendor, { HOTLINE_CODE });
        if (!server) return;
        const { blockers, hotlines } = await server.ask();
        assert.deepEqual([blockers, hotlines], [[], [{ number: '842899990002', code: 'HS' }]], HOTLINE_CODE);
      }
      assert.deepEqual([...vendor.members.get('agent001')!.hotlines], ['842899990002']);
    },
  );
}

for (const language of LANGUAGES) {
  test(
    `a response larger than 1 MB is not read to its end by the server in ${language}`,
    { timeout: 60_000 },
    async (t) => {
      const vendor = await startVendor(t);
      const server = await start(t, language, vendor, { TOP_UP: '0' });
      if (!server) return;
      let megabytes = 0;
      function* parts() {
        yield '{"error":0,"data":"';
        for (; megabytes < 60; megabytes += 1) yield 'x'.repeat(1_000_000);
        yield '"}';
      }
      const large: Reply = (response) => Readable.from(parts()).pipe(response);
      vendor.respond = (path) => (path === 'sdk/tokenSdk' ? large : undefined);
      const { status, code } = await server.ask();
      assert.deepEqual([status, code], [503, 'vendor-unreachable']);
      assert.ok(megabytes < 60, 'it stops reading');
      vendor.respond = () => undefined;
      assert.equal((await server.ask())['status'], 200);
    },
  );

  test(`the server in ${language} refuses JSON that is nested too deeply`, { timeout: 60_000 }, async (t) => {
    const vendor = await startVendor(t);
    const server = await start(t, language, vendor, { TOP_UP: '0' });
    if (!server) return;
    vendor.respond = (path) => (path === 'hotline/getAll' ? nested : undefined);
    assert.equal((await server.ask())['code'], 'vendor-unreachable');
    assert.doesNotMatch(server.log(), /Traceback/);
  });

  test(
    `the server in ${language} never prints the API key, also if the vendor repeats it`,
    { timeout: 60_000 },
    async (t) => {
      const vendor = await startVendor(t);
      // Where a message is printed as JSON, quotes, backslashes and slashes stand behind a backslash.
      vendor.apiKey = 'se"cret\\of/ours';
      const server = await start(t, language, vendor, { TOP_UP: '0' });
      if (!server) return;
      const sentence = `No access for ${vendor.apiKey}.`;
      const messages = [sentence, { text: sentence }, JSON.stringify({ text: sentence })];
      for (const path of ['hotline/getAll', 'hotline/member/add']) {
        for (const message of messages) {
          vendor.respond = (asked) => (asked === path ? { error: 401, message } : undefined);
          assert.doesNotMatch(JSON.stringify(await server.ask()), /ours/, path);
        }
      }
      assert.equal(server.log().match(/No access for \(key\)\./g)?.length, 6, server.log());
      assert.doesNotMatch(server.log(), /ours/);
    },
  );
}

for (const language of LANGUAGES) {
  test(
    `if the vendor redirects, the server in ${language} sends the API key nowhere else`,
    { timeout: 60_000 },
    async (t) => {
      const vendor = await startVendor(t);
      const server = await start(t, language, vendor, { TOP_UP: '0' });
      if (!server) return;
      const sent: unknown[] = [];
      const elsewhere = createServer(({ headers, url }, response) => {
        sent.push([url, headers['x-api-key']]);
        response.end(JSON.stringify({ error: 0, data: 'a.b.c' }));
      });
      const Location = `http://127.0.0.1:${await listen(t, elsewhere)}/v3.0/api/`;
      for (const path of ['hotline/getAll', 'sdk/tokenSdk', 'member/getByMemberNo']) {
        for (const status of [301, 302, 303, 307, 308]) {
          const redirect: Reply = (response) => response.writeHead(status, { Location }).end();
          vendor.respond = (asked) => (asked === path ? redirect : undefined);
          assert.equal((await server.ask())['code'], 'vendor-unreachable', `${path}: ${status}`);
        }
      }
      assert.deepEqual(sent, []);
    },
  );
}

test('the server in Python refuses a negative Content-Length at once', { timeout: 20_000 }, async (t) => {
  const server = await start(t, 'Python', await startVendor(t));
  if (!server) return;
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  t.after(() => socket.destroy());
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n');
  const [response] = (await once(socket, 'data')) as [Buffer];
  assert.match(String(response), /^HTTP\/1\.0 400/);
});

/**
 * What Python prints before it serves; undefined: it is not installed, and the test is skipped.
 *
 * @param timeout of a server that does not end by itself, in milliseconds
 */
function startPython(t: TestContext, more: Environment, timeout: number): string | undefined {
  const env = { ...process.env, VENDOR_API_KEY: 'key', ...more };
  const { error, stderr } = spawnSync('python3', [PYTHON], { env, timeout });
  if ((error as NodeJS.ErrnoException | undefined)?.code !== 'ENOENT') return String(stderr);
  t.skip('There is no python3.');
  return undefined;
}

test('the server in Python treats an empty PORT as not set', (t) => {
  // Whether 8080 is free is another matter.
  assert.doesNotMatch(startPython(t, { PORT: '' }, 1500) ?? '', /ValueError/);
});

for (const language of ['Python', 'PHP']) {
  test(`the server in ${language} takes settings with a line end or a slash at the end`, async (t) => {
    const vendor = await startVendor(t);
    const sloppy = { VENDOR_BASE_URL: `${vendor.url}/\r`, VENDOR_API_KEY: 'key\r', HOTLINE_CODE: 'HL\r' };
    const server = await start(t, language, vendor, sloppy);
    if (!server) return;
    const { token, hotlines } = await server.ask();
    assert.deepEqual([token, hotlines], ['a.b.c', TOLD], server.log());
    assert.doesNotMatch(server.log(), /key/);
  });
}

test('the server in Python never prints the API key: it refuses one with a line end inside', async (t) => {
  for (const VENDOR_API_KEY of ['topsecret\nkey', 'topsecret\rkey', 'topsécret key', '\r', '']) {
    const printed = startPython(t, { VENDOR_API_KEY, PORT: String(await freePort()) }, 30_000);
    assert.equal(printed, 'VENDOR_API_KEY must be ASCII without spaces and line ends\n');
  }
});

test('the links: status, a top-up and a hotline, each refused with a code that the dialer knows', async (t) => {
  const vendor = await startVendor(t);
  const { ask, url, paid } = (await start(t, 'Node', vendor))!;
  const links = (await ask())['links'];
  const ofMember = '?member=agent001';
  assert.deepEqual(links, { status: 'status', topUp: `top-up${ofMember}`, hotline: `hotline${ofMember}` });
  const member = vendor.members.get('agent001')!;
  assert.deepEqual([member.money, payments(vendor)], [1000, 1]);
  member.money = 0;
  assert.deepEqual((await ask('secret', 'status', 'GET'))['blockers'], ['insufficient-funds']);
  assert.deepEqual((await ask('secret', `top-up${ofMember}`))['code'], 'top-up-limit');
  const ofAnother = (await ask('secret', 'top-up?member=agent002')) as { code?: string; member?: object };
  assert.deepEqual(
    [ofAnother.code, ofAnother.member],
    [undefined, (await ask('secret', 'status', 'GET'))['member']],
  );
  assert.deepEqual((await ask('big', 'top-up'))['code'], 'top-up-limit', 'in capitals');
  assert.equal(payments(vendor), 1);
  assert.equal((await readdir(paid)).length, 1);

  vendor.list = (hotlines) => ({ hotlines });
  member.hotlines.clear();
  assert.deepEqual((await ask('secret', 'status', 'GET'))['blockers'], ['insufficient-funds', 'no-hotline']);
  assert.deepEqual((await ask('secret', 'hotline'))['blockers'], ['insufficient-funds']);
  vendor.hotlines = [SUPPORT, SALES];
  assert.deepEqual((await ask())['hotlines'], TOLD, 'the one the member has, not the first listed');

  assert.equal((await ask('secret', 'nowhere'))['status'], 404);
  assert.equal((await ask('secret', 'status'))['status'], 405);
  const body = new ReadableStream({
    start(controller) {
      for (let part = 0; part < 5; part += 1) controller.enqueue(new Uint8Array(1000));
      controller.close();
    },
  });
  const chunked = { method: 'POST', body, duplex: 'half', headers: { Authorization: 'Bearer secret' } };
  assert.equal((await fetch(url + 'session', chunked as RequestInit)).status, 413);
});

test("agent and log learn what became of a top-up that the agent's button asked for; the log names the record of a refused one", async (t) => {
  const vendor = await startVendor(t);
  const settings = { VENDOR_BASE_URL: vendor.url, VENDOR_API_KEY: 'key', AGENT_TOKENS: 'secret:agent001' };
  const log: string[] = [];
  const { handle } = createBackEnd(
    Settings.parse({ ...settings, PAID_DIR: await paidFolder(t) }),
    (line) => void log.push(line),
  );
  const port = await listen(
    t,
    createServer((...exchange) => void handle(...exchange)),
  );
  const pressTopUp = async () => {
    const headers = { Authorization: 'Bearer secret' };
    const response = await fetch(`http://127.0.0.1:${port}/dialer/top-up`, { method: 'POST', headers });
    return (await response.json()) as Record<string, unknown>;
  };
  const member = { money: -1000, hotlines: new Set<string>() };
  vendor.members.set('agent001', member);
  assert.equal((await pressTopUp())['code'], 'top-up-too-small');
  member.money = 0;
  vendor.respond = (path) => (path === 'account/balance' ? { error: 0, data: 999 } : undefined);
  assert.equal((await pressTopUp())['code'], 'top-up-admin-short');
  log.length = 0;
  vendor.respond = (path) => (path === 'member/addMoney' ? { error: 402, message: 'no funds' } : undefined);
  assert.equal((await pressTopUp())['code'], 'top-up-refused');
  const refused =
    /^agent001 4 top-up {4}refused: member\/addMoney: error 402, "no funds"\. Not paid\? Delete (.+)$/;
  const record = refused.exec(log[0] ?? '')?.[1] ?? assert.fail(`It does not name the record: ${log}`);
  await rm(record);
  vendor.respond = (path) => (path === 'member/addMoney' ? 'hang up' : undefined);
  await pressTopUp();
  assert.match(log[1] ?? '', /^agent001 4 top-up {4}in doubt, not sent again today: member\/addMoney: /);
  await rm(record);
  member.money = 0;
  vendor.respond = () => undefined;
  assert.deepEqual((await pressTopUp())['blockers'], []);
  assert.deepEqual(log.slice(2), ['agent001 4 top-up    1000 VND paid']);
});

test('two sign-ins at once pay once, and a client that hangs up does not stop the server', async (t) => {
  const vendor = await startVendor(t);
  const { ask, url, child } = (await start(t, 'Node', vendor))!;
  await Promise.all(['secret', 'big', 'secret', 'big'].map((token) => ask(token)));
  assert.deepEqual([payments(vendor), vendor.members.get('agent001')?.money], [1, 1000]);
  assert.deepEqual((await ask())['blockers'], []);
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write('POST /dialer/session HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nab');
  await delay(100);
  socket.destroy();
  assert.deepEqual((await ask())['blockers'], []);
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'exit'), [0, null]);
});

function withoutSecrets(exit: number, text: string) {
  assert.doesNotMatch(text, /\n\s+at |a\.b\.c/, 'neither a stack trace nor the token');
  return { exit, text };
}

/** `server.ts MEMBER_NO`, in a folder for payments that lasts as long as the test. */
async function commandLine(t: TestContext, vendor: Vendor) {
  const paid = await paidFolder(t);
  const settings = { VENDOR_BASE_URL: vendor.url, VENDOR_API_KEY: 'key', PAID_DIR: paid };
  /** In this process: a process of its own takes half a second to start. */
  const run = async (args: readonly string[], more: Environment = {}, daysLater = 0) => {
    let text = '';
    const write = (line: string) => void (text += `${line}\n`);
    const { now } = Date;
    const mocks = [
      t.mock.method(console, 'log', write),
      t.mock.method(console, 'error', write),
      t.mock.method(Date, 'now', () => now() + daysLater * 86_400_000),
    ];
    const exit = await runServer(args, { ...settings, ...more });
    for (const { mock } of mocks) mock.restore();
    return withoutSecrets(exit, text);
  };
  const runProcess = async (args: readonly string[], more: Environment = {}, file = SERVER) => {
    const env = { ...process.env, ...settings, ...more };
    const child = spawn(process.execPath, ['--import', 'tsx', file, ...args], { env, cwd: FOLDER });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (text += String(part)));
    const [exit] = (await once(child, 'close')) as [number];
    return withoutSecrets(exit, text);
  };
  return { run, runProcess, paid };
}

test('the command prints the steps for a new member and for an old one', async (t) => {
  const vendor = await startVendor(t);
  const { run, runProcess, paid } = await commandLine(t, vendor);
  assert.deepEqual(await runProcess(['agent001'], { TZ: 'America/Los_Angeles' }), {
    exit: 0,
    text: [
      '1 hotlines  1 listed, 842899990001 is used',
      '2 token     issued',
      '3 member    0 VND',
      '4 hotline   842899990001 assigned',
      '4 top-up    1000 VND paid',
      'can call\n',
    ].join('\n'),
  });
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Ho_Chi_Minh' }).format();
  assert.deepEqual(await readdir(paid), [`${today}-agent001`]);
  vendor.respond = (path) => (path === 'hotline/member/add' ? { error: 409 } : undefined);
  const old = await run(['agent001']);
  assert.match(
    old.text,
    /3 member {4}1000 VND\n4 hotline {3}already assigned\n4 top-up {4}the balance is above 0\ncan call/,
  );
  assert.equal(payments(vendor), 1);
});

test('a member is paid once a day, also when the answer is lost or the payment is refused', async (t) => {
  const vendor = await startVendor(t);
  const { run, runProcess } = await commandLine(t, vendor);
  vendor.respond = (path) => (path === 'member/addMoney' ? 'hang up' : undefined);
  const lost = await run(['agent001']);
  assert.match(lost.text, /4 top-up {4}in doubt, not sent again today: member\/addMoney: .+\ncan call/);
  const member = vendor.members.get('agent001')!;
  member.money = 0;
  const again = await runProcess(['AGENT001']);
  assert.deepEqual([again.exit, payments(vendor)], [3, 1], again.text);
  assert.match(again.text, /is used up\ncannot call: insufficient-funds/);
  vendor.respond = (path) => (path === 'member/addMoney' ? { error: 402, message: 'no funds' } : undefined);
  const refused = await run(['agent001'], {}, 1);
  const record = /refused: member\/addMoney: error 402, "no funds"\. Not paid\? Delete (.+)/.exec(
    refused.text,
  )?.[1];
  assert.deepEqual([refused.exit, payments(vendor)], [3, 2]);
  vendor.respond = () => undefined;
  assert.deepEqual([(await run(['agent001'], {}, 1)).exit, payments(vendor)], [3, 2]);
  await rm(record ?? '');
  assert.deepEqual([(await run(['agent001'], {}, 1)).exit, payments(vendor)], [0, 3]);
  member.money = 0;
  assert.deepEqual([(await run(['agent001'], {}, 2)).exit, payments(vendor)], [0, 4]);
});

const REFUSED = [-1, 401, 402, 403, 404];
for (const [http, codes, said] of [
  [200, REFUSED, 'refused'],
  [403, REFUSED, 'refused'],
  [200, [500, 5, 400, 409, -2], 'in doubt, not sent again today'],
  [500, REFUSED, 'in doubt, not sent again today'],
] as const) {
  test(`a payment that the vendor answers with HTTP ${http} and error ${codes.join(', ')} is ${said}`, async (t) => {
    const vendor = await startVendor(t);
    const { run } = await commandLine(t, vendor);
    let day = 0;
    const reply: Reply = (response) =>
      response.writeHead(http).end(JSON.stringify({ error: codes[day], message: 'no' }));
    vendor.respond = (path) => (path === 'member/addMoney' ? reply : undefined);
    for (; day < codes.length; day += 1) {
      const { exit, text } = await run(['agent001'], {}, day);
      assert.match(text, new RegExp(`4 top-up {4}${said}: member/addMoney: error ${codes[day]}, `));
      assert.deepEqual([exit, payments(vendor)], [3, day + 1]);
    }
  });
}

test('a member who signs in twice at midnight in Vietnam is paid once: a balance read yesterday pays nobody today', async (t) => {
  const vendor = await startVendor(t);
  const { run, paid } = await commandLine(t, vendor);
  const [lastSecond, midnight] = ['2026-11-30T23:59:59+07:00', '2026-12-01T00:00:00+07:00'].map(Date.parse);
  let now = lastSecond;
  t.mock.method(Date, 'now', () => now);
  assert.equal((await run(['agent001'])).exit, 0);
  // The second sign-in has read the balance before the first one pays, and goes on after midnight.
  vendor.respond = (path, { member_no }) => {
    if (path === 'account/balance') now = midnight;
    return path === 'member/getByMemberNo' ? { error: 0, data: { member_no, member_money: 0 } } : undefined;
  };
  // For agent002, the first one pays after midnight: there is no record of yesterday.
  for (const memberNo of ['agent001', 'agent002']) {
    now = lastSecond;
    const { exit, text } = await run([memberNo]);
    assert.deepEqual([exit, payments(vendor), await readdir(paid)], [3, 1, ['2026-11-30-agent001']], text);
    assert.match(text, /4 top-up {4}not paid: the day has ended since the balance was read\n/);
  }
  vendor.respond = () => undefined;
  assert.deepEqual([(await run(['agent002'])).exit, payments(vendor)], [0, 2], 'the next sign-in pays');
  assert.deepEqual(await readdir(paid), ['2026-11-30-agent001', '2026-12-01-agent002']);
});

test('a partner account that is short does not use up the day of a member', async (t) => {
  const vendor = await startVendor(t);
  const { run } = await commandLine(t, vendor);
  vendor.respond = (path) => (path === 'account/balance' ? { error: 0, data: 999.5 } : undefined);
  const short = await run(['agent001']);
  assert.match(short.text, /4 top-up {4}not paid: the partner account has only 999\.5 VND\n/);
  assert.deepEqual([short.exit, payments(vendor)], [3, 0]);
  vendor.respond = (path) => (path === 'account/balance' ? { error: 0, data: 1000 } : undefined);
  assert.deepEqual([(await run(['agent001'])).exit, payments(vendor)], [0, 1]);
});

test('nothing is paid without a note, without a hotline, for a debt beyond the amount, or with TOP_UP=0', async (t) => {
  const vendor = await startVendor(t);
  const { run, paid } = await commandLine(t, vendor);
  vendor.members.set('agent001', { money: -1000, hotlines: new Set() });
  assert.equal((await run(['agent001'])).exit, 3);
  vendor.members.set('agent001', { money: 0, hotlines: new Set() });
  assert.match(
    (await run(['agent001'], { TOP_UP: '0' })).text,
    /TOP_UP is 0\ncannot call: insufficient-funds/,
  );
  await writeFile(`${paid}-file`, '');
  assert.match((await run(['agent001'], { PAID_DIR: `${paid}-file` })).text, /4 top-up {4}not paid: E/);
  assert.equal((await run(['agent001'], { HOTLINE_CODE: 'unknown' })).exit, 3);
  for (const answer of [{ error: 422, message: 'inactive' }, {}, 'hang up'] as const) {
    vendor.respond = (path) => (path === 'hotline/member/add' ? answer : undefined);
    const { exit, text } = await run(['agent001']);
    assert.equal(exit, 3);
    assert.match(
      text,
      /4 hotline {3}not assigned: .*\n4 top-up {4}not paid: no hotline\ncannot call: insufficient-funds, no-hotline/,
    );
  }
  vendor.respond = () => undefined;
  vendor.hotlines = [];
  assert.equal((await run(['agent001'])).exit, 3);
  for (const member_money of ['', '0', [], false, null]) {
    vendor.respond = (path, { member_no }) =>
      path === 'member/getByMemberNo' ? { error: 0, data: { member_no, member_money } } : undefined;
    assert.equal((await run(['agent001'])).exit, 4, JSON.stringify(member_money));
  }
  assert.equal(payments(vendor), 0);
});

test('whatever folder it runs in and however its settings end, it records payments in the same one', async (t) => {
  const { url } = await startVendor(t);
  const settings = { VENDOR_BASE_URL: url, VENDOR_API_KEY: 'key' };
  const folderOf = (PAID_DIR: string) => Settings.parse({ ...settings, PAID_DIR }).PAID_DIR;
  assert.deepEqual(['paid', '/srv/paid', '/srv/paid\r'].map(folderOf), [
    join(FOLDER, 'paid'),
    '/srv/paid',
    '/srv/paid',
  ]);
});

test('bad input is 2, a wrong setting 78, a vendor that is away or refuses 4', async (t) => {
  const vendor = await startVendor(t);
  const { run, runProcess, paid } = await commandLine(t, vendor);
  assert.equal((await runProcess(['agent_001'])).exit, 2);
  for (const args of [['a b'], [''], ['agent001', 'agent002'], ['--help']]) {
    assert.equal((await run(args)).exit, 2, args.join());
  }
  for (const [name, value] of [
    ['VENDOR_BASE_URL', 'http://vendor.example/v3.0'],
    ['VENDOR_BASE_URL', ''],
    ['VENDOR_API_KEY', ''],
    ['VENDOR_API_KEY', 'topsecret\nkey'],
    ['TOP_UP', 'much'],
    ['TOP_UP', '-1'],
    ['TOP_UP', '1.000'],
    ['TOP_UP', '1e6'],
    ['TOP_UP', ' '],
  ] as const) {
    const { exit, text } = await run(['agent001'], { [name]: value });
    assert.equal(exit, 78, `${name}=${value}`);
    assert.match(text, new RegExp(name));
    assert.doesNotMatch(text, /topsecret/);
  }
  assert.equal(vendor.asked.length, 0);
  const taken = await listen(t, createServer());
  const occupied = await runProcess([], { PORT: String(taken) });
  assert.equal(occupied.exit, 78);
  assert.equal(occupied.text, `PORT: address already in use 127.0.0.1:${taken}\n`);
  assert.equal(
    (await run(['agent001'], { VENDOR_BASE_URL: `http://127.0.0.1:${await freePort()}` })).exit,
    4,
  );
  vendor.respond = () => ({ error: 403, message: 'not my key' });
  assert.match((await run(['agent001'])).text, /hotline\/getAll: error 403, "not my \(key\)"/);
  const link = `${paid}-link.ts`;
  await symlink(SERVER, link);
  assert.equal((await runProcess(['agent001'], {}, link)).exit, 4, 'through a symbolic link');
});
