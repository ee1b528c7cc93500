/** What happened with a customer: their calls, their notes, and that they were added. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { CallRecord } from '../../world/world.ts';
import { endedCall, startVendor } from './vendor.ts';

interface Element {
  readonly create_at: number;
  readonly member_no: string;
  readonly type: string;
  readonly type_sub: string;
  readonly content: string;
  readonly customer_code: string;
}

/** A call that is over is in the histories of its customers; reads the calls in the history of one. */
function openHistories(t: TestContext) {
  const { world, get } = startVendor(t);
  const calls = async (customer_code: string) =>
    (await get<Element[]>('/api/ActionTimeline/get-all', { customer_code, type: 'HISTORY_CALL' })).data;
  return { end: (facts: Partial<CallRecord>) => world.emitCall(endedCall(facts)), calls };
}

test('a call out is in the history of the customer, however their number is kept and dialled', async (t) => {
  const { end, calls } = openHistories(t);
  end({ number: '84900000200' });
  const [call, ...others] = await calls('c01');
  assert.equal(others.length, 0);
  assert.deepEqual(
    [call?.type_sub, call?.member_no, call?.customer_code, call?.content],
    ['HISTORY_CALL_OUT', 'agent001', 'c01', 'Call to 84900000200, 10 s'],
  );
  assert.deepEqual(await calls('c02'), []);
});

test('a call from a customer is in their history as answered, or as missed', async (t) => {
  const { end, calls } = openHistories(t);
  end({ direction: 'incoming', number: '0912345678' });
  end({ direction: 'incoming', number: '84912345678', answeredAt: undefined, finalStatus: 487 });
  assert.deepEqual(
    (await calls('c06')).map(({ type_sub }) => type_sub),
    ['HISTORY_MISS_CALL', 'HISTORY_CALL_IN'],
  );
});

test('a call is in the histories of all customers with the number, a second telephone of theirs too', async (t) => {
  const { end, calls } = openHistories(t);
  end({ direction: 'incoming', number: '+842838221235', answeredAt: undefined });
  assert.deepEqual(
    (await calls('c01')).map(({ type_sub }) => type_sub),
    ['HISTORY_MISS_CALL'],
  );
  end({ direction: 'incoming', number: '0777777777', answeredAt: undefined });
  assert.equal((await calls('c01')).length, 1);
});

test('a new customer is in their history; it is newest first, filtered, counted and paged', async (t) => {
  const vendor = startVendor(t);
  const fields = { customer_code: 'n-1', name: 'Sen Vàng' };
  await vendor.post('/api/customer/insert', { fields });
  const read = async (customer_code: string, query: Record<string, string> = {}) => {
    const { data } = await vendor.get<Element[]>('/api/ActionTimeline/get-all', { customer_code, ...query });
    return data.map(({ type_sub }) => type_sub);
  };
  assert.deepEqual(await read('n-1', { from: String(Date.now() - 60_000), to: '-1' }), ['CUSTOMER_CREATE']);
  assert.deepEqual(await read('n-1', { to: String(Date.now() - 60_000) }), []);
  assert.deepEqual(await read('c01'), ['NOTE_INSERT', 'CUSTOMER_CREATE']);
  assert.deepEqual(await read('c01', { type: 'NOTE' }), ['NOTE_INSERT']);
  assert.deepEqual(await read('c01', { size: '1', page: '1' }), ['CUSTOMER_CREATE']);
  const count = await vendor.get('/api/ActionTimeline/count-all', { customer_code: 'c01', type: 'CUSTOMER' });
  assert.equal(count.data, 1);
});

test('a history is asked for by customer only', async (t) => {
  const vendor = startVendor(t);
  assert.equal((await vendor.get('/api/ActionTimeline/get-all')).error, -1);
  assert.equal((await vendor.get('/api/ActionTimeline/get-all', { customer_code: 'nobody' })).error, 404);
  assert.equal((await vendor.get('/api/ActionTimeline/count-all', { customer_code: 'nobody' })).error, 404);
});
