/** Headsets plugged in, pulled out and exchanged, with Chromium's own fake devices and real audio. */
import { expect, LONG, test, type AgentPage, type Site } from './fixtures.ts';
test.beforeEach(async ({ agent }) => {
  await agent.page.evaluate(WATCH);
});

const HEADSET = 'Fake Audio Input 2';
const SYSTEM = 'Fake Default Audio Input';
/** Longer than the second between two beeps of the fake microphone. */
const BEEP_MS = 1200;

/** Counts the open microphones, and pulls devices out as the browser does: their tracks end, and the list is another one. */
const WATCH = () => {
  const { mediaDevices } = navigator;
  const open = mediaDevices.getUserMedia.bind(mediaDevices);
  const list = mediaDevices.enumerateDevices.bind(mediaDevices);
  const tracks: MediaStreamTrack[] = [];
  let gone: string | undefined;
  mediaDevices.getUserMedia = async (constraints) => {
    const wanted = JSON.stringify(constraints?.audio);
    const missing = (await list()).find(({ label }) => label === gone);
    if (missing && wanted.includes(missing.deviceId)) throw new DOMException('gone', 'OverconstrainedError');
    const stream = await open(constraints);
    tracks.push(...stream.getTracks());
    return stream;
  };
  mediaDevices.enumerateDevices = async () => (await list()).filter(({ label }) => label !== gone);
  const live = () => tracks.filter(({ readyState }) => readyState === 'live');
  Reflect.set(globalThis, 'live', () => live().map(({ label }) => label));
  Reflect.set(globalThis, 'pull', (label: string | undefined) => {
    gone = label;
    for (const track of live().filter((each) => each.label === label)) {
      track.stop();
      track.dispatchEvent(new Event('ended'));
    }
    mediaDevices.dispatchEvent(new Event('devicechange'));
  });
};
const live = (agent: AgentPage) =>
  agent.page.evaluate(() => (Reflect.get(globalThis, 'live') as () => string[])());
const pull = (agent: AgentPage, label: string | undefined) =>
  agent.page.evaluate((it) => (Reflect.get(globalThis, 'pull') as (what?: string) => void)(it), label);

/** Resolves when these, and no others, are open. */
const open = (agent: AgentPage, ...labels: string[]) =>
  expect.poll(() => live(agent), 'open microphones').toEqual(labels);

async function choose(agent: AgentPage, label: string): Promise<void> {
  await agent.press('Sound devices');
  const list = agent.page.locator('partner-dialer .devices select').first();
  await list.selectOption({ label });
  await agent.press('Sound devices');
}

async function call(agent: AgentPage): Promise<void> {
  await agent.clickCustomer('0900 000 200');
  await expect(agent.text('In call')).toBeVisible();
}

const answered = (site: Site) => site.call({ state: 'answered' });

/** Resolves when the other side hears the agent now. */
async function heard(site: Site): Promise<void> {
  const { loudPackets } = await answered(site);
  await expect.poll(async () => (await answered(site)).loudPackets).toBeGreaterThan(loudPackets + 10);
}

test.describe('an agent with a headset', LONG, () => {
  test('reads that it was pulled out in a call, goes on with another microphone, and has it back', async ({
    agent,
    site,
  }) => {
    await choose(agent, HEADSET);
    expect(await live(agent)).toEqual([]);
    await call(agent);
    await open(agent, HEADSET);
    await heard(site);
    await pull(agent, HEADSET);
    await expect(agent.text(`${HEADSET} is gone. The call goes on with ${SYSTEM}.`)).toBeVisible();
    await open(agent, SYSTEM);
    await heard(site);
    await pull(agent, undefined);
    await expect(agent.text(`${HEADSET} is back, and in use again.`)).toBeVisible();
    await open(agent, HEADSET);
    await heard(site);
    await agent.hangUp();
    await open(agent);
  });

  test('who calls in is heard through it, too', async ({ agent, site }) => {
    await choose(agent, HEADSET);
    await site.ring();
    await agent.press('Answer');
    await expect(agent.text('In call')).toBeVisible();
    await expect.poll(() => live(agent)).toContain(HEADSET);
    await heard(site);
    await agent.hangUp();
    await open(agent);
  });

  test('stays muted when they change the microphone', async ({ agent, site }) => {
    await call(agent);
    await heard(site);
    await agent.press('Mute');
    await expect(agent.text('Muted')).toBeVisible();
    await expect(async () => {
      const { loudPackets } = await answered(site);
      await agent.page.waitForTimeout(BEEP_MS);
      expect((await answered(site)).loudPackets).toBe(loudPackets);
    }).toPass();
    const { loudPackets } = await answered(site);
    await choose(agent, HEADSET);
    await open(agent, HEADSET);
    await agent.page.waitForTimeout(BEEP_MS);
    expect((await answered(site)).loudPackets).toBe(loudPackets);
    await agent.press('Mute');
    await heard(site);
    await agent.hangUp();
  });

  test('hears the ringing from another device, and not from the SDK', async ({ agent, site }) => {
    await agent.press('Sound devices');
    await agent.page.locator('partner-dialer .ringers').getByText('Fake Audio Output 1').click();
    await agent.press('Sound devices');
    await agent.page.evaluate(() => {
      const sinks: string[] = [];
      Reflect.set(globalThis, 'sinks', sinks);
      const play = HTMLMediaElement.prototype.play;
      HTMLMediaElement.prototype.play = function played() {
        if (this.srcObject) sinks.push((this as HTMLAudioElement).sinkId);
        return play.call(this);
      };
    });
    await site.ring();
    await expect(agent.text('Incoming call')).toBeVisible();
    const sinks = () => agent.page.evaluate(() => Reflect.get(globalThis, 'sinks') as string[]);
    await expect.poll(async () => (await sinks()).length, 'two rings').toBe(2);
    expect((await sinks()).map((id) => id === '').toSorted()).toEqual([false, true]);
    // The SDK gets an address that the browser cannot even request.
    expect((await agent.played()).filter(Boolean)).toEqual([]);
    await agent.press('Decline');
    await expect(agent.text('Declined')).toBeVisible();
  });

  test('hears the call from the device of the system where the browser refuses the chosen one', async ({
    agent,
  }) => {
    await agent.page.evaluate(() => {
      HTMLMediaElement.prototype.setSinkId = () => Promise.reject(new DOMException('no', 'NotAllowedError'));
    });
    await agent.press('Sound devices');
    await agent.dialer
      .getByRole('combobox', { name: /speaker/i })
      .selectOption({ label: 'Fake Audio Output 1' });
    await agent.press('Sound devices');
    await call(agent);
    await agent.hearsMore();
    await agent.hangUp();
    expect(agent.consoleOutput).toEqual([]);
  });
});
