/** Calls from a web page to the exchange and back, with real audio. */
import { expect, LONG, test, type AgentPage, type Site } from './fixtures.ts';

/** Longer than the half a second between two beeps of the test microphone. */
const LISTENING_MS = 900;

interface Audible {
  /** Does the exchange hear the agent? */
  readonly isHeard: boolean;
  /** Does the agent hear anything? */
  readonly hears: boolean;
}

/** What has arrived so far, at the exchange and at the agent. */
async function arrived(
  agent: AgentPage,
  site: Site,
): Promise<{ readonly loud: number; readonly bytes: number }> {
  const [{ loudPackets }, bytes] = await Promise.all([site.call(), agent.audioBytes()]);
  return { loud: loudPackets, bytes };
}

/** Waits for what is to be heard, and for a while of silence in what is not: some of it may be on its way still. */
async function isAudible(agent: AgentPage, site: Site, expected: Audible, when: string): Promise<void> {
  await expect(async () => {
    const earlier = await arrived(agent, site);
    await agent.page.waitForTimeout(LISTENING_MS);
    const now = await arrived(agent, site);
    expect({ isHeard: now.loud > earlier.loud, hears: now.bytes > earlier.bytes }, when).toEqual(expected);
  }).toPass();
}

/** As the exchange has it: audio before and after, silence while muted, none at all while held. */
async function muteAndHold(agent: AgentPage, site: Site): Promise<void> {
  await expect.poll(async () => (await site.call()).loudPackets).toBeGreaterThan(0);
  await agent.press('Mute');
  await isAudible(agent, site, { isHeard: false, hears: true }, 'muted');
  await agent.press('Hold');
  await site.call({ isHeld: true });
  await expect(agent.text('On hold, Muted')).toBeVisible();
  await isAudible(agent, site, { isHeard: false, hears: false }, 'muted and held');
  await agent.press('Mute');
  await isAudible(agent, site, { isHeard: false, hears: false }, 'held');
  await agent.press('Hold');
  await site.call({ isHeld: false });
  await isAudible(agent, site, { isHeard: true, hears: true }, 'after it');
  await agent.hangUp();
}

test(
  'a code of the network reaches the exchange as written, where the page allows it',
  LONG,
  async ({ agent, site }) => {
    for (const number of ['*98', '#31#0912345678', '123456']) {
      await agent.page.evaluate((written) => {
        const dialer = document.querySelector('partner-dialer')!;
        dialer.numberPlan = 'any';
        return dialer.call(written);
      }, number);
      await site.call({ number });
      await expect(agent.text('In call')).toBeVisible();
      await agent.hangUp();
    }
  },
);

