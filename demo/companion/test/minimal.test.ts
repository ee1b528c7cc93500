/** The minimal brokers and the whole flow in one file, against a small vendor; PHP and Python where they are installed. */
import assert from 'node:assert/strict';
import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort, startServer } from './free-port.ts';

const FOLDER = fileURLToPath(new URL('../minimal/', import.meta.url));
const BROKERS: Readonly<Record<string, (port: number) => readonly [string, ...string[]]>> = {
  Node: () => [process.execPath, `${FOLDER}broker.mjs`],
  Python: () => ['python3', `${FOLDER}broker.py`],
  PHP: (port) => ['php', '-S', `127.0.0.1:${port}`, `${FOLDER}broker.php`],
};

interface Member {
  money: number;
  readonly hotlines: Set<string>;
}
interface Vendor {
  readonly url: string;
  readonly members: Map<string, Member>;
  hotlines: object[];
  /** Sees each request, and may respond in place of the vendor. */
  respond: (path: string, body: Readonly<Record<string, unknown>>) => object | 'hang up' | undefined;
  readonly asked: string[];
}

const SALES = {
  hotline_name: 'Sales',
  hotline_number: '842899990001',
  hotline_code: 'HL',
  hotline_type: 'HOTLINE',
};

async function startVendor(t: TestContext): Promise<Vendor> {
  const members = new Map<string, Member>();
  const answer = (path: string, body: Readonly<Record<string, unknown>>): object => {
    // Whether capitals make another member is not documented; here they do not.
    const memberNo = String(body['member_no']).toLowerCase();
    const member = members.get(memberNo);
    if (path === 'hotline/getAll') return { error: 0, data: vendor.hotlines };
    if (path === 'sdk/tokenSdk') {
      if (!member) members.set(memberNo, { money: 0, hotlines: new Set() });
      return { error: 0, data: 'a.b.c' };
    }
    if (!member) return { error: 1, message: 'unknown member' };
    if (path === 'member/addMoney') member.money += Number(body['money']);
    if (path === 'hotline/member/add') member.hotlines.add(String(body['hotline_number']));
    return { error: 0, data: { member_no: memberNo, member_name: 'An', member_money: member.money } };
  };
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', 'http://vendor.invalid');
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const path = url.pathname.replace('/v3.0/api/', '');
    const body = { ...Object.fromEntries(url.searchParams), ...(JSON.parse(text || '{}') as object) };
    vendor.asked.push(path);
    const instead = vendor.respond(path, body);
    if (instead === 'hang up') {
      answer(path, body);
      return request.socket.destroy();
    }
    return response.end(JSON.stringify(instead ?? answer(path, body)));
  });
  const vendor: Vendor = {
    url: `${await startServer(server, t)}/v3.0`,
    members,
    hotlines: [SALES],
    respond: () => undefined,
    asked: [],
  };
  return vendor;
}

/** Without its interpreter a test is skipped, in CI it fails. */
function isMissing(t: TestContext, program: string): boolean {
  if (!spawnSync(program, ['--version']).error) return false;
  const sentence = `There is no ${program}: apt-get install php-cli python3, as root.`;
  assert.ok(!process.env['CI'], sentence);
  t.skip(sentence);
  return true;
}

