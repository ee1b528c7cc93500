/** Headsets plugged in, pulled out and exchanged, with Chromium's own fake devices and real audio. */
import assert from 'node:assert/strict';
import { eventually, LONG, test, type AgentPage, type Site } from './fixtures.ts';

let site: Site;
let agent: AgentPage;
test.beforeEach(async ({ sandbox, agent: ready }) => {
  site = sandbox;
  agent = ready;
  await agent.page.evaluate(WATCH);
});

const HEADSET = 'Fake Audio Input 2';
const SYSTEM = 'Fake Default Audio Input';
const KEY = 'partner-dialer devices';

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
const live = () => agent.page.evaluate(() => (Reflect.get(globalThis, 'live') as () => string[])());
const pull = (label: string | undefined) =>
  agent.page.evaluate((it) => (Reflect.get(globalThis, 'pull') as (what?: string) => void)(it), label);

/** Resolves when these, and no others, are open. */
const open = (...labels: string[]) =>
  eventually(async () => (await live()).join() === labels.join(), `open: ${labels.join()}`);

async function choose(label: string): Promise<void> {
  await agent.press('Sound devices');
  const list = agent.page.locator('partner-dialer .devices select').first();
  await list.selectOption({ label });
  await agent.press('Sound devices');
}

async function call(): Promise<void> {
  await agent.clickCustomer('0900 000 200');
  await agent.see('In call');
}

const answered = () => site.call(({ state }) => state === 'answered');

/** Resolves when the other side hears the agent now. */
async function heard(): Promise<void> {
  const { loudPackets } = await answered();
  await site.call((now) => now.loudPackets > loudPackets + 10);
}

test.describe('an agent with a headset', LONG, () => {
  test('reads that it was pulled out in a call, goes on with another microphone, and has it back', async () => {
    await choose(HEADSET);
    assert.deepEqual(await live(), []);
    await call();
    await open(HEADSET);
    await heard();
    await pull(HEADSET);
    await agent.see(`${HEADSET} is gone. The call goes on with ${SYSTEM}.`);
    await open(SYSTEM);
    await heard();
    await pull(undefined);
    await agent.see(`${HEADSET} is back, and in use again.`);
    await open(HEADSET);
    await heard();
    await agent.hangUp();
    await open();
  });

  test('who calls in is heard through it, too', async () => {
    await choose(HEADSET);
    await site.sandbox('calls', { memberNo: 'agent001', from: '0912345678' });
    await agent.press('Answer');
    await agent.see('In call');
    await eventually(async () => (await live()).includes(HEADSET), 'the headset');
    await heard();
    await agent.hangUp();
    await open();
  });

  test('stays muted when they change the microphone', async () => {
    await call();
    await heard();
    await agent.press('Mute');
    await agent.see('Muted');
    await eventually(async () => {
      const { loudPackets } = await answered();
      await agent.page.waitForTimeout(2000);
      return (await answered()).loudPackets === loudPackets;
    }, 'silence');
    const { loudPackets } = await answered();
    await choose(HEADSET);
    await open(HEADSET);
    // The fake microphone beeps every second.
    await agent.page.waitForTimeout(3000);
    assert.equal((await answered()).loudPackets, loudPackets);
    await agent.press('Mute');
    await heard();
    await agent.hangUp();
  });

  test('has it again by its name after the browser has changed the ids', async () => {
    await choose(HEADSET);
    await agent.page.evaluate((key) => {
      const choice = JSON.parse(localStorage.getItem(key) ?? '') as { microphone: { id: string } };
      choice.microphone.id = 'an id of long ago';
      localStorage.setItem(key, JSON.stringify(choice));
    }, KEY);
    await agent.page.reload();
    await agent.page.evaluate(WATCH);
    await agent.see('Ready');
    await call();
    await open(HEADSET);
    await agent.hangUp();
  });

  test('tests it, and the microphone is open in that time only', async () => {
    await agent.press('Sound devices');
    await agent.press('Test headset');
    await agent.see('Speak now');
    assert.equal((await live()).length, 1);
    await agent.see('Listen: this is how you sound');
    assert.deepEqual(await live(), []);
    await agent.see('Did you hear yourself?');
    await agent.press('Test headset');
    await agent.see('Speak now');
    await site.sandbox('calls', { memberNo: 'agent001', from: '0912345678' });
    await agent.see('Incoming call');
    assert.deepEqual(await live(), []);
    await agent.press('Decline');
    await agent.see('Declined');
  });

  test('hears the ringing from another device, and not from the SDK', async () => {
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
    await site.sandbox('calls', { memberNo: 'agent001', from: '0912345678' });
    await agent.see('Incoming call');
    const sinks = () => agent.page.evaluate(() => Reflect.get(globalThis, 'sinks') as string[]);
    await eventually(async () => (await sinks()).length === 2, 'two rings');
    assert.deepEqual((await sinks()).map((id) => id === '').toSorted(), [false, true]);
    // The SDK gets an address that the browser cannot even request.
    assert.deepEqual((await agent.played()).filter(Boolean), []);
    await agent.press('Decline');
    await agent.see('Declined');
  });
});
