// The whole flow with its money rule, to read first. VENDOR_BASE_URL=… VENDOR_API_KEY=… node provision.mjs agent001
//
// The rule: a member gets at most one top-up a day, whoever asks and whatever becomes of the response. A file that can be made
// only once, PAID_DIR/DAY-MEMBER, is on the disk before the money is sent. An answer that was lost may mean that the money
// has moved, so nothing takes the file away again. The rule holds on one machine: on two of them there are two folders, and two
// top-ups a day. (The companion does the same for many machines, with a database, limits and a reconciliation.)
import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const { VENDOR_BASE_URL, VENDOR_API_KEY, HOTLINE_CODE } = process.env;
// The same folder wherever this is started from.
const { PAID_DIR = fileURLToPath(new URL('paid', import.meta.url)) } = process.env;
const TOP_UP = 1000;
const [memberNo = ''] = process.argv.slice(2);

async function ask(path, body) {
  const response = await fetch(`${VENDOR_BASE_URL}/api/${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'X-API-Key': VENDOR_API_KEY, 'Content-Type': 'application/json' },
    body: body && JSON.stringify(body),
    redirect: 'error', // followed, it would carry the key elsewhere
    signal: AbortSignal.timeout(10_000),
  });
  const answer = await response.json().catch(() => undefined);
  // Only the number 0 is a success.
  if (response.ok && answer?.error === 0) return answer.data;
  const error = new Error(`${path}: HTTP ${response.status}, ${answer?.error} ${answer?.message}`);
  throw Object.assign(error, { code: answer?.error });
}

// A balance that cannot be read is no reason to pay.
async function readMember() {
  const member = await ask(`member/getByMemberNo?member_no=${memberNo}`);
  const money = member?.member_money;
  // Not by `Number` alone, to which an empty text is 0; and 500.000 may be 500 or 500000.
  const isText = typeof money === 'string' && /^-?\d+(\.(\d\d?|\d{4,}))?$/.test(money);
  if (!isText && !Number.isFinite(money)) throw new Error('getByMemberNo tells no balance that can be read');
  const balance = Number(money);
  const list = [member.hotlines, member.hotline_numbers].find(Array.isArray);
  return { balance, isLinked: list && list.length > 0 };
}

/** True: this process alone may pay this member today. */
async function claimToday() {
  const today = new Date(Date.now() + 7 * 3_600_000).toISOString().slice(0, 10); // Vietnam's
  await mkdir(PAID_DIR, { recursive: true });
  try {
    const file = await open(join(PAID_DIR, `${today}-${memberNo.toLowerCase()}`), 'wx');
    await file.writeFile(`${TOP_UP} VND\n`);
    await file.sync();
    await file.close();
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

if (!/^[A-Za-z0-9]{1,64}$/.test(memberNo)) {
  console.error('node provision.mjs MEMBER_NO (letters and digits)');
  process.exit(2);
}
// 1. The hotlines of the project, and the one to call with.
const hotlines = await ask('hotline/getAll');
const hotline = HOTLINE_CODE ? hotlines.find((one) => one.hotline_code === HOTLINE_CODE) : hotlines[0];
if (!hotline) throw new Error('No hotline to call with, so nothing is paid.');
// 2. The token; creates the member and links the hotline, if there was no such member.
const token = await ask('sdk/tokenSdk', { member_no: memberNo, hotline_codes: [hotline.hotline_code] });
// 3. The member, after the token: before, there may have been none.
let member = await readMember();
// 4. What is missing: a hotline, and only with one money. What the responses say of it is not documented, so the member is read again.
const ALREADY_LINKED = 409;
const failed = (error) => {
  console.error(error.message);
  return error.code === ALREADY_LINKED;
};
let isLinked = member.isLinked;
if (!isLinked) {
  const assignment = { member_no: memberNo, hotline_number: hotline.hotline_number, allow_call: true };
  const adding = ask('hotline/member/add', { ...assignment, start_time: '', end_time: '' });
  isLinked = await adding.then(() => true, failed);
}
if (isLinked && member.balance <= 0 && member.balance + TOP_UP > 0 && (await claimToday())) {
  await ask('member/addMoney', { member_no: memberNo, money: TOP_UP }).catch(failed);
}
member = await readMember();
const canCall = member.balance > 0 && (member.isLinked ?? isLinked);
console.log(
  `${memberNo}: ${member.balance} VND, hotline ${hotline.hotline_number}, a token of ${token.length} letters`,
);
console.log(canCall ? 'can call' : 'cannot call');
process.exitCode = canCall ? 0 : 3;