test.describe('an agent who clicks a customer', () => {
  test('hears the other side, and the money falls; then hangs up', async ({ agent, site }) => {
    await agent.clickCustomer('0900 000 200');
    await expect(agent.text('In call')).toBeVisible();
    await agent.hearsMore(4000);
    await expect.poll(async () => (await site.call()).audioBytes).toBeGreaterThan(4000);
    const call = await site.call();
    expect(call.number).toBe('0900000200');
    expect(call.hotline).toBe('842899990001');
    expect(call.externalCallId ?? '').toMatch(/^[a-z0-9]{1,32}$/);
    await agent.press('Hang up');
    const ended = await site.call({ state: 'ended' });
    expect(ended.endedBy).toBe('caller');
    expect(ended.cost).toBe(300);
    await expect(agent.text(/49,700/)).toBeVisible();
    expect(agent.consoleOutput, 'a healthy call leaves the console alone').toEqual([]);
  });

  test('sees that the other side hung up', async ({ agent, site }) => {
    await agent.clickCustomer('0900 000 200');
    await expect(agent.text('In call')).toBeVisible();
    const { id } = await site.call({ state: 'answered' });
    await site.sandbox(`calls/${id}/hang-up`, {});
    await expect(agent.text('Answered')).toBeVisible();
    expect((await site.call({ state: 'ended' })).endedBy).toBe('callee');
  });

  test('presses keys that arrive at the exchange', LONG, async ({ agent, site }) => {
    await agent.clickCustomer('0900 000 183');
    await expect(agent.text('In call')).toBeVisible();
    await agent.press('Keys');
    await agent.pressKeys('12#');
    await site.call({ dtmf: '12#' });
    await agent.hangUp();
  });

  test('has its keys at the exchange when the page hangs up after them', LONG, async ({ agent, site }) => {
    await agent.clickCustomer('0900 000 183');
    await expect(agent.text('In call')).toBeVisible();
    await agent.page.evaluate(async () => {
      const dialer = document.querySelector('partner-dialer');
      await Promise.all([dialer?.sendDtmf('12'), dialer?.sendDtmf('#9*')]);
      await dialer?.hangUp();
    });
    const { dtmf } = await site.call({ state: 'ended' });
    expect(dtmf).toBe('12#9*');
  });

  test('calls nobody when the machine has slept since the press', LONG, async ({ agent, site }) => {
    await agent.page.evaluate(() => {
      const { now } = Date;
      const { mediaDevices } = navigator;
      const open = mediaDevices.getUserMedia.bind(mediaDevices);
      mediaDevices.getUserMedia = (constraints) => {
        // Timers stand still meanwhile.
        Date.now = () => now() + 7_200_000;
        return open(constraints);
      };
    });
    await agent.clickCustomer('0900 000 200');
    await expect(agent.text('The connection was lost')).toBeVisible();
    await expect(agent.text('Ready')).toBeVisible();
    expect(await site.calls()).toEqual([]);
    await agent.reachSomebody();
  });

  test('is not heard while muted or on hold, and hears nothing on hold', async ({ agent, site }) => {
    await agent.clickCustomer('0900 000 200');
    await expect(agent.text('In call')).toBeVisible();
    await muteAndHold(agent, site);
  });

  test('talks on when the exchange refuses a hold, and may hold later', LONG, async ({ agent, site }) => {
    await agent.clickCustomer('0900 000 200');
    await expect(agent.text('In call')).toBeVisible();
    await site.sandbox('faults', { place: 'reinvite', kind: 'status', times: 1 });
    const refusal = await agent.page.evaluate(() =>
      document
        .querySelector('partner-dialer')
        ?.setHeld(true)
        .catch((error: { code: string }) => error.code),
    );
    expect(refusal).toBe('call-rejected');
    await expect(agent.text('In call')).toBeVisible();
    await agent.hearsMore();
    await agent.press('Hold');
    await expect(agent.text('On hold')).toBeVisible();
    await agent.press('Hold');
    await expect(agent.text('In call')).toBeVisible();
    await agent.hangUp();
    expect((await site.call({ state: 'ended' })).endedWith).toBe('BYE');
  });

  test(
    'is resumed though a key was pressed before the exchange had agreed to the hold',
    LONG,
    async ({ agent, site }) => {
      await agent.clickCustomer('0900 000 200');
      await expect(agent.text('In call')).toBeVisible();
      await site.sandbox('faults', { place: 'reinvite', kind: 'slow', value: 1000, times: 1 });
      await agent.press('Hold');
      await agent.page.waitForTimeout(300);
      await agent.page.evaluate(() => document.querySelector('partner-dialer')?.sendDtmf('1'));
      await expect(agent.text('On hold')).toBeVisible();
      await agent.press('Hold');
      await expect(agent.text('In call')).toBeVisible();
      expect(await site.call()).toMatchObject({ isHeld: false, dtmf: '1' });
      await agent.hangUp();
    },
  );

  test('gives up a call that nobody answers', LONG, async ({ agent, site }) => {
    await agent.clickCustomer('0900 000 100');
    await expect(agent.text('Calling…')).toBeVisible();
    await site.call({ state: 'ringing' });
    await agent.press('Hang up');
    await expect(agent.text('Cancelled')).toBeVisible();
    expect((await site.call({ state: 'ended' })).finalStatus).toBe(487);
  });
});

test.describe('an agent who is called', () => {
  test('answers and talks', async ({ agent, site }) => {
    await site.ring('0912345678', 'Đặng Quốc Bảo');
    await expect(agent.text('Incoming call')).toBeVisible();
    await expect(agent.text('0912 345 678')).toBeVisible();
    await agent.press('Answer');
    await expect(agent.text('In call')).toBeVisible();
    await agent.hearsMore(2000);
    await agent.hangUp();
    const call = await site.call({ state: 'ended' });
    expect(call.finalStatus).toBe(200);
  });

  test('declines', async ({ agent, site }) => {
    await site.ring();
    await expect(agent.text('Incoming call')).toBeVisible();
    await agent.press('Decline');
    await expect(agent.text('Declined')).toBeVisible();
    const call = await site.call({ state: 'ended' });
    expect(call.finalStatus).toBe(480);
  });

  test('sees that another device has answered', async ({ agent, site }) => {
    const { id } = await site.ring();
    await expect(agent.text('Incoming call')).toBeVisible();
    await site.sandbox(`calls/${id}/answer-elsewhere`, {});
    await expect(agent.text('Answered on another device')).toBeVisible();
  });
});

test.describe('the end sound of a page', () => {
  const sound = /hang-up\.wav/;

  test('is requested, and played after a hang-up and after an error', async ({ agent }) => {
    expect(agent.requested).toContainEqual(expect.stringMatching(sound));
    await agent.clickCustomer('0900 000 200');
    await expect(agent.text('In call')).toBeVisible();
    await agent.press('Hang up');
    await expect
      .poll(async () => (await agent.played()).filter((url) => sound.test(url)).length, 'the sound')
      .toBe(1);
    await agent.clickCustomer('0900 000 603');
    await expect(agent.text('The call was refused')).toBeVisible();
    await expect
      .poll(async () => (await agent.played()).filter((url) => sound.test(url)).length, 'it again')
      .toBe(2);
  });

  test('may change while the dialer is there', LONG, async ({ agent }) => {
    await agent.page.evaluate(() => {
      document
        .querySelector('partner-dialer')
        ?.setAttribute('disconnect-sound-url', '/crm/hang-up.wav?other');
    });
    await expect.poll(() => agent.requested).toContainEqual(expect.stringMatching(/\?other$/));
    await agent.clickCustomer('0900 000 486');
    await expect(agent.text('The line is busy')).toBeVisible();
    await expect.poll(() => agent.played()).toContainEqual(expect.stringMatching(/\?other$/));
    expect(await agent.liveCall()).toMatchObject({ info: { outcome: 'busy', status: 486 } });
  });
});
