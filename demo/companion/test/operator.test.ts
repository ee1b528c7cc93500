/** The operator's page, whatever the vendor and the ledger have to say. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test, type TestContext } from 'node:test';
import { Limits } from '../guards/limits.ts';
import { Ledger } from '../money/ledger.ts';
import { CONSUMING, dayOf, type MovementState, type TopUpReason } from '../money/movement.ts';
import { createOperatorRoutes } from '../features/operator/routes.ts';
import { settleMissing } from '../money/standing.ts';
import type { Database } from '../store/database.ts';
import { TopUp } from '../money/top-up.ts';
import { Telemetry } from '../telemetry.ts';
import { problemOf, signIn, startAgent, startApp, statusOf } from './app.ts';
import { openTestDatabase, stopClock, sqliteUrl } from './stores.ts';
import { PATHS, startVendor } from './vendor.ts';

const RULES = { mode: 'auto', amount: 1000, dailyLimitPerMember: 1000, dailyLimit: 9000 } as const;
const AT = Date.UTC(2026, 10, 21, 18, 43, 51);

/** A row of the ledger. */
interface Row {
  readonly memberNo: string;
  readonly state: MovementState;
  readonly day?: string;
  readonly after?: number;
  readonly note?: string;
  readonly reason?: TopUpReason;
  readonly isBeyond?: boolean;
  /** Milliseconds since its owner should have brought it on. */
  readonly overdue?: number;
  readonly changedAt?: number;
}

const movement = (memberNo: string, state: MovementState, more: Partial<Row> = {}): Row => ({
  memberNo,
  state,
  ...more,
});

interface Scene {
  readonly balance?: number | Error;
  readonly rows?: readonly Row[];
  /** Ended calls, by days ago and outcome. */
  readonly calls?: readonly (readonly [daysAgo: number, outcome: string, calls: number])[];
  /** VND on the partner account, by days ago. */
  readonly balances?: readonly (readonly [daysAgo: number, vnd: number])[];
  readonly isStoreAway?: boolean;
  /** Of the last reconciliation. */
  readonly reconciled?: readonly [result: 'agrees' | 'missing' | 'filled', unexplained: number];
  /** The budget is not the sum of the movements. */
  readonly isWrong?: boolean;
  /** `reconcile --settled` has run. */
  readonly isSettled?: boolean;
}

const DAY_MS = 86_400_000;
const daysAgo = (days: number) => dayOf(Date.now() - days * DAY_MS);

async function insert(database: Database, rows: readonly Row[]): Promise<void> {
  await database.transact(async (sql) => {
    for (const [n, row] of rows.entries()) {
      const {
        memberNo,
        state,
        day = dayOf(Date.now()),
        reason = 'session',
        overdue = -60_000,
        isBeyond = false,
      } = row;
      await sql(
        `insert into top_up (id, member, amount, reason, day, state, owner, before_balance, after_balance, note, lease,
          claimed_at, changed_at, beyond_limits) values (?, ?, 1000, ?, ?, ?, 'x', 0, ?, ?, ?, ?, ?, ?)`,
        [
          memberNo + String(n),
          memberNo,
          reason,
          day,
          state,
          row.after,
          row.note,
          Date.now() - overdue,
          AT + n,
          row.changedAt ?? AT,
          Number(isBeyond),
        ],
      );
    }
  });
}

