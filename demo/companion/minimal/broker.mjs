// A minimal broker in Node: makes the signed-in member able to call, but moves no money. PORT=8080 node broker.mjs
import { createServer } from 'node:http';

const { VENDOR_BASE_URL, VENDOR_API_KEY, HOTLINE_CODE, AGENT_TOKENS = '', PORT = '8080' } = process.env;
// Replace by your own session: here AGENT_TOKENS="secret1:agent001 secret2:agent002" says who a bearer token is.
const agents = new Map(AGENT_TOKENS.split(' ').map((pair) => pair.split(':')));
// The members that this process has linked: the vendor's answer may not list their hotlines.
const linked = new Set();
const ALREADY_LINKED = 409;

function memberOf({ headers }) {
  return agents.get(/^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1]);
}

async function ask(path, body) {
  const response = await fetch(`${VENDOR_BASE_URL}/api/${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'X-API-Key': VENDOR_API_KEY, 'Content-Type': 'application/json' },
    body: body && JSON.stringify(body),
    redirect: 'error', // followed, it would carry the key elsewhere
    signal: AbortSignal.timeout(5000),
  });
  const { error, message, data } = await response.json();
  if (error !== 0) throw Object.assign(new Error(`${path}: error ${error}, ${message}`), { error });
  return data;
}

// An unreadable balance is no empty one; 500.000 may be 500 or 500000.
function readBalance({ member_money: money }) {
  const isText = typeof money === 'string' && /^-?\d+(\.(\d\d?|\d{4,}))?$/.test(money);
  if (!isText && !Number.isFinite(money)) throw new Error('getByMemberNo: member_money is no number');
  return Number(money);
}

async function openSession(memberNo) {
  const all = await ask('hotline/getAll');
  const hotline = HOTLINE_CODE ? all.find((one) => one.hotline_code === HOTLINE_CODE) : all[0];
  const hotline_codes = hotline ? [hotline.hotline_code] : [];
  // Creates the member at its first sign-in, so it can be read only afterwards.
  const token = await ask('sdk/tokenSdk', { member_no: memberNo, hotline_codes });
  const member = await ask(`member/getByMemberNo?member_no=${memberNo}`);
  if (hotline && !linked.has(memberNo)) {
    const assignment = { member_no: memberNo, hotline_number: hotline.hotline_number };
    await ask('hotline/member/add', { ...assignment, allow_call: true, start_time: '', end_time: '' }).catch(
      (error) => {
        if (error.error !== ALREADY_LINKED) throw error;
      },
    );
    linked.add(memberNo);
  }
  const balance = readBalance(member);
  const { hotline_name: name, hotline_number: number, hotline_code: code } = hotline ?? {};
  return {
    token,
    member: { memberNo, name: member.member_name, balance, currency: 'VND' },
    hotlines: hotline ? [{ name, number, code, type: hotline.hotline_type }] : [],
    blockers: [...(balance > 0 ? [] : ['insufficient-funds']), ...(hotline ? [] : ['no-hotline'])],
  };
}

function send(response, status, body) {
  response.writeHead(status, {
    'Content-Type': status < 400 ? 'application/json' : 'application/problem+json',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  });
  response.end(JSON.stringify(body));
}

createServer(async (request, response) => {
  request.resume();
  const { origin, host } = request.headers;
  const refuse = (status, code) => send(response, status, { title: code, status, code });
  if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`) {
    return refuse(403, 'origin-not-allowed');
  }
  if (request.method !== 'POST') return refuse(405, 'invalid-request');
  if (Number(request.headers['content-length'] ?? 0) > 4096) return refuse(413, 'invalid-request');
  const memberNo = memberOf(request);
  if (memberNo === undefined) return refuse(401, 'broker-unauthorized');
  try {
    send(response, 200, await openSession(memberNo));
  } catch (error) {
    console.error(error.message);
    refuse(503, 'vendor-unreachable');
  }
}).listen(Number(PORT), '127.0.0.1');
