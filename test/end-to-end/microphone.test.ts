/** Everything that can be wrong with a microphone: what the agent reads, and that there is a way on. */
import { eventually, someOf, test, type AgentPage, type Site } from './fixtures.ts';

let site: Site;
let agent: AgentPage;
test.beforeEach(({ sandbox, agent: ready }) => {
  site = sandbox;
  agent = ready;
});

/** Remembers the browser's own answers, to be given back by `mend`. */
const KEEP = () => {
  const { permissions, mediaDevices } = navigator;
  const kept = {
    query: permissions.query.bind(permissions),
    enumerateDevices: mediaDevices.enumerateDevices.bind(mediaDevices),
    getUserMedia: mediaDevices.getUserMedia.bind(mediaDevices),
  };
  Reflect.set(globalThis, 'mend', () => {
    permissions.query = kept.query;
    mediaDevices.enumerateDevices = kept.enumerateDevices;
    mediaDevices.getUserMedia = kept.getUserMedia;
  });
};

const mend = () => agent.page.evaluate(() => (Reflect.get(globalThis, 'mend') as () => void)());

test.describe('when the microphone', () => {
  /** What the browser would say, said by the test. */
  const MICROPHONES = {
    denied: () => {
      navigator.permissions.query = async () => ({ state: 'denied' }) as PermissionStatus;
      navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', 'NotAllowedError'));
    },
    absent: () => {
      navigator.mediaDevices.enumerateDevices = async () => [];
      navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', 'NotFoundError'));
    },
    refusedInThePrompt: () => {
      navigator.permissions.query = async () => ({ state: 'prompt' }) as PermissionStatus;
      navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', 'NotAllowedError'));
    },
    pending: () => {
      navigator.permissions.query = async () => ({ state: 'prompt' }) as PermissionStatus;
      navigator.mediaDevices.getUserMedia = () => new Promise(() => {});
    },
  };
  const BLOCKS: readonly (readonly [keyof typeof MICROPHONES, string, string])[] = [
    ['denied', 'The browser blocks the microphone', 'PD-MIC-DENIED'],
    ['absent', 'No working microphone was found', 'PD-MIC-MISSING'],
    ['refusedInThePrompt', 'The browser blocks the microphone', 'PD-MIC-DENIED'],
  ];
  for (const [name, text, code] of someOf(BLOCKS, 1)) {
    test(`is ${name}, a call out is guided to a way on`, async () => {
      await agent.page.evaluate(KEEP);
      await agent.page.evaluate(MICROPHONES[name]);
      await agent.clickCustomer('0900 000 200');
      await agent.see(text);
      await agent.see(code);
      await mend();
      await agent.press('Check again');
      await agent.press('Call 0900 000 200');
      await agent.see('In call');
      await agent.hangUp();
    });

    test(`is ${name}, an incoming call keeps ringing and can be answered later`, async () => {
      await agent.page.evaluate(KEEP);
      await agent.page.evaluate(MICROPHONES[name]);
      await site.sandbox('calls', { memberNo: 'agent001', from: '0912345678' });
      await agent.press('Answer');
      await agent.see(text);
      await agent.see('Incoming call');
      await mend();
      await agent.press('Answer');
      await agent.see('In call');
      await agent.hangUp();
    });
  }

  test('has to be allowed first, the agent is told where, and may give up', async () => {
    await agent.page.evaluate(KEEP);
    await agent.page.evaluate(MICROPHONES.pending);
    await agent.clickCustomer('0900 000 200');
    await agent.see('Your browser asks for the microphone');
    await agent.press('Hang up');
    await agent.see('Ready');
  });

  test('is unplugged in a call and is the only one, the agent is told until one is plugged in again', async () => {
    await agent.clickCustomer('0900 000 200');
    await agent.see('In call');
    await agent.page.evaluate(KEEP);
    await agent.page.evaluate(MICROPHONES.absent);
    await agent.page.evaluate(() => {
      const { connections } = Reflect.get(globalThis, 'spy') as { connections: RTCPeerConnection[] };
      for (const { track } of connections.flatMap((connection) => connection.getSenders())) {
        track?.stop();
        track?.dispatchEvent(new Event('ended'));
      }
    });
    await agent.see('nobody hears you');
    await mend();
    await agent.page.evaluate(() => navigator.mediaDevices.dispatchEvent(new Event('devicechange')));
    const gone = agent.page.locator('partner-dialer').getByText('nobody hears you');
    await gone.waitFor({ state: 'hidden' });
    const { audioBytes } = await site.call(({ state }) => state === 'answered');
    await site.call((call) => call.audioBytes > audioBytes + 4000);
    await agent.hangUp();
  });
});

/** Grants what is asked for only when the test says so, and shows what became of it. */
const HESITATE = () => {
  const { mediaDevices } = navigator;
  const original = mediaDevices.getUserMedia.bind(mediaDevices);
  const streams: MediaStream[] = [];
  let isAsked = false;
  let isWaiting = true;
  const granted = new Promise<void>((resolve) => {
    Reflect.set(globalThis, 'grant', () => {
      isWaiting = false;
      resolve();
    });
  });
  mediaDevices.getUserMedia = async (constraints) => {
    isAsked = true;
    if (isWaiting) await granted;
    const stream = await original(constraints);
    streams.push(stream);
    return stream;
  };
  Reflect.set(globalThis, 'isAsked', () => isAsked);
  Reflect.set(globalThis, 'tracks', () =>
    streams.flatMap((stream) => stream.getTracks().map((track) => track.readyState)),
  );
};
const tracks = () => agent.page.evaluate(() => (Reflect.get(globalThis, 'tracks') as () => string[])());
const isAsked = () => agent.page.evaluate(() => (Reflect.get(globalThis, 'isAsked') as () => boolean)());
const grant = () => agent.page.evaluate(() => (Reflect.get(globalThis, 'grant') as () => void)());

test.describe('a microphone that is granted late', () => {
  test('is closed when the caller has given up, and the next call is heard', async () => {
    await agent.page.evaluate(HESITATE);
    const { id } = await site.sandbox<{ id: string }>('calls', { memberNo: 'agent001', from: '0912345678' });
    await agent.see('Incoming call');
    await agent.press('Answer');
    await eventually(isAsked, 'the question for the microphone');
    await site.sandbox(`calls/${id}/hang-up`, {});
    await agent.see('Missed call');
    await grant();
    await eventually(async () => {
      const states = await tracks();
      return states.length > 0 && states.every((state) => state === 'ended');
    }, 'a closed microphone');
    await agent.clickCustomer('0900 000 200');
    await agent.see('In call');
    await eventually(async () => (await tracks()).at(-1) === 'live', 'a live microphone');
    const { audioBytes } = await site.call(({ state }) => state === 'answered');
    await site.call((call) => call.audioBytes > audioBytes + 4000);
    await agent.hangUp();
    await eventually(async () => !(await tracks()).includes('live'), 'a closed microphone');
  });
});
