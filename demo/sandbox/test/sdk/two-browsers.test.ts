/** Two browsers of one member, and a registration that is not renewed. */
import { expect, test } from './fixtures.ts';

test('a call in rings in both browsers; the first to answer has it, and the other reads that it was answered elsewhere', async ({
  bench,
  second,
}) => {
  await Promise.all([bench.register(), second.register()]);
  const call = await bench.exchange.ring('Khach Hang', 'crm42');
  const invites = await Promise.all([bench, second].map(({ journal }) => journal.until(/^INVITE /)));
  for (const { detail } of invites) expect(String(detail)).toMatch(/^X-exc-id: crm42\r$/im);
  await Promise.all([bench, second].map(({ journal }) => journal.until(/^onCallProgress/)));
  await second.invoke('answerCall');
  await second.journal.until(/^onCallAccepted/);
  const { detail } = await bench.journal.until(/^CANCEL /);
  expect(String(detail)).toMatch(/^Reason: SIP;cause=200;text="Call completed elsewhere"\r$/im);
  await bench.journal.until(/^onCallEnded/);
  await expect.poll(() => second.audioEnergy()).toBeGreaterThan(0);
  expect([call.state, call.cost]).toEqual(['answered', 0]);
  await second.exchange.hangUp(call);
  await second.journal.until(/^onCallEnded/);
  expect([call.endedBy, call.endedWith]).toEqual(['caller', 'BYE']);
});

test('another device answers, and both browsers stop ringing', async ({ bench, second }) => {
  await Promise.all([bench.register(), second.register()]);
  const call = await bench.exchange.ring();
  await Promise.all([bench, second].map(({ journal }) => journal.until(/^onCallProgress/)));
  await bench.exchange.answerElsewhere(call);
  for (const { journal } of [bench, second]) {
    const { detail } = await journal.until(/^CANCEL /);
    expect(String(detail)).toMatch(/^Reason: SIP;cause=200/im);
    await journal.until(/^onCallEnded/);
  }
  expect([call.finalStatus, call.endedBy, call.endedWith]).toEqual([200, 'callee', 'answered-elsewhere']);
});

test('a registration whose renewal is refused is lost', async ({ bench }) => {
  bench.world.setSettings({ ...bench.world.settings, registerExpires: 10 });
  bench.world.faults.set('refresh', { kind: 'status', value: 403 });
  await bench.register();
  await bench.journal.until(/^onUserDisconnected/, 0, 20_000);
  bench.journal.expectOrder(['200 REGISTER', 'onUserConnected', '403 REGISTER']);
  await expect.poll(() => bench.exchange.registrations()).toEqual([]);
  expect(bench.world.registrations[0]?.endedWith).toBe('expired');
});

test('a browser that is closed ends its own registration only', async ({ bench, second }) => {
  await Promise.all([bench.register(), second.register()]);
  await second.page.close();
  await expect.poll(() => bench.exchange.registrations()).toHaveLength(1);
  expect(bench.world.registrations.map(({ endedWith }) => endedWith).toSorted()).toEqual([
    'socket-closed',
    undefined,
  ]);
  await bench.ring();
});
