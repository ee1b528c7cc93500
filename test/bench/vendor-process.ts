/** A vendor that does nothing but answer, after a wait; counts what it is asked. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Milliseconds; a message may set another wait. */
let wait = 30;
const HOTLINE = {
  hotline_name: 'Sales',
  hotline_number: '842899990001',
  hotline_code: 'A',
  hotline_type: 'HOTLINE',
};

let calls = 0;
// Longer than any pause of those who ask: a connection closed while a request is on its way would end the bench.
const server = createServer({ keepAliveTimeout: 600_000 }, (request, response) => {
  calls += 1;
  request.resume();
  request.on('end', () => {
    const url = new URL(request.url ?? '', 'http://vendor');
    setTimeout(() => {
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({ error: 0, message: 'ok', data: answer(url) }));
    }, wait);
  });
});

function answer({ pathname, searchParams }: URL): unknown {
  if (pathname.endsWith('/getAll')) return [HOTLINE];
  if (pathname.endsWith('/tokenSdk')) return 'eyJhbGciOiJIUzI1NiJ9.eyJWYWx1ZSI6IjEifQ.c2lnbmF0dXJl';
  if (!pathname.endsWith('/getByMemberNo')) return true;
  const member_no = searchParams.get('member_no');
  return {
    member_no,
    member_name: 'An',
    member_money: 5000,
    hotlines: [{ hotline_number: HOTLINE.hotline_number }],
  };
}

process.on('message', (message) => {
  if (typeof message === 'number') wait = message;
  process.send?.(calls);
});
// However the bench ends, nothing of it stays behind.
process.on('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
