/** The element taken out of the page: the client goes, and nobody tells. */
import { RINGS } from './bench.ts';
import { expect, test } from './fixtures.ts';

const INFO = /^POST .*sdk\/info$/;

test('the element removed while idle: unregistered, and no event tells', async ({ bench }) => {
  await bench.register();
  const mark = bench.journal.mark();
  await bench.page.evaluate(() => widget.remove());
  await bench.expectUnregistered();
  await bench.journal.expectNone('sdk', /^on/, mark);
  expect(await bench.page.locator('audio').count(), 'it takes its own <audio> away').toBe(0);
});

test('the element removed in a call: BYE, and no event tells', async ({ bench }) => {
  const call = await bench.converse();
  const mark = bench.journal.mark();
  await bench.page.evaluate(() => widget.remove());
  await bench.journal.until(/^BYE /, mark);
  await expect.poll(() => call.endedBy).toBe('caller');
  await bench.expectUnregistered();
  await bench.journal.expectNone('sdk', /^on/, mark);
  expect(await bench.microphones()).toEqual(['ended']);
});

test('the element removed while it rings there: CANCEL, and no event tells', async ({ bench }) => {
  await bench.register();
  await bench.dial(RINGS);
  await bench.journal.until('180 INVITE');
  const mark = bench.journal.mark();
  await bench.page.evaluate(() => widget.remove());
  await bench.journal.until(/^CANCEL /, mark);
  await bench.expectUnregistered();
  await bench.journal.expectNone('sdk', /^on/, mark);
});

test('the element removed while the account is asked for: it registers all the same', async ({ bench }) => {
  bench.world.faults.set('/api/sdk/info', { kind: 'slow', value: 500 });
  await bench.insert();
  await bench.journal.until(INFO);
  await bench.page.evaluate(() => widget.remove());
  const mark = bench.journal.mark();
  await expect.poll(() => bench.exchange.registrations()).toHaveLength(1);
  await bench.journal.expectNone('sdk', /^on/, mark);
});

test('the page left in a call: the socket closes, without BYE', async ({ bench }) => {
  const call = await bench.converse();
  await bench.page.goto('about:blank');
  await expect.poll(() => bench.exchange.registrations()).toHaveLength(0);
  await bench.journal.expectNone('sent', /^BYE/);
  expect(call.state).toBe('answered');
});