for (const [language, command] of Object.entries(BROKERS)) {
  test(
    `the broker in ${language} makes a member able to call, and says what is missing`,
    { timeout: 60_000 },
    async (t) => {
      const port = await freePort();
      const [program, ...args] = command(port);
      if (isMissing(t, program)) return;
      const vendor = await startVendor(t);
      const env = {
        VENDOR_BASE_URL: vendor.url,
        VENDOR_API_KEY: 'key',
        AGENT_TOKENS: 'secret:agent001 other:agent002',
      };
      const child = spawn(program, args, {
        env: { ...process.env, ...env, PORT: String(port) },
        stdio: 'ignore',
      });
      t.after(() => child.kill('SIGKILL'));
      const url = `http://127.0.0.1:${port}/session`;
      while (!(await fetch(url).catch(() => undefined))) await delay(50);
      const ask = async (token = 'secret'): Promise<Record<string, unknown>> => {
        const response = await fetch(url, { method: 'POST', headers: { Authorization: `Bearer ${token}` } });
        const answer = (await response.json()) as Record<string, unknown>;
        return { ...answer, status: response.status };
      };

      assert.equal((await ask('wrong'))['code'], 'broker-unauthorized');
      for (const Authorization of ['secret', 'Basic secret', 'Bearersecret', 'Bearer', 'Bearer  secret']) {
        const response = await fetch(url, { method: 'POST', headers: { Authorization } });
        assert.equal(response.status, 401, Authorization);
      }
      const without = await ask();
      assert.equal(without['token'], 'a.b.c');
      assert.deepEqual(without['blockers'], ['insufficient-funds']);
      assert.deepEqual(without['hotlines'], [
        { name: 'Sales', number: '842899990001', code: 'HL', type: 'HOTLINE' },
      ]);
      const member = vendor.members.get('agent001');
      assert.deepEqual([...(member?.hotlines ?? [])], ['842899990001']);
      assert.equal(vendor.asked.includes('member/addMoney'), false);

      if (member) member.money = 500;
      assert.deepEqual((await ask())['blockers'], []);
      for (const member_money of [null, '', 'much', '500.000', '500.000 ₫', [], false]) {
        vendor.respond = (path) =>
          path === 'member/getByMemberNo'
            ? { error: 0, data: { member_name: 'An', member_money } }
            : undefined;
        const { status, blockers } = await ask();
        assert.deepEqual([status, blockers], [503, undefined], `an unreadable balance: ${member_money}`);
      }
      vendor.respond = () => undefined;
      vendor.respond = (path) =>
        path === 'hotline/member/add' ? { error: 409, message: 'exists' } : undefined;
      assert.deepEqual((await ask('other'))['blockers'], ['insufficient-funds']);
      vendor.hotlines = [];
      assert.deepEqual((await ask())['blockers'], ['no-hotline']);
      vendor.respond = () => ({ error: 401, message: 'no access' });
      assert.deepEqual([(await ask()).status, (await ask())['code']], [503, 'vendor-unreachable']);
    },
  );
}

for (const [language, command] of Object.entries(BROKERS)) {
  test(`the broker in ${language} logs no token of an answer that it does not understand`, async (t) => {
    const port = await freePort();
    const [program, ...args] = command(port);
    if (isMissing(t, program)) return;
    const vendor = await startVendor(t);
    vendor.respond = (path) =>
      path === 'sdk/tokenSdk' ? { error: '0', message: 'fine', data: 'eyJ.secret.token' } : undefined;
    const env = { VENDOR_BASE_URL: vendor.url, VENDOR_API_KEY: 'key', AGENT_TOKENS: 'secret:agent001' };
    const child = spawn(program, args, { env: { ...process.env, ...env, PORT: String(port) } });
    t.after(() => child.kill('SIGKILL'));
    let log = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (log += String(part)));
    const url = `http://127.0.0.1:${port}/`;
    while (!(await fetch(url).catch(() => undefined))) await delay(50);
    const response = await fetch(url, { method: 'POST', headers: { Authorization: 'Bearer secret' } });
    assert.equal(response.status, 503);
    while (!log.includes('sdk/tokenSdk')) await delay(20);
    assert.doesNotMatch(log, /eyJ/);
  });
}

test(
  'the broker in Python refuses a negative length, and is not held up by it',
  { timeout: 20_000 },
  async (t) => {
    const port = await freePort();
    if (isMissing(t, 'python3')) return;
    const child = spawn('python3', ['-O', `${FOLDER}broker.py`], {
      env: { ...process.env, PORT: String(port) },
      stdio: 'ignore',
    });
    t.after(() => child.kill('SIGKILL'));
    while (!(await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined))) await delay(50);
    const socket = connect(port, '127.0.0.1');
    t.after(() => socket.destroy());
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n');
    const [response] = (await once(socket, 'data')) as [Buffer];
    assert.match(String(response), /^HTTP\/1\.0 400/);
  },
);

test(
  'an answer without success is no token, with Python’s assertions off, too',
  { timeout: 20_000 },
  async (t) => {
    const port = await freePort();
    if (isMissing(t, 'python3')) return;
    const vendor = await startVendor(t);
    vendor.respond = (path) => (path === 'sdk/tokenSdk' ? { error: 7, data: 'not.a.token' } : undefined);
    const env = {
      VENDOR_BASE_URL: vendor.url,
      VENDOR_API_KEY: 'key',
      AGENT_TOKENS: 'secret:agent001',
      PORT: String(port),
    };
    const child = spawn('python3', ['-O', `${FOLDER}broker.py`], {
      env: { ...process.env, ...env },
      stdio: 'ignore',
    });
    t.after(() => child.kill('SIGKILL'));
    const url = `http://127.0.0.1:${port}/`;
    while (!(await fetch(url).catch(() => undefined))) await delay(50);
    const response = await fetch(url, { method: 'POST', headers: { Authorization: 'Bearer secret' } });
    assert.equal(response.status, 503);
  },
);

