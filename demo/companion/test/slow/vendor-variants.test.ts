/**
 * The vendor as it may really be, end to end: `provision` and a session at vendors that write their responses otherwise than we
 * guess. Each ends right, or stops before money moves and says why in words that lead to the line to change; with it, it ends right.
 */
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { describe, test, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { runCommand } from '../../commands.ts';
import { Hotlines } from '../../hotlines.ts';
import { findBlockers, provision, type Step } from '../../provision.ts';
import { signIn, startApp } from '../app.ts';
import { agent, setUp } from '../money.ts';
import { sqliteUrl } from '../stores.ts';
import { KEY, PATHS, startVendor, type Reply, type StubRequest, type StubVendor } from '../vendor.ts';

type Rewrite = StubVendor['rewrite'];
interface Envelope {
  readonly error?: unknown;
  readonly message?: unknown;
  readonly data?: unknown;
}

interface Variant {
  readonly rewrite?: Rewrite;
  readonly prepare?: (stub: StubVendor) => void;
  /** VND that the member has from the start; else they are new. */
  readonly balance?: number;
  /** What is said where it stops; absent: it ends right. */
  readonly says?: RegExp;
  readonly exit?: 3 | 4;
  /** Of the session. */
  readonly code?: string;
  /** VENDOR_FIELDS with which it ends right. */
  readonly fix?: object;
  /** VND sent before it stops, on a balance that could be read; absent: none. */
  readonly paid?: number;
}

const TOKEN = 'eyJ.token.of-the-stub';
const PAGE = '<!DOCTYPE html><html><body>Welcome</body></html>';
const TOP_UP = 1000;

const envelopeOf = ({ body }: Reply) => body as Envelope;
/** Rewrites the envelope of every response. */
const envelope =
  (write: (one: Envelope, request: StubRequest) => unknown): Rewrite =>
  (request, reply) => ({ ...reply, body: write(envelopeOf(reply), request) });
const code = (value: unknown) => envelope((one) => ({ ...one, error: one.error === 0 ? value : one.error }));
const data = (write: (value: unknown, request: StubRequest) => unknown) =>
  envelope((one, request) => ({ ...one, data: write(one.data, request) }));
const at =
  (path: string, rewrite: Rewrite): Rewrite =>
  (request, reply) =>
    request.path === path ? rewrite(request, reply) : reply;
const reply =
  (status: number, body: unknown, headers: Record<string, string> = {}): Rewrite =>
  () => ({ status, body, headers });
const member = (write: (fields: Record<string, unknown>) => object) =>
  at(
    PATHS.member,
    data((value) => value && write(value as Record<string, unknown>)),
  );
/** A member whose balance is written like this. */
const balance = (written: unknown, rest: Partial<Variant> = {}, vnd = 500_000): Variant => ({
  balance: vnd,
  rewrite: member((fields) => ({ ...fields, member_money: written })),
  ...rest,
});
const renamed =
  (rename: (key: string) => string) =>
  (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((one) => renamed(rename)(one));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [rename(key), renamed(rename)(one)]));
  };
const camel = renamed((key) => key.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()));
const pascal = renamed((key) => key.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase()));
/** Money has moved, or has not, and the response is lost. */
const lost = (kind: 'drop' | 'drop-after'): Partial<Variant> => ({
  prepare: (stub) => void stub.faults.set(PATHS.money, { kind, times: 1 }),
});
const failing = (kind: 'answer' | 'answer-after'): Partial<Variant> => ({
  prepare: (stub) => void stub.faults.set(PATHS.money, { kind, status: 500, body: { error: 500 }, times: 1 }),
});

