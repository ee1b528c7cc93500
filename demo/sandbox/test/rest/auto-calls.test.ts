/** Automatic calls of the sandbox: members are rung, and how it ended is told to the partner. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test, type TestContext } from 'node:test';
import { createAutoCallApi } from '../../rest/auto-call-api.ts';
import { AutoCalls, type DialerCalls } from '../../rest/auto-calls.ts';
import { Webhooks } from '../../rest/webhooks.ts';
import { World, type CallRecord } from '../../world/world.ts';
import { serve } from '../servers.ts';
import { endedCall } from './vendor.ts';

interface Answer {
  readonly status: number;
  readonly errorCode: number;
  readonly data: unknown;
}

/** The dialer of agent001 rings until it is answered or hung up. */
class RingingExchange implements DialerCalls {
  readonly world = new World();
  readonly callers: Parameters<DialerCalls['ringMember']>[1][] = [];

  registrations() {
    return [{ memberNo: 'agent001' }];
  }

  ringMember(memberNo: string, caller: (typeof this.callers)[number]): CallRecord {
    const ringing = { state: 'ringing', answeredAt: undefined, finalStatus: undefined } as const;
    const call = endedCall({
      id: `c${this.callers.push(caller)}`,
      memberNo,
      direction: 'incoming',
      ...ringing,
    });
    this.world.calls.push(call);
    return call;
  }

  hangUp(callId: string): boolean {
    const call = this.world.calls.find(({ id, state }) => id === callId && state !== 'ended');
    if (call) this.end(call, call.answeredAt === undefined ? 487 : 200);
    return call !== undefined;
  }

  end(call: CallRecord | undefined, finalStatus: number): void {
    assert.ok(call);
    this.world.emitCall(Object.assign(call, { state: 'ended', finalStatus, endedAt: Date.now() }));
  }
}

function openSite(t: TestContext) {
  const site = new RingingExchange();
  const calls = new AutoCalls(site.world, site);
  const webhooks = new Webhooks(site.world);
  t.after(() => {
    calls.close();
    return webhooks.close();
  });
  const app = createAutoCallApi(site.world, calls);
  const order = async (path: string, body: object): Promise<Answer> => {
    const answer = await app.request(`/m-auto-call/api/call/${path}`, {
      method: 'POST',
      headers: { 'X-API-Key': 'sandbox-api-key', 'Content-Type': 'application/json' },
      body: JSON.stringify({ template_code: 'SCRIPT_ALERT', hotline_code: 'HL_SALES', ...body }),
    });
    return (await answer.json()) as Answer;
  };
  return { site, order, app };
}

const members = (...numbers: string[]) => ({
  display_name: 'CRM',
  member_infos: numbers.map((member_no) => ({ member_no })),
});

test("an automatic call rings the member's dialer, and its end is recorded", async (t) => {
  const { site, order } = openSite(t);
  const infos = [{ member_no: 'agent001', external_call_id: 'alert1' }];
  const answer = await order('create-list-member', { display_name: 'CRM', member_infos: infos });
  assert.deepEqual([answer.status, answer.errorCode, answer.data], [200, 0, true]);
  assert.deepEqual(site.callers, [{ from: '842899990001', name: 'CRM', externalCallId: 'alert1' }]);
  site.end(site.world.calls[0], 486);
  assert.deepEqual([site.world.autoCalls[0]?.disposition, site.world.autoCalls[0]?.sipCode], ['BUSY', 486]);
});

test('it rings for max_waiting_time, and without a limit if that is below 0; max_time counts from the answer', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  const { site, order } = openSite(t);
  const agent = members('agent001');
  await order('create-list-member', { ...agent, max_waiting_time: 5 });
  await order('create-list-member', { ...agent, max_waiting_time: -1, max_time: 10 });
  const [short, unlimited] = site.world.calls;
  t.mock.timers.tick(5000);
  assert.deepEqual([short?.finalStatus, unlimited?.state], [487, 'ringing']);
  t.mock.timers.tick(40_000);
  assert.equal(unlimited?.state, 'ringing');
  Object.assign(unlimited, { state: 'answered', answeredAt: Date.now() });
  t.mock.timers.tick(9500);
  assert.equal(unlimited.state, 'answered');
  t.mock.timers.tick(600);
  assert.equal(unlimited.state, 'ended');
  assert.deepEqual(
    site.world.autoCalls.map(({ sipCode }) => sipCode),
    [487, 200],
  );
});

test('a member without a dialer is not reachable, at once', async (t) => {
  const { site, order } = openSite(t);
  await order('create-list-member', members('agent002'));
  assert.equal(site.world.autoCalls[0]?.disposition, 'NOANSWER');
});

test('five at most, repeats not counted, and a list there has to be', async (t) => {
  const { site, order } = openSite(t);
  const six = ['a', 'b', 'c', 'd', 'e', 'f'];
  assert.equal((await order('create-list-member', members(...six))).errorCode, 403);
  assert.equal((await order('create-list-member', members(...six.slice(1), 'b', 'c'))).errorCode, 0);
  assert.equal(site.world.autoCalls.length, 5);
  const none = await order('create-list-member', { display_name: 'CRM' });
  assert.deepEqual([none.errorCode, none.data], [-1, false]);
  assert.equal(
    (await order('create-list-member', { ...members('a'), template_code: 'NONE' })).errorCode,
    500,
  );
});

interface Received {
  readonly auth: string | null;
  readonly body: Record<string, unknown>;
}

async function receive(t: TestContext, count: number): Promise<{ url: string; all: Promise<Received[]> }> {
  const received: Received[] = [];
  const full = new AbortController();
  const url = await serve(t, async (request) => {
    received.push({
      auth: request.headers.get('authorization'),
      body: (await request.json()) as Received['body'],
    });
    if (received.length === count) full.abort();
    return new Response(null, { status: 204 });
  });
  const all = once(full.signal, 'abort').then(() => received);
  return { url, all };
}

test('the end of an automatic call is told: log, extraction, recording and the bundle, without their names', async (t) => {
  const { site, order } = openSite(t);
  const { url, all } = await receive(t, 4);
  site.world.webhooks = { url, auth: 'shared-secret' };
  const infos = [{ member_no: 'agent002', external_call_id: 'crm42' }];
  await order('create-list-member', { display_name: 'CRM', member_infos: infos });
  const [log, extraction, recording, bundle] = await all;
  assert.deepEqual(
    [log?.auth, log?.body['disposition'], log?.body['externalCallId']],
    ['shared-secret', 'NOANSWER', 'crm42'],
  );
  assert.equal(extraction?.body['callCollectedData'], '[]');
  assert.equal(recording?.body['transId'], log?.body['transId']);
  assert.deepEqual(Object.keys(bundle?.body ?? {}), [
    'autoCallLog',
    'autoCallAIExtraction',
    'autoCallRecording',
  ]);
});

test('the end of an ordinary call is told as well', async (t) => {
  const { site } = openSite(t);
  const { url, all } = await receive(t, 2);
  site.world.webhooks = { url };
  site.world.emitCall(endedCall({ finalStatus: 486, answeredAt: undefined }));
  const [log, bundle] = await all;
  assert.deepEqual([log?.body['callerMemberNo'], log?.body['disposition']], ['agent001', 'BUSY']);
  assert.deepEqual(Object.keys(bundle?.body ?? {}), ['manualCallLog']);
});