async function provision(t: TestContext, vendor: Vendor) {
  const folder = await mkdtemp(join(tmpdir(), 'minimal-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const env = {
    ...process.env,
    VENDOR_BASE_URL: vendor.url,
    VENDOR_API_KEY: 'key',
    PAID_DIR: join(folder, 'paid'),
  };
  const run = (memberNo: string) =>
    new Promise<{ exit: unknown; text: string }>((resolve) => {
      execFile(process.execPath, [`${FOLDER}provision.mjs`, memberNo], { env }, (error, out, err) =>
        resolve({ exit: error?.code ?? 0, text: out + err }),
      );
    });
  return { run, claims: () => readdir(join(folder, 'paid')) };
}

test('the flow in one file makes a new member able to call, with one top-up', async (t) => {
  const vendor = await startVendor(t);
  const { run, claims } = await provision(t, vendor);
  const { exit, text } = await run('agent001');
  assert.equal(exit, 0, text);
  assert.deepEqual(vendor.members.get('agent001'), { money: 1000, hotlines: new Set(['842899990001']) });
  assert.doesNotMatch(text, /a\.b\.c/, 'the token is not printed');
  assert.equal((await claims()).length, 1);
  assert.equal((await run('agent_001')).exit, 2);
});

test('eight at once, and an answer that is lost: never more than one top-up a day', async (t) => {
  const vendor = await startVendor(t);
  const { run } = await provision(t, vendor);
  vendor.respond = (path) => (path === 'member/addMoney' ? 'hang up' : undefined);
  await Promise.all(Array.from({ length: 8 }, (_, index) => run(index % 2 ? 'agent001' : 'AGENT001')));
  assert.equal(vendor.members.get('agent001')?.money, 1000);
  // Spent meanwhile: the day is used up all the same.
  const member = vendor.members.get('agent001');
  if (member) member.money = 0;
  const again = await run('agent001');
  assert.deepEqual([again.exit, vendor.asked.filter((path) => path === 'member/addMoney').length], [3, 1]);
});

test('nothing is paid without a hotline, for a debt that one top-up does not cover, or for a balance that cannot be read', async (t) => {
  const vendor = await startVendor(t);
  const { run } = await provision(t, vendor);
  vendor.members.set('agent001', { money: -5000, hotlines: new Set() });
  assert.equal((await run('agent001')).exit, 3);
  vendor.members.set('agent001', { money: Number.NaN, hotlines: new Set() });
  assert.equal((await run('agent001')).exit, 1);
  for (const member_money of ['', [], false, null, '500.000', '0.000']) {
    vendor.respond = (path) =>
      path === 'member/getByMemberNo' ? { error: 0, data: { member_money } } : undefined;
    assert.equal((await run('agent001')).exit, 1, JSON.stringify(member_money));
  }
  vendor.respond = () => undefined;
  vendor.hotlines = [];
  vendor.members.set('agent001', { money: 0, hotlines: new Set() });
  assert.equal((await run('agent001')).exit, 1);
  assert.equal(vendor.asked.includes('member/addMoney'), false);
});

test('nothing is paid where the hotline is refused, by whatever response', async (t) => {
  const vendor = await startVendor(t);
  const { run } = await provision(t, vendor);
  for (const answer of [{ error: 422, message: 'Hotline is inactive' }, {}, 'hang up'] as const) {
    vendor.respond = (path) => (path === 'hotline/member/add' ? answer : undefined);
    assert.equal((await run('agent001')).exit, 3);
  }
  assert.equal(vendor.asked.includes('member/addMoney'), false);
});

test('started from two folders, the flow in one file pays once a day all the same', async (t) => {
  const vendor = await startVendor(t);
  const folder = await mkdtemp(join(tmpdir(), 'minimal-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await copyFile(`${FOLDER}provision.mjs`, join(folder, 'provision.mjs'));
  const env = { ...process.env, VENDOR_BASE_URL: vendor.url, VENDOR_API_KEY: 'key' };
  for (const cwd of [folder, tmpdir()]) {
    const child = spawn(process.execPath, [join(folder, 'provision.mjs'), 'agent001'], { cwd, env });
    await once(child, 'close');
    vendor.members.get('agent001')!.money = 0;
  }
  assert.equal(vendor.asked.filter((path) => path === 'member/addMoney').length, 1);
});
