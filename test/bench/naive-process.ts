/** What a partner writes first: the vendor's steps one after the other, with the fetch that Node brings along. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const { VENDOR_BASE_URL = '', VENDOR_API_KEY = '' } = process.env;
const headers = { 'X-API-Key': VENDOR_API_KEY, 'Content-Type': 'application/json' };

const server = createServer(async (request, response) => {
  const memberNo = new URL(request.url ?? '', 'http://naive').searchParams.get('member') ?? '';
  const token = await issue(memberNo);
  response.setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify({ token }));
});

async function issue(member_no: string): Promise<unknown> {
  const [hotline] = (await ask('hotline/getAll')) as { hotline_code: string; hotline_number: string }[];
  const token = await ask('sdk/tokenSdk', { member_no, hotline_codes: [hotline?.hotline_code] });
  await ask(`member/getByMemberNo?member_no=${member_no}`);
  await ask('member/addMoney', { member_no, money: 1000 });
  const times = { start_time: '', end_time: '' };
  await ask('hotline/member/add', {
    member_no,
    hotline_number: hotline?.hotline_number,
    allow_call: true,
    ...times,
  });
  return token;
}

async function ask(path: string, body?: object): Promise<unknown> {
  const post = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const answer = await fetch(`${VENDOR_BASE_URL}/api/${path}`, { headers, ...post });
  return ((await answer.json()) as { data: unknown }).data;
}

process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.(user + system);
});
// However the bench ends, nothing of it stays behind.
process.on('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
