/** Calls from a web page to the exchange and back, with real audio. */
import assert from 'node:assert/strict';
import { eventually, test, type AgentPage, type Site } from './fixtures.ts';

let site: Site;
let agent: AgentPage;
test.beforeEach(({ sandbox, agent: ready }) => {
  site = sandbox;
  agent = ready;
});

/** Longer than the half a second between two beeps of the test microphone. */
const LISTENING_MS = 900;
const LISTENING_AGAIN_MS = 100;

interface Audible {
  /** Does the exchange hear the agent? */
  readonly isHeard: boolean;
  /** Does the agent hear anything? */
  readonly hears: boolean;
}

/** What has arrived so far, at the exchange and at the agent. */
async function arrived(): Promise<{ readonly loud: number; readonly bytes: number }> {
  const [calls, bytes] = await Promise.all([site.calls(), agent.audioBytes()]);
  return { loud: calls.at(-1)?.loudPackets ?? 0, bytes };
}

/** Waits for what is to be heard, and for a while of silence in what is not: some of it may be on its way still. */
async function isAudible(expected: Audible, when: string): Promise<void> {
  const isSilent = !expected.isHeard || !expected.hears;
  let earlier = await arrived();
  await eventually(
    async () => {
      await agent.page.waitForTimeout(isSilent ? LISTENING_MS : LISTENING_AGAIN_MS);
      const now = await arrived();
      const heard = { isHeard: now.loud > earlier.loud, hears: now.bytes > earlier.bytes };
      if (isSilent) earlier = now;
      return heard.isHeard === expected.isHeard && heard.hears === expected.hears;
    },
    `${JSON.stringify(expected)} ${when}`,
  );
}

/** As the exchange has it: audio before and after, silence while muted, none at all while held. */
async function muteAndHold(): Promise<void> {
  await site.call(({ loudPackets }) => loudPackets > 0);
  await agent.press('Mute');
  await isAudible({ isHeard: false, hears: true }, 'muted');
  await agent.press('Hold');
  await site.call(({ isHeld }) => isHeld);
  await agent.see('On hold, Muted');
  await isAudible({ isHeard: false, hears: false }, 'muted and held');
  await agent.press('Mute');
  await isAudible({ isHeard: false, hears: false }, 'held');
  await agent.press('Hold');
  await site.call(({ isHeld }) => !isHeld);
  await isAudible({ isHeard: true, hears: true }, 'after it');
  await agent.hangUp();
}

test.describe('an agent who clicks a customer', () => {
  test('hears the other side, and the money falls; then hangs up', async () => {
    await agent.clickCustomer('0900 000 200');
    await agent.see('In call');
    const first = await eventually(() => agent.audioBytes(), 'audio');
    await eventually(async () => (await agent.audioBytes()) > first + 4000, 'more audio');
    const call = await site.call(({ audioBytes }) => audioBytes > 4000);
    assert.equal(call.number, '0900000200');
    assert.equal(call.hotline, '842899990001');
    assert.match(call.externalCallId ?? '', /^[a-z0-9]{1,32}$/);
    await agent.press('Hang up');
    const ended = await site.call(({ state }) => state === 'ended');
    assert.equal(ended.endedBy, 'caller');
    assert.equal(ended.cost, 300);
    await agent.see(/49\.700/);
    assert.deepEqual(agent.consoleOutput, [], 'a healthy call leaves the console alone');
  });

  test('sees that the other side hung up', async () => {
    await agent.clickCustomer('0900 000 200');
    await agent.see('In call');
    const { id } = await site.call(({ state }) => state === 'answered');
    await site.sandbox(`calls/${id}/hang-up`, {});
    await agent.see('Answered');
    assert.equal((await site.call(({ state }) => state === 'ended')).endedBy, 'callee');
  });

  test('presses keys that arrive at the exchange', async () => {
    await agent.clickCustomer('0900 000 183');
    await agent.see('In call');
    await agent.press('Keys');
    await agent.pressKeys('12#');
    await site.call(({ dtmf }) => dtmf === '12#');
    await agent.hangUp();
  });

  test('has its keys at the exchange when the page hangs up after them', async () => {
    await agent.clickCustomer('0900 000 183');
    await agent.see('In call');
    await agent.page.evaluate(async () => {
      const dialer = document.querySelector('partner-dialer');
      await Promise.all([dialer?.sendDtmf('12'), dialer?.sendDtmf('#9*')]);
      await dialer?.hangUp();
    });
    const { dtmf } = await site.call(({ state }) => state === 'ended');
    assert.equal(dtmf, '12#9*');
  });

  test('is not heard while muted or on hold, and hears nothing on hold', async () => {
    await agent.clickCustomer('0900 000 200');
    await agent.see('In call');
    await muteAndHold();
  });

  test('talks on when the exchange refuses a hold, and may hold later', async () => {
    await agent.clickCustomer('0900 000 200');
    await agent.see('In call');
    await site.sandbox('faults', { place: 'reinvite', kind: 'status', times: 1 });
    const refusal = await agent.page.evaluate(() =>
      document
        .querySelector('partner-dialer')
        ?.setHeld(true)
        .catch((error: { code: string }) => error.code),
    );
    assert.equal(refusal, 'call-rejected');
    await agent.see('In call');
    const heard = await agent.audioBytes();
    await eventually(async () => (await agent.audioBytes()) > heard, 'audio after the refusal');
    await agent.press('Hold');
    await agent.see('On hold');
    await agent.press('Hold');
    await agent.see('In call');
    await agent.hangUp();
    assert.equal((await site.call(({ state }) => state === 'ended')).endedWith, 'BYE');
  });

  test('gives up a call that nobody answers', async () => {
    await agent.clickCustomer('0900 000 100');
    await agent.see('Calling…');
    await site.call(({ state }) => state === 'ringing');
    await agent.press('Hang up');
    await agent.see('Cancelled');
    assert.equal((await site.call(({ state }) => state === 'ended')).finalStatus, 487);
  });
});

