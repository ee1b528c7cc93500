/** The operator's page, whatever the vendor and the ledger have to say. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  dayOf,
  type Movement,
  type MovementState,
  type OpenMovement,
} from '../../../../demo/server/money/movement.ts';
import { createOperatorRoutes, type OperatorParts } from '../../../../demo/server/operations/operator.ts';
import { Telemetry } from '../../../../demo/server/operations/telemetry.ts';

const RULES = { mode: 'auto', amount: 1000, dailyLimitPerMember: 1000, dailyLimit: 9000 } as const;
const AT = Date.UTC(2026, 10, 21, 18, 43, 51);

function movement(memberNo: string, state: MovementState, more: Partial<Movement> = {}): Movement {
  return {
    id: memberNo,
    memberNo,
    amount: 1000,
    reason: 'session',
    day: dayOf(Date.now()),
    state,
    before: 0,
    after: null,
    note: null,
    seenAt: null,
    isBeyondLimits: false,
    claimedAt: AT,
    changedAt: AT,
    ...more,
  };
}

const open = (memberNo: string, state: MovementState, overdue = -1000): OpenMovement => ({
  ...movement(memberNo, state),
  age: 0,
  overdue,
});

interface Scene {
  readonly balance?: number | Error;
  readonly movements?: readonly Movement[];
  readonly open?: readonly OpenMovement[] | Error;
}

async function give<T>(value: T | Error): Promise<T> {
  if (value instanceof Error) throw value;
  return value;
}

function ledgerOf(
  movements: readonly Movement[],
  opened: OperatorParts['money']['ledger']['open'],
): OperatorParts['money']['ledger'] {
  const of = (day: string) => movements.filter((one) => one.day === day);
  return {
    open: opened,
    page: async (day, size, page) =>
      of(day)
        .toReversed()
        .slice(page * size, (page + 1) * size),
    totals: async (day) => of(day).map(({ state, amount }) => ({ state, amount, count: 1 })),
    abandoned: async (since) => movements.filter(({ state, day }) => state === 'abandoned' && day >= since),
  };
}

async function visit({ balance = 12_500, movements = [], open: opened = [] }: Scene, path = '/operator') {
  const app = createOperatorRoutes(
    { operatorPassword: undefined, vendor: undefined, topUp: RULES, proxyHops: 0 },
    {
      dependencies: { vendor: { adminBalance: () => give(balance) } },
      money: { ledger: ledgerOf(movements, () => give(opened)) },
      limits: { guess: async () => undefined },
      telemetry: new Telemetry({ logLevel: 'silent', proxyHops: 0 }),
    },
  );
  const answer = await app.request(path, {}, { incoming: { headers: {} } });
  const page = await answer.text();
  // As it is read: without markup, with every blank an ordinary one.
  const text = page
    .replaceAll(/<style>.*?<\/style>|<[^>]*>/gs, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll('&#39;', "'");
  return { status: answer.status, page, text };
}

test('an operator reads money, states and times as people in Vietnam do', async () => {
  const { text, status } = await visit({
    movements: [
      movement('agent001', 'settled', { after: 1000.5, reason: 'agent' }),
      movement('agent002', 'failed', { note: 'the vendor refused' }),
      movement('agent003', 'void'),
      movement('agent004', 'unknown'),
    ],
  });
  assert.equal(status, 200);
  assert.match(text, /Partner account 12\.500 ₫/);
  assert.match(text, /Topped up today 1\.000 ₫ 1 top-up /);
  // What was refused or not sent uses nothing; what is in doubt does.
  assert.match(text, /Used of today's limit 2\.000 ₫ of 9\.000 ₫/);
  assert.match(text, /01:43:51 agent001 1\.000 ₫ Paid The agent 0 ₫ 1\.000,5 ₫/);
  assert.match(text, /agent002 1\.000 ₫ Refused Sign-in 0 ₫ – the vendor refused/);
  assert.match(text, /agent003 1\.000 ₫ Not sent Sign-in/);
  assert.ok(text.indexOf('agent004') < text.indexOf('agent001'), 'the newest is on top');
});

test('an operator reads of every open movement what happens next, of any day', async () => {
  const { text } = await visit({
    open: [
      open('agent001', 'claimed'),
      open('agent002', 'sent'),
      open('agent003', 'unknown'),
      open('agent004', 'claimed', 1),
      open('agent005', 'sent', 1),
    ],
    movements: [movement('agent006', 'abandoned', { day: dayOf(Date.now() - 3 * 86_400_000) })],
  });
  const next = [
    'agent001 1.000 ₫ Reserved Sign-in Is being sent.',
    "agent002 1.000 ₫ Sent Sign-in Waits for the vendor's answer.",
    "agent003 1.000 ₫ In doubt Sign-in Counts as paid once the member's balance is seen to rise; given up at 22 Nov, 01:53.",
    'agent004 1.000 ₫ Reserved Sign-in Its companion ended before it was sent; will be released within a minute.',
    "agent005 1.000 ₫ Sent Sign-in Its companion ended without an answer; will be held against the member's balance",
    'agent006 1.000 ₫ Given up Sign-in A person has to ask the vendor whether it arrived.',
  ];
  for (const words of next) assert.ok(text.includes(words), `${words}\nis not in\n${text}`);
  assert.ok(text.indexOf('agent006') < text.indexOf('No top-ups yet.'), 'doubt comes first');
});

test('a quiet day says so', async () => {
  const { text, page } = await visit({});
  assert.match(text, /In doubt Nothing\./);
  assert.match(text, /Today No top-ups yet\./);
  assert.doesNotMatch(page, /<table/);
});

test('a partner account below one top-up is a warning', async () => {
  assert.match((await visit({ balance: 999 })).text, /999 ₫ Less than one top-up/);
  assert.doesNotMatch((await visit({ balance: 1000 })).text, /Less than one top-up/);
});

test('what cannot be read is said, and the rest is shown', async () => {
  const silent = await visit({ balance: new Error('no'), movements: [movement('agent001', 'settled')] });
  assert.equal(silent.status, 200);
  assert.match(silent.text, /Partner account Not known The vendor does not answer\./);
  assert.match(silent.text, /agent001/);
  const broken = await visit({ open: new Error('no') });
  assert.equal(broken.status, 503);
  assert.match(broken.text, /12\.500 ₫/);
  assert.match(broken.text, /The ledger cannot be read/);
});

test('what the vendor wrote is text on the page, never markup', async () => {
  const { page } = await visit({
    movements: [movement('agent001', 'failed', { note: '<script>x</script>' })],
  });
  assert.doesNotMatch(page, /<script/);
  assert.match(page, /&lt;script&gt;/);
});

test('a day of many top-ups is shown in pages', async () => {
  const movements = Array.from({ length: 250 }, (_, n) => movement(`agent${n}x`, 'void'));
  const first = await visit({ movements });
  assert.match(first.text, /agent249x/);
  assert.doesNotMatch(first.text, /agent149x/);
  assert.match(first.text, /Page 1 of 3 Older/);
  const last = await visit({ movements }, '/operator?page=2');
  assert.match(last.text, /agent0x/);
  assert.match(last.text, /Newer Page 3 of 3/);
});
