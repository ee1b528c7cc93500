/** Automatic calls of the sandbox: members are rung, and how it ended is told to the partner. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test, type TestContext } from 'node:test';
import { createAutoCallApi } from '../../rest/auto-call-api.ts';
import { AutoCalls } from '../../rest/auto-calls.ts';
import { Webhooks } from '../../rest/webhooks.ts';
import { serve } from '../servers.ts';
import { Site } from '../exchange/sip-phone.ts';

interface Answer {
  readonly status: number;
  readonly errorCode: number;
  readonly data: unknown;
}

function openSite(t: TestContext) {
  const site = new Site(t);
  const calls = new AutoCalls(site.world, site.exchange);
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
  const phone = await site.register();
  const infos = [{ member_no: 'agent001', external_call_id: 'alert1' }];
  const answer = await order('create-list-member', { display_name: 'CRM', member_infos: infos });
  assert.deepEqual([answer.status, answer.errorCode, answer.data], [200, 0, true]);
  const invite = await phone.next(/^INVITE/);
  assert.equal(invite.header('X-exc-id'), 'alert1');
  assert.match(invite.header('From'), /^"CRM"/);
  const ended = new Promise((resolve) => site.world.addEventListener('auto-call', resolve, { once: true }));
  phone.respond(invite, '486 Busy Here');
  await ended;
  assert.deepEqual([site.world.autoCalls[0]?.disposition, site.world.autoCalls[0]?.sipCode], ['BUSY', 486]);
});

test('a member without a dialer is not reachable, at once', async (t) => {
  const { site, order } = openSite(t);
  await order('create-list-member', members('agent001'));
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
  site.world.webhooks = { url, auth: 'shared-secret', copies: 1, delayMs: 0, reversed: false };
  const infos = [{ member_no: 'agent001', external_call_id: 'crm42' }];
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

test('on the switch, webhooks come twice and the wrong way round', async (t) => {
  const { site, order } = openSite(t);
  const { url, all } = await receive(t, 8);
  site.world.webhooks = { url, copies: 2, delayMs: 1, reversed: true };
  await order('create-list-member', members('agent001'));
  const bodies = (await all).map(({ body }) => body);
  assert.deepEqual(
    bodies.slice(0, 2).map((body) => 'autoCallLog' in body),
    [true, true],
  );
  assert.equal(bodies[6]?.['phone'], 'agent001');
  assert.deepEqual(bodies[6], bodies[7]);
});

test('the end of an ordinary call is told as well', async (t) => {
  const { site } = openSite(t);
  const { url, all } = await receive(t, 2);
  site.world.webhooks = { url, copies: 1, delayMs: 0, reversed: false };
  const phone = await site.register();
  phone.invite('842899990001*9001*0900000486', 'v=0\r\n');
  await phone.next(/^SIP\/2\.0 486/);
  const [log, bundle] = await all;
  assert.deepEqual([log?.body['callerMemberNo'], log?.body['disposition']], ['agent001', 'BUSY']);
  assert.deepEqual(Object.keys(bundle?.body ?? {}), ['manualCallLog']);
});
