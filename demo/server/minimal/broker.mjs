// A minimal broker in Node: a token for who is signed in, and no money. PORT=8080 node broker.mjs
import { createServer } from 'node:http';

const { VENDOR_BASE_URL, VENDOR_API_KEY, AGENT_TOKENS = '', PORT = '8080' } = process.env;
// Replace by your own session: here AGENT_TOKENS="secret1:agent001 secret2:agent002" says who a bearer token is.
const agents = new Map(AGENT_TOKENS.split(' ').map((pair) => pair.split(':')));

function memberOf({ headers }) {
  return agents.get(/^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1]);
}

async function issueToken(memberNo) {
  const response = await fetch(`${VENDOR_BASE_URL}/api/sdk/tokenSdk`, {
    method: 'POST',
    headers: { 'X-API-Key': VENDOR_API_KEY, 'Content-Type': 'application/json' },
    body: JSON.stringify({ member_no: memberNo }),
    redirect: 'error',
    signal: AbortSignal.timeout(5000),
  });
  const { error, data } = await response.json();
  if (error !== 0 || typeof data !== 'string') throw new Error('no token');
  return data;
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
    send(response, 200, { token: await issueToken(memberNo), blockers: [] });
  } catch {
    refuse(503, 'vendor-unreachable');
  }
}).listen(Number(PORT), '127.0.0.1');