async function visit(
  t: TestContext,
  {
    balance = 12_500,
    rows = [],
    calls = [],
    balances = [],
    isStoreAway = false,
    reconciled,
    isWrong = false,
    isSettled = false,
  }: Scene,
  path = '/operator',
  headers: Record<string, string> = {},
) {
  const database = openTestDatabase(t, await sqliteUrl(t));
  await insert(database, rows);
  for (const scope of isWrong ? [] : ['lower(member)', "'all members'"]) {
    await database.write(
      `insert into budget (scope, day, used, cap) select ${scope}, day, sum(amount), 1000000 from top_up
       where state in ${CONSUMING} and beyond_limits = 0 group by 1, 2`,
    );
  }
  for (const [days, outcome, count] of calls) {
    const values = [Date.parse(daysAgo(days)) / DAY_MS, outcome, count];
    await database.write('insert into call_count (day, outcome, calls) values (?, ?, ?)', values);
  }
  for (const [days, vnd] of balances) {
    const text = 'insert into admin_balance (day, asked, answered, balance) values (?, ?, ?, ?)';
    const at = Date.now() - days * DAY_MS;
    await database.write(text, [daysAgo(days), at - 10, at, vnd]);
  }
  if (reconciled) {
    await database.write(
      `insert into reconciliation (at, since, result, lost, settled, doubtful, unexplained)
       values (?, ?, ?, 0, 0, 0, ?)`,
      [AT, AT - DAY_MS, ...reconciled],
    );
  }
  if (isSettled) await settleMissing(database);
  if (isStoreAway) await database.close();
  const ledger = new Ledger(database);
  const adminBalance = async () => {
    if (balance instanceof Error) throw balance;
    return balance;
  };
  const api = { adminBalance, readMember: () => assert.fail(), addMoney: () => assert.fail() };
  const telemetry = new Telemetry({ logLevel: 'silent' });
  const app = createOperatorRoutes({
    config: { operatorPassword: undefined, vendor: undefined, topUp: RULES, proxyHops: 0 },
    database,
    ledger,
    limits: new Limits({ ratePerMember: 1, ratePerAddress: 1, proxyHops: 0 }),
    telemetry,
    topUp: new TopUp(api, ledger, RULES, { log: telemetry }),
  });
  const answer = await app.request(path, { headers }, { incoming: { headers: {} } });
  const page = await answer.text();
  // As it is read: without markup, with every blank an ordinary one.
  const text = page
    .replaceAll(/<style>.*?<\/style>|<[^>]*>/gs, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll('&#39;', "'");
  return { status: answer.status, page, text };
}

test('an operator reads money, states and times as people in Vietnam do', async (t) => {
  const { text, status } = await visit(t, {
    rows: [
      movement('agent001', 'settled', { after: 1000.5, reason: 'agent' }),
      movement('agent002', 'failed', { note: 'the vendor refused' }),
      movement('agent003', 'void'),
      movement('agent004', 'unknown'),
    ],
  });
  assert.equal(status, 200);
  assert.match(text, /Partner account 12,500 ₫/);
  assert.match(text, /Topped up today 1,000 ₫ 1 top-up /);
  // What was refused or not sent uses nothing; what is in doubt does.
  assert.match(text, /Used of today's limit 2,000 ₫ of 9,000 ₫/);
  assert.match(text, /01:43:51 agent001 1,000 ₫ Paid The agent 0 ₫ 1,000\.5 ₫/);
  assert.match(text, /agent002 1,000 ₫ Failed Sign-in 0 ₫ – the vendor refused/);
  assert.match(text, /agent003 1,000 ₫ Not sent Sign-in/);
  assert.ok(text.indexOf('agent004') < text.indexOf('agent001'), 'the newest is on top');
});

test('an operator reads of every open movement what happens next, of any day', async (t) => {
  const { text } = await visit(t, {
    rows: [
      movement('agent001', 'claimed', { day: '2026-01-01' }),
      movement('agent002', 'sent', { day: '2026-01-01' }),
      movement('agent003', 'unknown', { day: '2026-01-01' }),
      movement('agent004', 'claimed', { day: '2026-01-01', overdue: 1 }),
      movement('agent005', 'sent', { day: '2026-01-01', overdue: 1 }),
      movement('agent006', 'abandoned', { day: dayOf(Date.now() - 3 * 86_400_000) }),
    ],
  });
  const next = [
    'agent001 1,000 ₫ Reserved Sign-in Being sent.',
    "agent002 1,000 ₫ Sent Sign-in Waiting for the vendor's response.",
    "agent003 1,000 ₫ In doubt Sign-in Counts as paid if the member's balance rises; otherwise, given up at 22 Nov, 01:53.",
    'agent004 1,000 ₫ Reserved Sign-in The companion stopped before it sent the top-up; the reservation is released within a minute.',
    "agent005 1,000 ₫ Sent Sign-in The companion stopped before the vendor responded; the member's balance is checked",
    'agent006 1,000 ₫ Given up Sign-in Ask the vendor whether the money arrived.',
  ];
  for (const words of next) assert.ok(text.includes(words), `${words}\nis not in\n${text}`);
  assert.ok(text.indexOf('agent006') < text.indexOf('No top-ups yet.'), 'doubt comes first');
});

test('a quiet day says so', async (t) => {
  const { text } = await visit(t, {});
  assert.match(text, /In doubt None\./);
  assert.match(text, /Today No top-ups yet\. The last 14 days/);
  assert.match(text, /0 calls, of which 0 were answered; 0 ₫ topped up; partner balance not known\./);
});

test('the last two weeks are a picture, and the table under it has the same numbers', async (t) => {
  const { text, page } = await visit(t, {
    rows: [
      movement('agent001', 'settled', { day: daysAgo(1) }),
      movement('agent002', 'settled', { day: daysAgo(1) }),
      movement('agent003', 'failed', { day: daysAgo(1) }),
      movement('agent004', 'settled', { day: daysAgo(14) }),
    ],
    calls: [
      [1, 'answered', 30],
      [1, 'no-money', 10],
      [13, 'answered', 10],
      [13, 'not-reached', 5],
      [14, 'failed', 999],
    ],
    balances: [
      [2, 20_000],
      [1, 10_000],
    ],
  });
  const date = (days: number) =>
    new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(
      Date.parse(daysAgo(days)),
    );
  assert.ok(text.includes(`${date(1)} 30 0 10 0 2 2,000 ₫ 10,000 ₫ ${date(2)} 0 0 0 0 0 0 ₫ 20,000 ₫`), text);
  assert.ok(text.includes(`${date(13)} 10 5 0 0 0 0 ₫ –`), 'the oldest day');
  assert.match(text, /55 calls, of which 40 were answered; 2,000 ₫ topped up; partner balance 10,000 ₫\./);
  assert.match(page, /<svg[^>]* role="img" aria-labelledby="chart-title chart-text"/);
  assert.match(text, /Calls, top-ups and partner balance in the last 14 days/);
});

test('what is wrong now stands first: payments stopped and why, money in doubt, the reconciliation, the account', async (t) => {
  const { text } = await visit(t, {
    balance: 999,
    isWrong: true,
    rows: [
      movement('agent001', 'unknown'),
      movement('agent002', 'unknown', { day: daysAgo(3) }),
      movement('agent003', 'abandoned', { day: daysAgo(2) }),
      movement('agent004', 'sent', { overdue: -1000 }),
    ],
    reconciled: ['missing', 4000],
  });
  const now = text.slice(text.indexOf(' Now '), text.indexOf('Partner account 999'));
  const facts = [
    'Top-ups are stopped: NO TOP-UPS until this is corrected and the companion is restarted: agent001 on ',
    'The partner account holds less than one top-up. Top-ups are stopped until money is added.',
    '1,000 ₫ could not be confirmed in the last seven days: ask the vendor whether the money arrived.',
    '2,000 ₫ in 2 top-ups are in doubt.',
    '4,000 ₫ is missing.',
  ];
  const places = facts.map((fact) => now.indexOf(fact));
  assert.ok(!places.includes(-1), `${places.join(' ')}\n${now}`);
  assert.deepEqual(
    places.toSorted((a, b) => a - b),
    places,
  );
  assert.doesNotMatch(now, /can be made/);
});

test('what a clock that was ahead has paid is said, and who waits for what', async (t) => {
  const later = { day: daysAgo(-3), changedAt: Date.now() };
  const { text } = await visit(t, { rows: [movement('agent001', 'settled', later)] });
  assert.match(
    text,
    / Now The database's clock was ahead: what was paid on later days counts as paid today\./,
  );
  assert.match(text, /Used of today's limit 1,000 ₫ of/);
  const vi = await visit(t, { rows: [movement('agent001', 'settled', later)] }, '/operator?lang=vi');
  assert.match(vi.text, /Đồng hồ của cơ sở dữ liệu từng chạy trước/);
  const next = { ...later, changedAt: Date.now() - DAY_MS };
  const free = await visit(t, { rows: [movement('agent001', 'settled', next)] });
  assert.match(free.text, / Now Top-ups can be made\./, 'the next day');
});

test('what is settled is no longer missing, on the page as in the gauge', async (t) => {
  const settled = await visit(t, { reconciled: ['missing', 5000], isSettled: true });
  assert.match(
    settled.text,
    /Last reconciliation, 22 Nov, 01:43: what was missing is settled\. Partner account/,
  );
  assert.doesNotMatch(settled.page, /class="bad"/);
  const missing = await visit(t, { reconciled: ['missing', 5000] });
  assert.match(missing.text, /5,000 ₫ left the partner account[^]*22 Nov, 01:43: 5,000 ₫ is missing/);
});

test('a healthy day says so first, with the last reconciliation', async (t) => {
  const { text } = await visit(t, { reconciled: ['agrees', 0] });
  assert.match(
    text,
    / Now Top-ups can be made\. Last reconciliation, 22 Nov, 01:43: the amounts match\. Partner account/,
  );
  const first = await visit(t, {});
  assert.match(first.text, /Not reconciled yet/);
  const filled = await visit(t, { reconciled: ['filled', -10_000] });
  assert.match(filled.text, /at least 10,000 ₫ was added to the account/);
});

test('what was ordered beyond the limits is marked, and uses up none of them', async (t) => {
  const { text } = await visit(t, {
    rows: [
      movement('agent001', 'settled', { reason: 'operator', isBeyond: true }),
      movement('agent002', 'settled'),
    ],
  });
  assert.match(text, /agent001 1,000 ₫ Paid Command line, beyond the limits/);
  assert.match(text, /Topped up today 2,000 ₫ 2 top-ups, of which 1,000 ₫ beyond the limits/);
  assert.match(text, /Used of today's limit 1,000 ₫/);
});

test('a member is found over all days, however the number is written, and nobody else', async (t) => {
  const rows = [
    movement('agent001', 'settled', { day: '2026-01-05' }),
    movement('Agent001', 'failed'),
    movement('agent0011', 'settled'),
  ];
  const { text, page } = await visit(t, { rows }, '/operator?member=AGENT001');
  assert.match(text, /Top-ups of AGENT001 Back to today All days, newest first/);
  assert.match(text, /Agent001 1,000 ₫ Failed.* agent001 1,000 ₫ Paid/);
  assert.doesNotMatch(text, /agent0011/);
  assert.match(page, /name="member" value="AGENT001"/);
  assert.match((await visit(t, { rows }, '/operator?member=nobody')).text, /No top-ups yet\./);
  const odd = await visit(t, { rows }, '/operator?member=%22%3E%3Cscript%3E');
  assert.doesNotMatch(odd.page, /<script/);
});

test('the page is in Vietnamese for whoever reads it, by the browser or by a link', async (t) => {
  const vi = await visit(t, { rows: [movement('agent001', 'unknown')] }, '/operator', {
    'Accept-Language': 'vi-VN,en;q=0.5',
  });
  assert.match(vi.page, /<html lang="vi">/);
  assert.match(vi.text, /Hiện tại .*Tài khoản công ty 12\.500 ₫/);
  assert.match(vi.text, /agent001 1\.000 ₫ Chưa rõ Đăng nhập/);
  assert.match(
    (await visit(t, {}, '/operator?lang=en', { 'Accept-Language': 'vi' })).page,
    /<html lang="en">/,
  );
  assert.match((await visit(t, {}, '/operator?lang=vi')).page, /<a href="\?lang=en" lang="en"/);
  for (const accepted of ['de, en, vi', '*', 'fr'])
    assert.match((await visit(t, {}, '/operator', { 'Accept-Language': accepted })).page, /<html lang="en">/);
});

test('the page says what cannot be read, and shows the rest', async (t) => {
  const silent = await visit(t, { balance: new Error('no'), rows: [movement('agent001', 'settled')] });
  assert.equal(silent.status, 200);
  assert.match(
    silent.text,
    / Now The balance of the partner account cannot be read\..*Partner account Not known/,
  );
  assert.match(silent.text, /agent001/);
  const broken = await visit(t, { isStoreAway: true });
  assert.equal(broken.status, 503);
  assert.match(broken.text, / Now The ledger cannot be read/);
  assert.match(broken.text, /12,500 ₫/);
});

test('what the vendor wrote is text on the page, never markup', async (t) => {
  const { page } = await visit(t, {
    rows: [movement('agent001', 'failed', { note: '<script>x</script>' })],
  });
  assert.doesNotMatch(page, /<script/);
  assert.match(page, /&lt;script&gt;/);
});

test('a day of many top-ups is shown in pages', async (t) => {
  const rows = Array.from({ length: 250 }, (_, n) => movement(`agent${n}x`, 'void'));
  const first = await visit(t, { rows });
  assert.match(first.text, /agent249x/);
  assert.doesNotMatch(first.text, /agent149x/);
  assert.match(first.text, /Page 1 of 3 Older/);
  const last = await visit(t, { rows }, '/operator?page=2');
  assert.match(last.text, /agent0x/);
  assert.match(last.text, /Newer Page 3 of 3/);
});

const PASSWORD = 'an-operator-password';
const basic = (text: string) => ({ Authorization: `Basic ${Buffer.from(text).toString('base64')}` });

test('operators see the partner account, the top-ups of the day and the metrics; others do not', async (t) => {
  const { origin, json, cookie } = await startAgent(t, { OPERATOR_PASSWORD: PASSWORD });
  await json('session');
  for (const path of ['/operator', '/metrics']) {
    for (const headers of [{}, basic('me:wrong'), basic(PASSWORD.slice(1)), { Cookie: cookie }]) {
      const answer = await fetch(origin + path, { headers: headers as Record<string, string> });
      assert.equal(answer.headers.get('www-authenticate'), 'Basic realm="operator"');
      assert.deepEqual(await problemOf(answer), [401, 'operator-unauthorized']);
    }
  }
  const answer = await fetch(`${origin}/operator`, { headers: basic(`me:${PASSWORD}`) });
  const page = await answer.text();
  const style = /<style>([^<]*)<\/style>/.exec(page)?.[1] ?? '';
  const hash = createHash('sha256').update(style).digest('base64');
  assert.equal(answer.headers.get('content-security-policy')?.includes(`'sha256-${hash}'`), true);
  assert.match(page, /999,000\s₫/);
  assert.match(page, /agent001/);
  const metrics = await (await fetch(`${origin}/metrics`, { headers: basic(`:${PASSWORD}`) })).text();
  assert.match(metrics, /companion_request_seconds_count\{route="\/dialer\/session",status="200"\} 1/);
  assert.match(metrics, /companion_vendor_seconds_count\{path="api\/member\/addMoney",outcome="ok"\} 1/);
});

test('with a real vendor and no password, there is nothing for operators', async (t) => {
  const vendor = await startVendor(t);
  const { origin } = await startApp(t, vendor, {
    VENDOR_BASE_URL: vendor.baseUrl,
    VENDOR_API_KEY: vendor.apiKey,
    SESSION_SECRET: 'x'.repeat(32),
  });
  for (const path of ['/operator', '/metrics'])
    assert.deepEqual(await problemOf(await fetch(origin + path)), [404, 'not-found']);
});

test('wrong passwords from behind the same proxy never lock out the right one', async (t) => {
  const env = { OPERATOR_PASSWORD: PASSWORD, RATE_LIMIT_PER_ADDRESS: '2' };
  const { origin, log } = await startApp(t, await startVendor(t), env);
  // A proxy that nobody has told the companion of.
  const guess = async (word: string) =>
    (
      await fetch(`${origin}/metrics`, {
        headers: { ...basic(`op:${word}`), 'X-Forwarded-For': '203.0.113.7' },
      })
    ).status;
  const guesses = [];
  for (let n = 0; n < 25; n += 1) guesses.push(await guess(`guess ${n}`));
  assert.deepEqual([guesses[19], guesses[20], guesses.at(-1)], [401, 429, 429]);
  assert.equal(await guess(PASSWORD), 200);
  assert.equal(
    log.filter(({ msg, to }) => msg === 'password or webhook secret rejected' && to === 'operator').length,
    20,
  );
  const other = await fetch(`${origin}/dialer/session`, { method: 'POST' });
  assert.equal(other.status, 401, 'whoever is not signed in yet has a budget of their own');
});

test('a link on a wiki leads to the operator’s page, and no other site can show it', async (t) => {
  const { origin } = await startApp(t, await startVendor(t), { OPERATOR_PASSWORD: PASSWORD });
  const link = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' };
  assert.equal(await statusOf(`${origin}/operator`, { ...link, ...basic(`:${PASSWORD}`) }), 200);
  const { headers } = await fetch(`${origin}/operator`, { headers: basic(`:${PASSWORD}`) });
  assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
  assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin');
  const elsewhere = { Cookie: await signIn(origin, 'agent001'), 'Sec-Fetch-Site': 'cross-site' };
  assert.equal(await statusOf(`${origin}/dialer/status`, elsewhere), 403);
});

const STOPPED = {
  'admin-short': [
    'PartnerAccountIsShort',
    'The partner account is short of money',
    /holds less than one top-up/,
  ],
  'daily-limit': [
    'DayLimitIsUsedUp',
    "Today's top-up limit for all members is used up",
    /limit for all members is used up/,
  ],
} as const;

for (const [why, [alert, ready, page]] of Object.entries(STOPPED)) {
  test(`nobody can be paid (${why}): page, /readyz, gauge and alert say it by its name`, async (t) => {
    const { origin, json, vendor } = await startAgent(t, { TOP_UP_DAILY_LIMIT: '1500' });
    if (why === 'admin-short') vendor.adminBalance = 999;
    await json('session');
    const ask = async (path: string) => (await fetch(origin + path)).text();
    assert.equal((JSON.parse(await ask('/readyz')) as { topUps: string }).topUps, ready);
    const text = await ask('/operator');
    assert.match(text, page);
    assert.doesNotMatch(text, /Top-ups can be made/);
    const document = readFileSync(new URL('../docs/metrics.md', import.meta.url), 'utf8');
    const rule = new RegExp(`alert: ${alert}\\n +expr: max by \\(job\\) \\((companion_.*)\\) == 1`).exec(
      document,
    )?.[1];
    const metrics = await ask('/metrics');
    assert.ok(metrics.includes(`${rule} 1\n`), `${rule}\n${metrics}`);
    assert.equal(metrics.match(/^companion_stopped\{.*\} 1$/gm)?.length, 1);
  });
}

test('the sum in doubt counts all movements, not only those in the table', async (t) => {
  const rows = Array.from({ length: 150 }, (_, n) => [
    movement(`agent${n}x`, 'abandoned'),
    movement(`agent${n}y`, 'unknown', { day: daysAgo(9) }),
  ]);
  const { text } = await visit(t, { rows: rows.flat() });
  assert.match(text, /150,000 ₫ in 150 top-ups could not be confirmed/);
  assert.match(text, /150,000 ₫ in 150 top-ups are in doubt/);
});

test('today is the database’s, whatever this host’s clock says', async (t) => {
  const url = await sqliteUrl(t);
  const { origin, json } = await startAgent(t, { DATABASE_URL: url });
  await stopClock(url, new Date(Date.now() + 3 * DAY_MS).toISOString());
  await json('session');
  const page = await (await fetch(`${origin}/operator`)).text();
  assert.match(page, /1 top-up</);
  assert.match(page, /Top-ups can be made/);
});

test('a search for an invalid member number says so', async (t) => {
  assert.match(
    (await visit(t, {}, '/operator?member=agent-001')).text,
    /has only letters a-z, A-Z and digits/,
  );
});

test('a key that may not read the partner account stops nothing, and is asked again in an hour', async (t) => {
  const vendor = await startVendor(t);
  vendor.faults.set(PATHS.admin, { kind: 'error', value: 403 });
  const { origin } = await startApp(t, vendor);
  for (let n = 0; n < 3; n += 1) {
    const page = await (await fetch(`${origin}/operator`)).text();
    assert.match(page, /This key has no permission to read the partner account/);
    assert.match(page, /Top-ups can be made/);
    assert.doesNotMatch(page, /does not answer/);
  }
  assert.equal(vendor.asked(PATHS.admin), 1);
});

test('Prometheus reads the metrics by the name of the container; the page is for known names', async (t) => {
  const { origin } = await startApp(t, await startVendor(t), { OPERATOR_PASSWORD: PASSWORD });
  const Host = 'companion-1:8787';
  assert.equal(await statusOf(`${origin}/metrics`, { Host, ...basic(`:${PASSWORD}`) }), 200);
  assert.equal(await statusOf(`${origin}/metrics`, { Host, ...basic(':wrong') }), 401);
  assert.equal(await statusOf(`${origin}/operator`, { Host, ...basic(`:${PASSWORD}`) }), 421);
});
