/** From the element's insertion to its registration, and what may come between. */
import { ANSWERS } from './bench.ts';
import { expect, test } from './fixtures.ts';

const INFO = '/api/sdk/info';
const HOTLINES = '/api/sdk/getHotline';
const REGISTER = /^REGISTER /;

test('hotlines, socket and registration come one after the other', async ({ bench }) => {
  const { journal } = bench;
  await bench.register();
  await journal.quiet();
  expect(journal.texts('sdk')).toEqual([
    'onHotlinesUpdated 0',
    'onHotlinesUpdated 2',
    'onConnecting',
    'onConnected',
    'onUserConnected',
  ]);
  journal.expectOrder([/^POST .*sdk\/info$/, /^GET .*sdk\/getHotline$/, 'onHotlinesUpdated 2']);
  journal.expectOrder(['onConnected', REGISTER, '401 REGISTER', REGISTER, '200 REGISTER', 'onUserConnected']);
  expect(await bench.exchange.registrations()).toHaveLength(1);
  expect(await bench.page.evaluate(() => widget.getHotlines())).toEqual([
    { name: 'Sales', number: '842899990001' },
    { name: 'Support', number: '842899990002' },
  ]);
});

test('a slow account is not reported; a call meanwhile is refused', async ({ bench }) => {
  const { journal } = bench;
  bench.world.faults.set(INFO, { kind: 'slow', value: 1000 });
  await bench.insert();
  await bench.dial(ANSWERS);
  journal.expectOrder(['onError Client chưa được khởi tạo', 'makeCall resolved undefined']);
  await journal.until('onUserConnected');
  await journal.expectNone('sdk', /^onCall/);
});

test('without hotlines it registers, and calls without one', async ({ bench }) => {
  const { journal } = bench;
  bench.world.setAssignments(bench.member, []);
  await bench.register();
  await bench.dial(ANSWERS);
  await journal.until(/^INVITE sip:9001\*0900000200@/);
  expect(journal.texts('sdk').slice(0, 4)).toEqual([
    'onHotlinesUpdated 0',
    'onConnecting',
    'onConnected',
    'onUserConnected',
  ]);
});

test('hotlines that cannot be loaded count as none', async ({ bench }) => {
  bench.world.faults.set(HOTLINES, { kind: 'status', value: 500 });
  await bench.register();
  await bench.journal.quiet();
  expect(bench.journal.texts('sdk')).toEqual([
    'onHotlinesUpdated 0',
    'onConnecting',
    'onConnected',
    'onUserConnected',
  ]);
});

test('the list of a second boot comes with its event, before it registers', async ({ bench }) => {
  const { journal, page } = bench;
  await bench.register();
  await page.evaluate(() => widget.remove());
  await bench.expectUnregistered();
  bench.world.setAssignments(bench.member, bench.member.assignments.slice(0, 1));
  const mark = journal.mark();
  await bench.insert();
  await journal.until('onUserConnected', mark);
  const texts = journal.texts('sdk', mark);
  expect(texts).toContain('onHotlinesUpdated 1');
  expect(texts.slice(texts.indexOf('onHotlinesUpdated 1'))).not.toContain('onHotlinesUpdated 2');
  expect(await page.evaluate(() => widget.getHotlines())).toHaveLength(1);
});

test('without a token nothing happens, not even when it comes later', async ({ bench }) => {
  const { journal } = bench;
  const token = bench.world.issueToken(bench.member.memberNo);
  await bench.insert({ token: null });
  await bench.page.evaluate((late) => widget.setAttribute('token', late), token);
  await journal.quiet(1000);
  expect(journal.texts('sdk')).toEqual(['onHotlinesUpdated 0']);
  await journal.expectNone('http', /sdk\/(?:info|getHotline)/);
});
