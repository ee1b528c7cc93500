/** The sandbox's history of calls: what the exchange saw, in the vendor's words. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCallHistory } from '../../rest/call-history.ts';
import { World } from '../../world/world.ts';
import { endedCall } from './vendor.ts';

const KEY = { 'X-API-Key': 'sandbox-api-key' };
type Row = Record<string, unknown>;

function openHistory(world: World) {
  const app = createCallHistory(world);
  return async (path: string): Promise<{ error: number; data: unknown }> => {
    const answer = await app.request(path, { headers: KEY });
    return (await answer.json()) as { error: number; data: unknown };
  };
}

function worldWithCalls(): World {
  const world = new World();
  world.calls.push(
    endedCall({ id: 'old', finalStatus: 486, answeredAt: undefined, cost: 0 }),
    endedCall({
      id: 'missed',
      memberNo: 'agent002',
      direction: 'incoming',
      answeredAt: undefined,
      finalStatus: 408,
      cost: 0,
    }),
    endedCall({
      id: 'new',
      startedAt: 2_000_000,
      answeredAt: 2_001_000,
      endedAt: 2_011_000,
      externalCallId: 'crm42',
    }),
    endedCall({ id: 'now', state: 'answered', endedAt: undefined }),
  );
  return world;
}

test('calls that are over are listed, newest first, with talk time, cost and external id', async () => {
  const ask = openHistory(worldWithCalls());
  const rows = (await ask('/m-cdr/api/call/get-all')).data as Row[];
  assert.deepEqual(
    rows.map((row) => row['trans_id']),
    ['new', 'missed', 'old'],
  );
  const [row] = rows;
  assert.deepEqual(
    [
      row?.['time_call'],
      row?.['duration'],
      row?.['postage'],
      row?.['external_call_id'],
      row?.['disposition'],
    ],
    [10, 11, 300, 'crm42', 'ANSWER'],
  );
});

const filters: readonly [query: string, ids: readonly string[]][] = [
  ['member_no=agent002', ['missed']],
  ['type_call=3', ['missed']],
  ['type_call=2', ['new', 'old']],
  ['disposition=BUSY', ['old']],
  ['from=1500000', ['new']],
  ['customer_code=c01', ['new', 'missed', 'old']],
  ['customer_code=c02', []],
  ['min_postage=1', ['new']],
  ['max_postage=-1', ['new', 'missed', 'old']],
  ['size=1&page=0', ['new']],
  ['size=1&page=2', ['old']],
  ['key_search=999', []],
];
for (const [query, ids] of filters) {
  test(`the history filters and counts by ${query}`, async () => {
    const ask = openHistory(worldWithCalls());
    const rows = (await ask(`/m-cdr/api/call/get-all?${query}`)).data as Row[];
    assert.deepEqual(
      rows.map((row) => row['trans_id']),
      ids,
    );
    if (query.includes('size')) return;
    assert.equal((await ask(`/m-cdr/api/call/count-all?${query}`)).data, ids.length);
  });
}

test('how well a call sounded follows from the audio that came', async () => {
  const world = worldWithCalls();
  const ask = openHistory(world);
  const read = async () => (await ask('/m-cdr/api/agi/get-by-trans-id?trans_id=new')).data as Row;
  const good = await read();
  assert.deepEqual([good['rtp_audio_quality_caller'], good['rtp_audio_in_mos_caller']], [100, 4.4]);
  for (const call of world.calls) call.audioPackets = 250;
  const poor = await read();
  assert.deepEqual([poor['rtp_audio_quality_caller'], poor['rtp_audio_in_mos_caller']], [50, 2.7]);
  assert.equal((await ask('/m-cdr/api/agi/get-by-trans-id?trans_id=nobody')).data, null);
});

test('a call that was refused for money is in the history as such', async () => {
  const world = new World();
  world.calls.push(endedCall({ finalStatus: 402, answeredAt: undefined, cost: 0 }));
  const ask = openHistory(world);
  const [row] = (await ask('/m-cdr/api/call/get-all')).data as Row[];
  assert.equal(row?.['disposition'], 'OUT_OF_MONEY');
  const [leg] = (await ask(`/m-cdr/api/call/get-detail?group_id=${String(row?.['group_id'])}`)).data as Row[];
  assert.deepEqual([leg?.['sip_code'], leg?.['hangup_cause']], ['402', 'OUT_OF_MONEY']);
});
