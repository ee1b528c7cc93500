/** Everything that can be wrong with a microphone: what the agent reads, and that there is a way on. */
import { expect, inFirstCase, LONG, test, type AgentPage, type Site } from './fixtures.ts';

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

/** Allows what waits since `MICROPHONES.late`. Resolves to the errors of the dialer. */
const allow = async (agent: AgentPage) => {
  const errors = await agent.page.evaluateHandle(() =>
    (Reflect.get(globalThis, 'allow') as () => string[])(),
  );
  await agent.page.waitForTimeout(1500);
  return errors.jsonValue();
};

/** What the calls send ends. */
const UNPLUG = () => {
  const { connections } = Reflect.get(globalThis, 'spy') as { connections: RTCPeerConnection[] };
  for (const { track } of connections.flatMap((connection) => connection.getSenders())) {
    track?.stop();
    track?.dispatchEvent(new Event('ended'));
  }
};

const mend = (agent: AgentPage) =>
  agent.page.evaluate(() => (Reflect.get(globalThis, 'mend') as () => void)());

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
    /** All that ask wait for `allow`. */
    late: () => {
      const { mediaDevices } = navigator;
      const getUserMedia = mediaDevices.getUserMedia.bind(mediaDevices);
      const allowed = Promise.withResolvers<void>();
      const errors: string[] = [];
      const resolve = () => {
        allowed.resolve();
        return errors;
      };
      mediaDevices.getUserMedia = async (constraints) => {
        Reflect.set(globalThis, 'allow', resolve);
        await allowed.promise;
        return getUserMedia(constraints);
      };
      document.addEventListener('dialer-error', ({ detail }) => errors.push(detail.error.code));
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
  for (const [index, [name, text, code]] of BLOCKS.entries()) {
    test(`is ${name}, a call out is guided to a way on`, inFirstCase(index), async ({ agent }) => {
      await agent.page.evaluate(KEEP);
      await agent.page.evaluate(MICROPHONES[name]);
      await agent.clickCustomer('0900 000 200');
      await expect(agent.text(text)).toBeVisible();
      await expect(agent.text(code)).toBeVisible();
      await mend(agent);
      await agent.press('Check again');
      await agent.press('Call 0900 000 200');
      await expect(agent.text('In call')).toBeVisible();
      await agent.hangUp();
    });

    test(
      `is ${name}, an incoming call keeps ringing and can be answered later`,
      inFirstCase(index),
      async ({ agent, site }) => {
        await agent.page.evaluate(KEEP);
        await agent.page.evaluate(MICROPHONES[name]);
        await site.ring();
        await agent.press('Answer');
        await expect(agent.text(text)).toBeVisible();
        await expect(agent.text('Incoming call')).toBeVisible();
        await mend(agent);
        await agent.press('Answer');
        await expect(agent.text('In call')).toBeVisible();
        await agent.hangUp();
      },
    );
  }

  /** The caller gives up while the browser asks. */
  const answerTooLate = async (agent: AgentPage, site: Site) => {
    await agent.page.evaluate(MICROPHONES.late);
    const { id } = await site.ring();
    await agent.press('Answer');
    await expect.poll(() => agent.page.evaluate(() => 'allow' in globalThis)).toBe(true);
    await site.sandbox(`calls/${id}/hang-up`, {});
    await expect(agent.text('Incoming call')).toBeHidden();
  };

  for (const isPressed of [false, true]) {
    const what = isPressed ? 'is answered once' : 'is answered only by a press';
    const name = `is allowed after the caller has given up, the next caller ${what}`;
    test(name, LONG, async ({ agent, site }) => {
      await answerTooLate(agent, site);
      await site.ring('0987654321');
      await expect(agent.text('Incoming call')).toBeVisible();
      if (isPressed) await agent.press('Answer');
      expect(await allow(agent)).toEqual([]);
      if (!isPressed) {
        await site.call({ state: 'ringing' });
        await agent.press('Answer');
      }
      await expect(agent.text('In call')).toBeVisible();
      await site.call({ number: '0987654321', state: 'answered' });
      await agent.hangUp();
      await site.call({ number: '0987654321', state: 'ended' });
    });
  }

  test(
    'is allowed after the caller has given up, a call out goes out once',
    LONG,
    async ({ agent, site }) => {
      await answerTooLate(agent, site);
      await agent.clickCustomer('0900 000 200');
      await agent.page.waitForTimeout(500);
      expect(await allow(agent)).toEqual([]);
      await expect(agent.text('In call')).toBeVisible();
      const { audioBytes } = await site.call({ state: 'answered' });
      await expect.poll(async () => (await site.call()).audioBytes).toBeGreaterThan(audioBytes + 4000);
      await agent.hangUp();
      await site.call({ state: 'ended' });
    },
  );

  test(
    'is asked for by a call that was given up, callers ring, and are answered when it is allowed',
    LONG,
    async ({ agent, site }) => {
      await agent.page.evaluate(MICROPHONES.late);
      await agent.clickCustomer('0900 000 200');
      await expect.poll(() => agent.page.evaluate(() => 'allow' in globalThis)).toBe(true);
      await agent.press('Hang up');
      await expect(agent.text('Ready')).toBeVisible();
      await site.ring('0987654321');
      await expect(agent.text('Incoming call')).toBeVisible();
      await agent.press('Answer');
      expect(await allow(agent)).toEqual([]);
      await expect(agent.text('In call')).toBeVisible();
      const { audioBytes } = await site.call({ number: '0987654321', state: 'answered' });
      await expect.poll(async () => (await site.call()).audioBytes).toBeGreaterThan(audioBytes + 4000);
      await agent.hangUp();
      await site.call({ number: '0987654321', state: 'ended' });
    },
  );

  test('has to be allowed first, the agent is told where, and may give up', async ({ agent }) => {
    await agent.page.evaluate(KEEP);
    await agent.page.evaluate(MICROPHONES.pending);
    await agent.clickCustomer('0900 000 200');
    await expect(agent.text('Your browser asks for the microphone')).toBeVisible();
    await agent.press('Hang up');
    await expect(agent.text('Ready')).toBeVisible();
  });

  test(
    'is unplugged, and another one comes only in the next call, that call keeps its own',
    LONG,
    async ({ agent, site }) => {
      await agent.clickCustomer('0900 000 200');
      await expect(agent.text('In call')).toBeVisible();
      await agent.page.evaluate(MICROPHONES.late);
      await agent.page.evaluate(UNPLUG);
      await expect(agent.text('nobody hears you')).toBeVisible();
      await agent.hangUp();
      await agent.page.evaluate(() => Reflect.deleteProperty(navigator.mediaDevices, 'getUserMedia'));
      await agent.clickCustomer('0900 000 200');
      await expect(agent.text('In call')).toBeVisible();
      await allow(agent);
      const { audioBytes } = await site.call({ state: 'answered' });
      await expect.poll(async () => (await site.call()).audioBytes).toBeGreaterThan(audioBytes + 4000);
      await agent.hangUp();
    },
  );

  test(
    'is unplugged in a call and is the only one, the agent is told until one is plugged in again',
    LONG,
    async ({ agent, site }) => {
      await agent.clickCustomer('0900 000 200');
      await expect(agent.text('In call')).toBeVisible();
      await agent.page.evaluate(KEEP);
      await agent.page.evaluate(MICROPHONES.absent);
      await agent.page.evaluate(UNPLUG);
      await expect(agent.text('nobody hears you')).toBeVisible();
      await mend(agent);
      await agent.page.evaluate(() => navigator.mediaDevices.dispatchEvent(new Event('devicechange')));
      await expect(agent.text('nobody hears you')).toBeHidden();
      const { audioBytes } = await site.call({ state: 'answered' });
      await expect.poll(async () => (await site.call()).audioBytes).toBeGreaterThan(audioBytes + 4000);
      await agent.hangUp();
    },
  );
});