const SILENT = {
  says: /`error`: expected a success code \(0, .*VENDOR_FIELDS=\{"success":\[0,.*null\]/,
  exit: 4,
} as const;
const INVALID = { exit: 4, code: 'vendor-invalid-answer' } as const;
const REFUSED = { exit: 4, code: 'vendor-refused' } as const;
const AWAY = { exit: 4, code: 'vendor-unreachable' } as const;
const DOTS = {
  says: /`data.member_money`: expected a number, .*"thousands":"\.".*, found string "/,
  fix: { thousands: '.' },
  ...INVALID,
};
const HTML =
  /`body`: expected JSON, found an HTML page, \d+ characters – check VENDOR_BASE_URL: it must end with the version/;
const NO_HOTLINE = { exit: 3, code: 'no-hotline' } as const;
const UNPAID = { exit: 3, code: 'insufficient-funds' } as const;

const VARIANTS: Readonly<Record<string, Variant>> = {
  'as documented': {},
  // The code.
  'code "0"': { rewrite: code('0') },
  'code "00"': { rewrite: code('00') },
  'code "SUCCESS"': { rewrite: code('SUCCESS') },
  'code "success" in errorCode': {
    rewrite: envelope(({ error, ...rest }) => ({ ...rest, errorCode: error === 0 ? 'success' : error })),
  },
  'code 200': { rewrite: code(200) },
  'code 200 in status': { rewrite: envelope(({ data: value }) => ({ status: 200, msg: 'ok', data: value })) },
  'success: true': { rewrite: envelope(({ data: value }) => ({ success: true, data: value })) },
  'code 200 beside success: false': {
    rewrite: envelope((one) => ({ ...one, error: 200, success: false })),
    says: /refused: error without a number/,
    ...REFUSED,
  },
  'code 200 beside another code': {
    rewrite: envelope((one) => ({ ...one, error: 200, errorCode: 17 })),
    says: /refused: error 17/,
    ...REFUSED,
  },
  'code null': { rewrite: code(null), ...SILENT, ...INVALID, fix: { success: [0, null] } },
  'no code': {
    rewrite: envelope(({ message, data: value }) => ({ message, data: value })),
    ...SILENT,
    ...INVALID,
    fix: { success: [0, null] },
  },
  'code -1 for everything': {
    rewrite: envelope((one) => ({ ...one, error: -1 })),
    says: /refused: error -1.*contains data: if this code means success, set VENDOR_FIELDS=\{"success":\[0,.*,-1\]\}/,
    ...REFUSED,
    fix: { success: [-1] },
  },
  'code "DONE"': {
    rewrite: code('DONE'),
    says: /refused: error "DONE".*VENDOR_FIELDS=\{"success":\[0,.*,"DONE"\]\}/,
    ...REFUSED,
    fix: { success: ['done'] },
  },
  'the code elsewhere': {
    rewrite: envelope((one) => ({ meta: { ret: one.error, text: one.message }, data: one.data })),
    says: /`error`: expected a success code .*found nothing; the object has meta, data/,
    ...INVALID,
    fix: { error: 'meta.ret', message: 'meta.text' },
  },
  // Errors.
  'errors nested': {
    rewrite: reply(200, { error: { code: 1403, message: 'The project is locked' }, data: null }),
    says: /refused: error 1403: “The project is locked”/,
    ...REFUSED,
  },
  'errors in a list': {
    rewrite: reply(400, { errors: [{ code: 'PROJECT_LOCKED', message: 'The project is locked' }] }),
    says: /refused: error "PROJECT_LOCKED": “The project is locked”/,
    ...REFUSED,
  },
  'errors as HTML with 200': { rewrite: reply(200, PAGE), says: HTML, ...INVALID },
  'errors as HTML with 404': {
    rewrite: reply(404, PAGE),
    says: /refused: error 404, an HTML page: check VENDOR_BASE_URL/,
    ...REFUSED,
  },
  'errors as HTML with 502': { rewrite: reply(502, PAGE), says: /failed: HTTP 502/, ...AWAY },
  'errors that are empty': {
    rewrite: reply(200, ''),
    says: /`body`: expected JSON, found an empty body/,
    ...INVALID,
  },
  'errors with a message only': {
    rewrite: reply(200, { message: 'The project is locked' }),
    says: /found nothing; the object has message/,
    ...INVALID,
  },
  // Where the data stand.
  'data bare': {
    rewrite: envelope((one) => one.data ?? {}),
    says: /`error`: expected a success code .*, but an array of 2 .*VENDOR_FIELDS=\{"success":\[.*null\],"data":"\."\}/,
    ...INVALID,
    fix: { success: [0, null], data: '.' },
  },
  'data in a list': { rewrite: data((value) => (Array.isArray(value) ? value : [value])) },
  'data in items': { rewrite: data((value) => ({ items: Array.isArray(value) ? value : [value] })) },
  'data in pages': {
    rewrite: data((value) => ({
      content: Array.isArray(value) ? value : [value],
      totalPages: 1,
      number: 0,
    })),
  },
  'token and balance in objects': {
    rewrite: data((value, { path }) =>
      path === PATHS.token ? { accessToken: value } : path === PATHS.admin ? { balance: value } : value,
    ),
  },
  'a token with a line end': {
    rewrite: at(
      PATHS.token,
      data((value) => `${String(value)}\n`),
    ),
  },
  'data elsewhere': {
    rewrite: envelope(({ data: value, ...rest }) => ({ ...rest, payload: value })),
    says: /`data`: expected a list of hotlines, found nothing; the object has error, message, payload .*VENDOR_FIELDS=\{"data":"NAME"\}/,
    ...INVALID,
    fix: { data: 'payload' },
  },
  'the member elsewhere': {
    rewrite: at(
      PATHS.member,
      envelope(({ data: value, ...rest }) => ({ ...rest, payload: value })),
    ),
    says: /`data`: expected a member, found nothing; the object has error, message, payload .*VENDOR_FIELDS=\{"data":"NAME"\}/,
    ...INVALID,
    fix: { data: ['data', 'payload'] },
  },
  'two members in a list': {
    rewrite: at(
      PATHS.member,
      data((value) => [value, value]),
    ),
    says: /`data`: expected one, found an array of 2/,
    ...INVALID,
  },
  // Names.
  'names in camel case': { rewrite: data(camel) },
  'names in Pascal case': { rewrite: envelope(pascal) },
  'hotlines with other names': {
    rewrite: at(
      PATHS.hotlines,
      data((value) => renamed((key) => key.replace('hotline_', ''))(value)),
    ),
    says: /`data\[0\]\.hotline_number`: expected a string or a number, found nothing; the object has name, number, code, type, and `data\[0\]\.hotline_code`.*VENDOR_FIELDS=\{"hotline_number":"NAME"\}/,
    ...INVALID,
    fix: { hotline_name: 'name', hotline_number: 'number', hotline_code: 'code', hotline_type: 'type' },
  },
  'the balance under another name': {
    rewrite: member(({ member_money, ...rest }) => ({ ...rest, soDu: member_money })),
    says: /`data\.member_money`: expected a number.*, found nothing; the object has .*soDu.*VENDOR_FIELDS=\{"member_money":"NAME"\}/,
    ...INVALID,
    fix: { member_money: 'soDu' },
  },
  'a member with neither name nor extension': {
    rewrite: member((fields) => ({
      ...fields,
      member_name: 7,
      member_ext_number: '',
      member_status: 'ACTIVE',
    })),
  },
  'hotlines whose names and types are numbers': {
    rewrite: at(
      PATHS.hotlines,
      data((rows) => (rows as object[]).map((one) => ({ ...one, hotline_name: 1, hotline_type: 2 }))),
    ),
  },
  "the member's number in capitals": {
    rewrite: member((fields) => ({ ...fields, member_no: String(fields['member_no']).toUpperCase() })),
  },
  'another member': {
    rewrite: member((fields) => ({ ...fields, member_no: 'agent002' })),
    says: /`data\.member_no`: expected the requested member, found another member, a string of 8 characters/,
    ...INVALID,
  },
  // The balance.
  'balance as text': {
    rewrite: member((fields) => ({ ...fields, member_money: String(fields['member_money']) })),
  },
  'balance as text with decimals': {
    rewrite: member((fields) => ({ ...fields, member_money: Number(fields['member_money']).toFixed(2) })),
  },
  'balance "500.000"': balance('500.000', DOTS),
  'balance "1.500.000"': balance('1.500.000', DOTS, 1_500_000),
  'balance "500.000,00"': balance('500.000,00', DOTS),
  'balance "500,000"': balance('500,000', { ...DOTS, fix: { thousands: ',' } }),
  'balance "500.000 ₫"': balance('500.000 ₫', DOTS),
  'balance "0 ₫" of a new member': {
    rewrite: member((fields) => ({
      ...fields,
      member_money: `${Number(fields['member_money']).toLocaleString('vi')} ₫`,
    })),
    ...DOTS,
  },
  'balance with dots from 1000 on, of a new member': {
    rewrite: member((fields) => ({
      ...fields,
      member_money: Number(fields['member_money']).toLocaleString('vi'),
    })),
    ...DOTS,
    ...UNPAID,
    paid: TOP_UP,
  },
  'balance null': balance(null, {
    says: /`data\.member_money`: expected a number.*, found null/,
    ...INVALID,
  }),
  'balance missing': {
    rewrite: member((fields) => ({ ...fields, member_money: undefined })),
    says: /`data\.member_money`: expected a number.*, found nothing; the object has member_no, /,
    ...INVALID,
  },
  'balance of the partner account "1.000.000"': {
    rewrite: at(
      PATHS.admin,
      data(() => '1.000.000'),
    ),
    says: /api\/account\/balance returned a response that cannot be parsed.*`data`: expected a number.*found string "1\.000\.000"/,
    ...UNPAID,
    fix: { thousands: '.' },
  },
  // The hotline.
  'first hotline inactive': {
    rewrite: at(PATHS.assign, reply(200, { error: 422, message: 'Hotline is inactive', data: false })),
    says: /Sales \(HL_SALES\) could not be assigned.*refused: error 422: “Hotline is inactive”.*set HOTLINE_CODE.*VENDOR_FIELDS=\{"assigned":\[409,422\]\}/,
    ...NO_HOTLINE,
    fix: { assigned: [409, 422] },
  },
  'hotline/member/add answered with HTML': {
    rewrite: at(PATHS.assign, reply(200, PAGE)),
    says: HTML,
    ...NO_HOTLINE,
  },
  'hotline/member/add answered with a message only': {
    rewrite: at(PATHS.assign, reply(200, { message: 'Hotline is inactive' })),
    says: /“Hotline is inactive”|found nothing; the object has message/,
    ...NO_HOTLINE,
  },
  'hotline/member/add answered with data: false': {
    rewrite: at(PATHS.assign, reply(200, { error: 0, message: 'success', data: false })),
    says: /Sales \(HL_SALES\) could not be assigned.*`data`: expected anything but false, found a boolean/,
    ...NO_HOTLINE,
  },
  'hotline/member/add answered with nothing': { rewrite: at(PATHS.assign, reply(204, '')) },
  'hotline/member/add answered with "OK"': { rewrite: at(PATHS.assign, reply(200, 'OK')) },
  'hotline/member/add refused as there already': {
    rewrite: at(PATHS.assign, reply(200, { error: 409, message: 'exists' })),
  },
  // HTTP.
  '401': {
    rewrite: reply(401, { message: 'Unauthorized' }),
    says: /refused: error 401: “Unauthorized”/,
    ...REFUSED,
  },
  'the key refused, with null for data': {
    rewrite: reply(200, { error: 401, message: 'no access', data: null }),
    says: /getAll refused: error 401: “no access”\./,
    ...REFUSED,
  },
  '429 once, with Retry-After': {
    prepare: (stub) => {
      const headers = { 'Retry-After': '1' };
      stub.faults.set(PATHS.token, { kind: 'status', value: 429, times: 1, headers });
    },
  },
  '429 with Retry-After': {
    rewrite: reply(429, '', { 'Retry-After': '60' }),
    says: /too many requests: HTTP 429/,
    exit: 4,
    code: 'vendor-busy',
  },
  '429 without Retry-After': {
    rewrite: reply(429, ''),
    says: /too many requests: HTTP 429/,
    exit: 4,
    code: 'vendor-busy',
  },
  'a redirect': {
    rewrite: reply(301, '', { Location: 'https://new.example/v3.0' }),
    says: /redirects to https:\/\/new\.example \(HTTP 301\), which is not followed/,
    ...AWAY,
  },
  // The payment.
  'addMoney answered with HTML, paid': { rewrite: at(PATHS.money, reply(200, PAGE)) },
  'addMoney answered with HTML, not paid': {
    prepare: (stub) => void stub.faults.set(PATHS.money, { kind: 'garbage', times: 1 }),
    says: HTML,
    ...UNPAID,
  },
  'addMoney answered with nothing, paid': { rewrite: at(PATHS.money, reply(200, '')) },
  'addMoney answered with 201 and an id': {
    rewrite: at(PATHS.money, reply(201, { error: 0, message: 'created', data: { id: 71 } })),
  },
  'addMoney answered with true': { rewrite: at(PATHS.money, reply(200, true)) },
  'addMoney answered in another envelope': {
    rewrite: at(PATHS.money, reply(200, { status: 200, msg: 'Success', errorCode: 0, data: true })),
  },
  '500 after the money moved': failing('answer-after'),
  '500 before the money moved': { ...failing('answer'), says: /failed: HTTP 500/, ...UNPAID },
  'cut after the money moved': lost('drop-after'),
  'cut before the money moved': { ...lost('drop'), says: /addMoney cannot be reached/, ...UNPAID },
};

interface Ended {
  readonly paid: number;
  readonly said: string;
}

async function prepare(
  t: TestContext,
  { rewrite, prepare: change, balance: vnd }: Variant,
): Promise<StubVendor> {
  const stub = await startVendor(t);
  stub.tellsHotlines = false;
  if (vnd !== undefined) stub.add('agent001', { balance: vnd });
  if (rewrite) stub.rewrite = rewrite;
  change?.(stub);
  return stub;
}

function paidTo(stub: StubVendor): number {
  return stub.paid.reduce((sum, { vnd }) => sum + vnd, 0);
}

/** `provision agent001 --trace`; once more where it stops late: what is in doubt is not paid again. */
async function runProvision(
  t: TestContext,
  variant: Variant,
  fields: string,
): Promise<Ended & { exit: number }> {
  const stub = await prepare(t, variant);
  const lines: string[] = [];
  const write = (text: string) => void lines.push(text);
  const env = {
    VENDOR_BASE_URL: stub.baseUrl,
    VENDOR_API_KEY: KEY,
    VENDOR_FIELDS: fields,
    DATABASE_URL: await sqliteUrl(t),
  };
  const order = ['provision', 'agent001', '--trace'];
  const exit = await runCommand(order, undefined, { env, out: write, err: write });
  if (variant.exit === 3) await runCommand(order, undefined, { env, out: write, err: write });
  return { exit, said: lines.join('\n'), paid: paidTo(stub) };
}

async function openSession(t: TestContext, variant: Variant, fields: string) {
  const stub = await prepare(t, variant);
  const env = { VENDOR_FIELDS: fields, LOG_LEVEL: 'debug' };
  // The session waits for its top-up, however long that takes.
  const { origin, log } = await startApp(t, stub, env, { topUpTimeoutMs: 60_000 });
  const cookie = await signIn(origin, 'agent001');
  const response = await fetch(`${origin}/dialer/session`, { method: 'POST', headers: { Cookie: cookie } });
  const body = (await response.json()) as Record<string, unknown>;
  return { paid: paidTo(stub), said: log.map((line) => JSON.stringify(line)).join('\n'), body };
}

async function endsRight(t: TestContext, variant: Variant, fields = ''): Promise<void> {
  const due = variant.balance === undefined ? TOP_UP : 0;
  const told = await runProvision(t, variant, fields);
  assert.deepEqual([told.exit, told.paid], [0, due], told.said);
  assert.match(told.said, /agent001 can call\./);
  assert.doesNotMatch(told.said, new RegExp(`${KEY}|${TOKEN}|of-the-stub`));
  const { body, paid, said } = await openSession(t, variant, fields);
  assert.deepEqual([body['blockers'], paid], [[], due], said);
  assert.equal(body['token'], TOKEN);
  const { balance: shown } = body['member'] as { balance: unknown };
  assert.equal(shown, (variant.balance ?? 0) + due);
}

async function stops(t: TestContext, variant: Variant): Promise<void> {
  const says = variant.says as RegExp;
  const told = await runProvision(t, variant, '');
  assert.deepEqual([told.exit, told.paid], [variant.exit, variant.paid ?? 0], told.said);
  assert.match(told.said, says);
  const { body, paid, said } = await openSession(t, variant, '');
  const codes = 'token' in body ? body['blockers'] : [body['code']];
  assert.ok((codes as unknown[]).includes(variant.code), JSON.stringify([codes, said]));
  assert.equal(paid, variant.paid ?? 0, said);
  assert.match(said.replaceAll('\\"', '"'), says, 'the log says it, too');
  assert.match(said, /"msg":"vendor response"/, 'with the shape of each response');
  if (variant.fix)
    assert.match(said, /"detail":"The vendor.*"msg":"vendor request failed"/, 'and what is wrong with it');
  assert.doesNotMatch(`${told.said}${said}`, new RegExp(`${KEY}|${TOKEN}|of-the-stub`));
}

describe('a vendor with', { concurrency: 4 }, () => {
  for (const [what, variant] of Object.entries(VARIANTS)) {
    const { says, fix } = variant;
    if (!says) test(`${what}: a member can call, and is paid once`, (t) => endsRight(t, variant));
    else test(`${what}: stops before money moves, and says why`, (t) => stops(t, variant));
    if (fix) {
      const fields = JSON.stringify(fix);
      test(`${what}: ends right with VENDOR_FIELDS=${fields}`, (t) => endsRight(t, variant, fields));
    }
  }
});

/** Milliseconds: room for a busy machine, and as short as the other calls allow. */
const [DEADLINE, SHORT_DEADLINE] = [8000, 1500];
const SLOW = 500;

async function setUpSlow(t: TestContext, path: string, deadlineMs: number, wait: () => Promise<unknown>) {
  const { stub, open, openStore } = await setUp(t);
  stub.members.clear();
  stub.tellsHotlines = false;
  stub.before = async (request) => {
    if (request.path === path) await wait();
  };
  const tools = open({}, { retryMs: 0, deadlineMs });
  const hotlines = new Hotlines(tools.vendor, openStore());
  const dependencies = { ...tools, hotlines, hotlineCode: undefined };
  const run = (report: (step: Step) => void = () => undefined) =>
    provision(agent, dependencies, 'session', report);
  return { stub, run };
}

describe('a vendor that is slow at', { concurrency: 12 }, () => {
  for (const [step, path] of Object.entries(PATHS)) {
    test(`${step}, within the deadline: a member can call, and is paid once`, async (t) => {
      const { stub, run } = await setUpSlow(t, path, DEADLINE, () => delay(SLOW));
      assert.deepEqual(findBlockers(await run()), []);
      assert.equal(paidTo(stub), TOP_UP);
    });
    test(`${step}, beyond the deadline: says so, and pays at most once`, async (t) => {
      const late = new EventEmitter();
      const { stub, run } = await setUpSlow(t, path, SHORT_DEADLINE, () => once(late, 'end'));
      const said: string[] = [];
      const report = ({ status, detail }: Step) => void (status === 'failed' && said.push(detail));
      await run(report).catch(() => undefined);
      assert.match(said.join(), new RegExp(`${path.slice(1)} cannot be reached: no response in time`));
      assert.equal(paidTo(stub), 0);
      // What nobody waits for any more is done all the same.
      stub.before = () => undefined;
      late.emit('end');
      await delay(0);
      said.length = 0;
      assert.deepEqual(findBlockers(await run(report)), [], said.join());
      assert.equal(paidTo(stub), TOP_UP);
    });
  }
});
