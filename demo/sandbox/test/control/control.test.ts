/** The switches of the sandbox: what they change, and who may use them. */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createControl } from '../../control/control.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { createSandbox } from '../../sandbox.ts';
import { faultSchema } from '../../world/fault-plan.ts';
import { DEFAULT_SETTINGS } from '../../world/settings.ts';
import { makeFolder, postJson, startSandbox } from '../servers.ts';

test('a browser reads the manual, which names every switch, setting and kind of fault; a program gets what is in force', async (t) => {
  const { origin, world } = await startSandbox(t);
  const page = await fetch(`${origin}/sandbox`, { headers: { Accept: 'text/html' } });
  const manual = await page.text();
  const { routes } = createControl(world, {} as Exchange);
  const switches = routes.filter(({ method, path }) => method !== 'ALL' && path !== '/');
  const names = [
    ...switches.map(({ method, path }) => `${method} /sandbox${path}`),
    ...Object.keys(DEFAULT_SETTINGS),
    ...faultSchema.shape.kind.options,
  ];
  assert.ok(switches.length > 15);
  for (const name of names) assert.ok(manual.includes(`<code>${name}</code>`), name);
  const inForce = (await (await fetch(`${origin}/sandbox`)).json()) as Record<string, unknown>;
  assert.equal(inForce['sandbox'], 'partner-dialer');
  assert.deepEqual(inForce['settings'], DEFAULT_SETTINGS);
});

test('a member gets the balance, the hotlines and the name asked for, and exists from then on', async (t) => {
  const { origin, world } = await startSandbox(t);
  const answer = await postJson(`${origin}/sandbox/members/agent001`, {
    balance: -12.5,
    hotlines: ['842899990002'],
    name: 'An',
  });
  const member = (await answer.json()) as Record<string, unknown>;
  assert.equal(member['balance'], -12.5);
  assert.equal('sipPassword' in member, false);
  assert.equal(world.members.get('agent001')?.assignments[0]?.number, '842899990002');
});

test('a hotline can be switched off without leaving the list', async (t) => {
  const { origin, world } = await startSandbox(t);
  await postJson(`${origin}/sandbox/hotlines`, { active: { '842899990001': false } });
  assert.deepEqual(
    world.hotlines.map(({ active }) => active),
    [false, true, true],
  );
});

test('pages of other sites cannot use the switches', async (t) => {
  const { origin, world } = await startSandbox(t);
  const url = `${origin}/sandbox/members/agent001`;
  const foreign = [
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
  ];
  for (const headers of foreign) {
    assert.equal((await postJson(url, { balance: 1 }, headers)).status, 403, JSON.stringify(headers));
  }
  const form = await fetch(url, {
    method: 'POST',
    body: '{"balance":1}',
    headers: { 'Content-Type': 'text/plain' },
  });
  assert.equal(form.status, 415);
  assert.equal(world.members.size, 0);
  assert.equal((await postJson(url, { balance: 1 }, { Origin: origin })).status, 200);
});

test('what is not understood is refused and changes nothing', async (t) => {
  const { origin, world } = await startSandbox(t);
  const bad: [string, unknown][] = [
    ['members/agent_001', {}],
    ['members/agent001', { ballance: 1 }],
    ['members/agent001', { balance: '1' }],
    ['faults', { place: '/api/sdk/info', kind: 'explode' }],
    ['faults', { place: '/api/sdk/info', kind: 'drop', times: 0 }],
    ['settings', { hotlineList: 'everywhere' }],
    ['settings', { registerExpires: -1 }],
    ['settings', { answerAfter: 60_001 }],
    ['settings', { hotlinelist: 'absent' }],
    ['calls', { memberNo: 'agent001', from: 'mum' }],
  ];
  for (const [path, body] of bad) {
    assert.equal((await postJson(`${origin}/sandbox/${path}`, body)).status, 400, path);
  }
  assert.equal(world.members.size + world.faults.size, 0);
});

test('nobody can be called who has no dialer open', async (t) => {
  const { origin } = await startSandbox(t);
  const answer = await postJson(`${origin}/sandbox/calls`, { memberNo: 'agent001', from: '0912345678' });
  assert.equal(answer.status, 409);
});

test('a call that rings nowhere cannot be answered elsewhere, and an exchange without dialers has no history', async (t) => {
  const { origin } = await startSandbox(t);
  assert.equal((await postJson(`${origin}/sandbox/calls/none/answer-elsewhere`, {})).status, 404);
  const history = await fetch(`${origin}/sandbox/registrations/history`);
  assert.deepEqual(await history.json(), []);
});

test('a setting keeps the others as they are', async (t) => {
  const { origin, world } = await startSandbox(t);
  await postJson(`${origin}/sandbox/settings`, { hotlineList: 'hotlines' });
  await postJson(`${origin}/sandbox/settings`, { answerAfter: 10 });
  assert.deepEqual(world.settings, { ...DEFAULT_SETTINGS, hotlineList: 'hotlines', answerAfter: 10 });
});

test('every top-up is on record, refused ones included', async (t) => {
  const { origin, baseUrl, world } = await startSandbox(t);
  await postJson(`${origin}/sandbox/members/agent001`, {});
  const pay = (money: number) =>
    postJson(
      `${baseUrl}/api/member/addMoney`,
      { member_no: 'agent001', money },
      { 'X-API-Key': 'sandbox-api-key' },
    );
  await pay(1000);
  world.setAdminBalance(0);
  await pay(2000);
  const topUps = (await (await fetch(`${origin}/sandbox/top-ups`)).json()) as Record<string, unknown>[];
  assert.deepEqual(
    topUps.map(({ money, before, after, error }) => [money, before, after, error]),
    [
      [1000, 0, 1000, 0],
      [2000, 1000, 1000, 402],
    ],
  );
});

test('a reset forgets everything', async (t) => {
  const { origin, world } = await startSandbox(t);
  await postJson(`${origin}/sandbox/members/agent001`, { balance: 5 });
  await postJson(`${origin}/sandbox/settings`, { hotlineList: 'hotlines', adminBalance: 1 });
  await postJson(`${origin}/sandbox/faults`, { place: 'script', kind: 'drop' });
  await postJson(`${origin}/sandbox/reset`, {});
  assert.equal(world.members.size + world.faults.size, 0);
  assert.deepEqual(world.settings, DEFAULT_SETTINGS);
  assert.equal(world.adminBalance, 5_000_000);
});

test('a second run sees what the first one did', async (t) => {
  const stateFile = join(await makeFolder(t), 'deep', 'state.json');
  const first = createSandbox({ stateFile });
  first.world.setBalance(first.world.createMember('agent001', ['HL_SALES']), 700);
  await first.close();
  const second = createSandbox({ stateFile });
  t.after(() => second.close());
  assert.equal(second.world.members.get('agent001')?.balance, 700);
  assert.equal(second.world.members.get('agent001')?.assignments.length, 1);
});

test('a state file that cannot be parsed: the sandbox starts empty, and writes a new one', async (t) => {
  const stateFile = join(await makeFolder(t), 'state.json');
  await writeFile(stateFile, '{"members":[{}]}');
  t.mock.method(console, 'warn', () => undefined);
  const sandbox = createSandbox({ stateFile });
  sandbox.world.createMember('agent001', []);
  await sandbox.close();
  assert.match(await readFile(stateFile, 'utf8'), /agent001/);
});