test.describe('an agent who is called', () => {
  test('answers and talks', async () => {
    await site.sandbox('calls', { memberNo: 'agent001', from: '0912345678', name: 'Đặng Quốc Bảo' });
    await agent.see('Incoming call');
    await agent.see('0912 345 678');
    await agent.press('Answer');
    await agent.see('In call');
    const first = await eventually(() => agent.audioBytes(), 'audio');
    await eventually(async () => (await agent.audioBytes()) > first + 2000, 'more audio');
    await agent.hangUp();
    const call = await site.call(({ state }) => state === 'ended');
    assert.equal(call.finalStatus, 200);
  });

  test('declines', async () => {
    await site.sandbox('calls', { memberNo: 'agent001', from: '0912345678' });
    await agent.see('Incoming call');
    await agent.press('Decline');
    await agent.see('Declined');
    const call = await site.call(({ state }) => state === 'ended');
    assert.equal(call.finalStatus, 480);
  });

  test('sees that another device has answered', async () => {
    const { id } = await site.sandbox<{ id: string }>('calls', { memberNo: 'agent001', from: '0912345678' });
    await agent.see('Incoming call');
    await site.sandbox(`calls/${id}/answer-elsewhere`, {});
    await agent.see('Answered on another device');
  });
});

test.describe('the end sound of a page', () => {
  const sound = /hang-up\.wav/;

  test('is requested, and played after a hang-up and after an error', async () => {
    assert.equal(
      agent.requested.some((url) => sound.test(url)),
      true,
    );
    await agent.clickCustomer('0900 000 200');
    await agent.see('In call');
    await agent.press('Hang up');
    await eventually(
      async () => (await agent.played()).filter((url) => sound.test(url)).length === 1,
      'the sound',
    );
    await agent.clickCustomer('0900 000 603');
    await agent.see('The call was refused');
    await eventually(
      async () => (await agent.played()).filter((url) => sound.test(url)).length === 2,
      'it again',
    );
  });

  test('may change while the dialer is there', async () => {
    await agent.page.evaluate(() => {
      document
        .querySelector('partner-dialer')
        ?.setAttribute('disconnect-sound-url', '/crm/hang-up.wav?other');
    });
    await eventually(async () => agent.requested.some((url) => url.endsWith('?other')), 'the other sound');
    await agent.clickCustomer('0900 000 486');
    await agent.see('The line is busy');
    await eventually(async () => (await agent.played()).some((url) => url.endsWith('?other')), 'it played');
  });
});
