/** The element moved, put back and doubled. One page has one client, whatever its elements do. */
import { ANSWERS, RINGS, type Bench } from './bench.ts';
import { expect, test } from './fixtures.ts';

const INFO_PATH = '/api/sdk/info';
const INFO = `POST /vendor/v3.0${INFO_PATH}`;
const A_WHILE_MS = 800;

const boots = ({ journal }: Bench): number => journal.texts('http').filter((text) => text === INFO).length;

/** Takes the element out and puts it back before anything else can happen. */
const reinsert = ({ page }: Bench): Promise<void> =>
  page.evaluate(() => {
    const place = widget.parentNode;
    widget.remove();
    place?.append(widget);
  });

async function insertSecond(bench: Bench): Promise<void> {
  await bench.page.evaluate(() => {
    const second = widget.cloneNode(true) as HTMLElement;
    watch(second, 'second');
    document.body.append(second);
  });
}

test('an element removed and put back in one task: a second boot, one registration', async ({ bench }) => {
  await bench.register();
  const mark = bench.journal.mark();
  await reinsert(bench);
  await bench.journal.until('onUserConnected', mark);
  bench.journal.expectOrder(['onDisconnected', 'onUserDisconnected', 'onConnecting', 'onConnected'], mark);
  await bench.journal.quiet();
  expect(boots(bench)).toBe(2);
  await expect.poll(() => bench.exchange.registrations()).toHaveLength(1);
  await bench.dial(ANSWERS);
  await bench.journal.until(/^onCallAccepted/, mark);
});

test('an element removed and put back while booting: both boots run, and the second connects nothing', async ({
  bench,
}) => {
  const { journal, world } = bench;
  world.faults.set(INFO_PATH, { kind: 'slow', value: 500, times: 1 });
  await bench.insert();
  await expect.poll(() => world.faults.has(INFO_PATH), { intervals: [10] }).toBe(false);
  world.faults.set(INFO_PATH, { kind: 'slow', value: 1500, times: 1 });
  await reinsert(bench);
  await journal.until('onUserConnected');
  const mark = journal.mark();
  await journal.until('onConnecting', mark);
  await journal.quiet(A_WHILE_MS);
  expect(journal.texts('sdk', mark)).toEqual(['onConnecting']);
  expect(boots(bench)).toBe(2);
  expect(await bench.exchange.registrations()).toHaveLength(1);
});

test('an element moved in a call: BYE, a new boot, and then the end is told', async ({ bench }) => {
  const call = await bench.converse();
  const mark = bench.journal.mark();
  await bench.page.evaluate(() => {
    const place = document.createElement('div');
    document.body.append(place);
    place.append(widget);
  });
  await bench.journal.until('onUserConnected', mark);
  await bench.journal.quiet();
  const told = ['onDisconnected', 'onUserDisconnected', 'onCallStateChange idle'];
  const booted = ['onConnecting', 'onConnected', 'onUserConnected'];
  expect(bench.journal.texts('sdk', mark)).toEqual([...told, 'onCallEnded outgoing with session', ...booted]);
  bench.journal.expectOrder([/^BYE /], mark);
  expect(call.endedBy).toBe('caller');
  expect(boots(bench)).toBe(2);
});

test('two elements: two boots, one client, every event on both', async ({ bench }) => {
  const { journal } = bench;
  await bench.insert();
  await insertSecond(bench);
  await journal.until('onUserConnected');
  await journal.until('onUserConnected second');
  await journal.quiet();
  expect(boots(bench)).toBe(2);
  expect(await bench.exchange.registrations()).toHaveLength(1);
  await bench.dial(RINGS);
  await journal.until('onCallStateChange dialing');
  await journal.until('onCallStateChange dialing second');
  expect((await bench.exchange.call()).number).toBe(RINGS);
  await journal.quiet();
  expect(bench.exchange.calls).toHaveLength(1);
});

test('two elements: removing one takes the client from both', async ({ bench }) => {
  const { journal } = bench;
  await bench.insert();
  await insertSecond(bench);
  await journal.until('onUserConnected second');
  await journal.quiet();
  const mark = journal.mark();
  await bench.page.evaluate(() => document.querySelectorAll('vbot-widget')[1]?.remove());
  await journal.until('onUserDisconnected', mark);
  await bench.expectUnregistered();
  await bench.dial(ANSWERS);
  await journal.until('onError Client chưa được khởi tạo', mark);
});

test('another token counts from the next insertion on', async ({ bench }) => {
  const { journal, page } = bench;
  const other = bench.world.createMember('agent002', ['HL_SALES']);
  await bench.register();
  const mark = journal.mark();
  await page.evaluate((token) => widget.setAttribute('token', token), bench.world.issueToken(other.memberNo));
  await journal.quiet(A_WHILE_MS);
  expect(journal.texts('sdk', mark)).toEqual([]);
  await reinsert(bench);
  await journal.until('onUserConnected', mark);
  const registered = (await bench.exchange.registrations()).map(({ memberNo }) => memberNo);
  expect(registered.includes(other.memberNo), 'the other member is registered').toBeTruthy();
});
