/**
 * A vendor that only answers, after a wait, and with 429 above a rate. It knows who has money, and counts its requests and
 * what it has paid.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

const WAIT_MS = Number(process.env['VENDOR_WAIT'] ?? 30);
/** Calls a second. */
const RATE = Number(process.env['VENDOR_RATE'] ?? Infinity);
/** Every so manieth member comes without money. */
const POOR = Number(process.env['VENDOR_POOR']);
const HOTLINE = {
  hotline_name: 'Sales',
  hotline_number: '842899990001',
  hotline_code: 'A',
  hotline_type: 'HOTLINE',
};

let [calls, refused, credited] = [0, 0, 0];
let [second, inSecond] = [0, 0];
const added = new Map<string, number>();

function isTooMuch(): boolean {
  const now = Math.floor(performance.now() / 1000);
  if (now !== second) [second, inSecond] = [now, 0];
  inSecond += 1;
  return inSecond > RATE;
}

const balanceOf = (memberNo: string) =>
  (Number(memberNo.slice('agent'.length)) % POOR === 0 ? 0 : 5000) + (added.get(memberNo) ?? 0);

// Longer than any pause of those who ask: a connection closed while a request is on its way would end the bench.
const server = createServer({ keepAliveTimeout: 600_000 }, async (request, response) => {
  calls += 1;
  const url = new URL(request.url ?? '', 'http://vendor');
  const body =
    request.method === 'POST' ? ((await json(request)) as { member_no: string; money: number }) : undefined;
  setTimeout(() => {
    response.setHeader('Content-Type', 'application/json');
    if (isTooMuch()) {
      refused += 1;
      response.writeHead(429).end('{}');
    } else response.end(JSON.stringify({ error: 0, message: 'ok', data: answer(url, body) }));
  }, WAIT_MS);
});

function answer(
  { pathname, searchParams }: URL,
  body: { member_no: string; money: number } | undefined,
): unknown {
  if (pathname.endsWith('/getAll')) return [HOTLINE];
  if (pathname.endsWith('/tokenSdk')) return 'eyJhbGciOiJIUzI1NiJ9.eyJWYWx1ZSI6IjEifQ.c2lnbmF0dXJl';
  if (pathname.endsWith('/balance')) return 1_000_000_000;
  if (pathname.endsWith('/addMoney') && body) {
    credited += body.money;
    added.set(body.member_no, (added.get(body.member_no) ?? 0) + body.money);
    return true;
  }
  const member_no = searchParams.get('member_no') ?? '';
  const hotlines = [{ hotline_number: HOTLINE.hotline_number }];
  return { member_no, member_name: 'An', member_money: balanceOf(member_no), hotlines };
}

process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ calls, refused, credited, cpuMicroseconds: user + system });
});
// However the bench ends, nothing of it stays behind.
process.on('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
