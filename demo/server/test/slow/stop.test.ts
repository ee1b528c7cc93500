/** SIGTERM: whoever has not sent a whole request cannot keep the server running. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { payments, start, startVendor } from '../vendor.ts';

const LIMIT = { timeout: 60_000 };
const HEAD = 'POST /dialer/session HTTP/1.1\r\nHost: x\r\n';

test(
  'SIGTERM ends the server within seconds, whatever half a request a client has sent',
  LIMIT,
  async (t) => {
    const { child, url } = (await start(t, 'Node', await startVendor(t)))!;
    const closed = ['', HEAD, `${HEAD}Content-Length: 9\r\n\r\nab`].map((text) => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
      t.after(() => socket.destroy());
      if (text !== '') socket.write(text);
      return once(socket, 'close');
    });
    await delay(300);
    child.kill('SIGTERM');
    const late = new AbortController();
    t.after(() => late.abort());
    const ended = Promise.all([once(child, 'exit'), ...closed]).then(([exit]) => exit);
    assert.deepEqual(await Promise.race([ended, delay(15_000, 'runs on', { ref: false })]), [0, null]);
  },
);

test('SIGTERM lets a payment end that is in progress, also if the vendor is slow', LIMIT, async (t) => {
  const vendor = await startVendor(t);
  vendor.respond = (path) => {
    if (path !== 'member/addMoney') return undefined;
    return (response) => setTimeout(() => response.end('{"error": 0}'), 7000);
  };
  const { child, ask, log } = (await start(t, 'Node', vendor))!;
  const answer = ask().catch(() => 'cut off');
  while (payments(vendor) === 0) await delay(10);
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'exit'), [0, null]);
  assert.match(log(), /agent001 4 top-up {4}1000 VND paid/);
  await answer;
});
