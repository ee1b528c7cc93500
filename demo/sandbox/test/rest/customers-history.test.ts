/** What happened with a customer: the calls of the exchange, the changes at the vendor, and what a test adds. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { createInteractionApi } from '../../rest/interactions.ts';
import { Headset, Site } from '../exchange/sip-phone.ts';
import { startVendor } from './vendor.ts';

interface Element {
  readonly create_at: number;
  readonly member_no: string;
  readonly type: string;
  readonly type_sub: string;
  readonly content: string;
  readonly customer_code: string;
}

/** An exchange with a dialer, and the histories that its calls go into. */
async function openExchange(t: TestContext) {
  const site = new Site(t);
  const phone = await site.register();
  const app = createInteractionApi(site.world);
  const calls = async (customer: string): Promise<Element[]> => {
    const path = `/api/ActionTimeline/get-all?customer_code=${customer}&type=HISTORY_CALL`;
    const answer = await app.request(path, { headers: { 'X-API-Key': 'sandbox-api-key' } });
    return ((await answer.json()) as { data: Element[] }).data;
  };
  return { site, phone, calls };
}

test('a call out is in the history of the customer, however their number is kept and dialled', async (t) => {
  const { site, phone, calls } = await openExchange(t);
  const headset = new Headset(t);
  const invite = phone.invite('9001*84900000200', await headset.peer.offer());
  const dialog = phone.acknowledge(invite, await phone.next(/^SIP\/2\.0 200/));
  phone.request('BYE', 'sip:exchange@sandbox.invalid', dialog);
  await phone.next(/^SIP\/2\.0 200/);
  await site.settled(() => site.world.calls.at(-1)?.state === 'ended');
  const [call, ...others] = await calls('c01');
  assert.equal(others.length, 0);
  assert.deepEqual(
    [call?.type_sub, call?.member_no, call?.customer_code],
    ['HISTORY_CALL_OUT', 'agent001', 'c01'],
  );
  assert.match(call?.content ?? '', /^Call to 84900000200, \d+ s$/);
  assert.deepEqual(await calls('c02'), []);
});

test('a call from a customer is in their history as answered, or as missed', async (t) => {
  const { site, phone, calls } = await openExchange(t);
  const headset = new Headset(t);
  const answered = site.exchange.ringMember('agent001', { from: '0912345678' });
  const invite = await phone.next(/^INVITE/);
  phone.respond(invite, '200 OK', await headset.peer.answer(invite.body));
  await phone.next(/^ACK/);
  site.exchange.hangUp(answered.id);
  const missed = site.exchange.ringMember('agent001', { from: '84912345678' });
  phone.respond(await phone.next(/^INVITE/), '180 Ringing');
  await site.settled(() => missed.state === 'ringing');
  site.exchange.hangUp(missed.id);
  assert.deepEqual(
    (await calls('c06')).map(({ type_sub }) => type_sub),
    ['HISTORY_MISS_CALL', 'HISTORY_CALL_IN'],
  );
});

test('a call is in the histories of all customers with the number, a second telephone of theirs too', async (t) => {
  const { site, phone, calls } = await openExchange(t);
  const call = site.exchange.ringMember('agent001', { from: '+842838221235' });
  phone.respond(await phone.next(/^INVITE/), '486 Busy Here');
  await site.settled(() => call.state === 'ended');
  assert.deepEqual(
    (await calls('c01')).map(({ type_sub }) => type_sub),
    ['HISTORY_MISS_CALL'],
  );
  const stranger = site.exchange.ringMember('agent001', { from: '0777777777' });
  phone.respond(await phone.next(/^INVITE/), '486 Busy Here');
  await site.settled(() => stranger.state === 'ended');
  assert.equal((await calls('c01')).length, 1);
});

test('changes at the vendor are in the history, newest first, and it is filtered, counted and paged', async (t) => {
  const vendor = startVendor(t);
  await vendor.post('/api/customer/update', { customer_code: 'c01', fields: { company: 'Sen Vàng' } });
  const read = async (query: Record<string, string> = {}) => {
    const { data } = await vendor.get<Element[]>('/api/ActionTimeline/get-all', {
      customer_code: 'c01',
      ...query,
    });
    return data.map(({ type_sub }) => type_sub);
  };
  assert.deepEqual(await read(), ['CUSTOMER_UPDATE', 'NOTE_INSERT', 'CUSTOMER_CREATE']);
  assert.deepEqual(await read({ type: 'NOTE' }), ['NOTE_INSERT']);
  assert.deepEqual(await read({ size: '1', page: '2' }), ['CUSTOMER_CREATE']);
  assert.deepEqual(await read({ from: String(Date.now() - 60_000), to: '-1' }), ['CUSTOMER_UPDATE']);
  assert.deepEqual(await read({ to: String(Date.now() - 60_000) }), ['NOTE_INSERT', 'CUSTOMER_CREATE']);
  const count = await vendor.get('/api/ActionTimeline/count-all', { customer_code: 'c01', type: 'CUSTOMER' });
  assert.equal(count.data, 2);
});

test('a history is asked for by customer only', async (t) => {
  const vendor = startVendor(t);
  assert.equal((await vendor.get('/api/ActionTimeline/get-all')).error, -1);
  assert.equal((await vendor.get('/api/ActionTimeline/get-all', { customer_code: 'nobody' })).error, 404);
  assert.equal((await vendor.get('/api/ActionTimeline/count-all', { customer_code: 'nobody' })).error, 404);
});

test('a test can add what the vendor has no call for, of every kind', async (t) => {
  const vendor = startVendor(t);
  const add = async (body: object) => {
    const request = new Request('http://vendor.invalid/sandbox/interactions', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ customerCode: 'c01', content: 'Ghi chú', ...body }),
    });
    return (await vendor.sandbox.fetch(request)).status;
  };
  assert.equal(await add({ type: 'TICKET', kind: 'NEW_TICKET', memberNo: 'agent002' }), 200);
  assert.equal(await add({ type: 'TICKET', kind: 'NEW_TODO' }), 400);
  assert.equal(await add({ type: 'PARTY', kind: 'NEW_TODO' }), 400);
  assert.equal(await add({ customerCode: 'nobody', type: 'NOTE', kind: 'NOTE_INSERT' }), 404);
  const { data } = await vendor.get<Element[]>('/api/ActionTimeline/get-all', { customer_code: 'c01' });
  assert.deepEqual(
    [data[0]?.type, data[0]?.type_sub, data[0]?.member_no, data[0]?.content],
    ['TICKET', 'NEW_TICKET', 'agent002', 'Ghi chú'],
  );
});
