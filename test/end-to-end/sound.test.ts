/** Random sequences of mute, hold and what comes between, with real audio: what is sent is what the agent reads. */
import * as fc from 'fast-check';
import type { PartnerDialer } from '../../src/index.ts';
import { expect, isLong, test, type AgentPage, type Site } from './fixtures.ts';

const seed = Number(process.env['SOUND_SEED'] ?? 20_261_126);
const numRuns = Number(process.env['SOUND_RUNS'] ?? (isLong ? 40 : 2));

interface Sound {
  /** Each microphone that the browser has opened. */
  readonly tracks: MediaStreamTrack[];
  /** What the agent read while the microphone was on. */
  readonly wrong: string[];
  /** Requests that have not settled. */
  pending: number;
  ask(work: (dialer: PartnerDialer) => Promise<void>): void;
  /** Of the track that is sent. */
  isOn(): boolean | undefined;
}

/** Watches the microphones and the track that is sent, from inside the page. */
const WATCH = () => {
  const dialer = document.querySelector('partner-dialer') as PartnerDialer;
  const { connections } = Reflect.get(globalThis, 'spy') as { connections: RTCPeerConnection[] };
  const senders = () => connections.at(-1)?.getSenders() ?? [];
  const sound: Sound = {
    tracks: [],
    wrong: [],
    pending: 0,
    ask(work) {
      sound.pending += 1;
      const settled = () => (sound.pending -= 1);
      work(dialer).then(settled, settled);
    },
    isOn: () => senders().find(({ track }) => track?.kind === 'audio')?.track?.enabled,
  };
  Reflect.set(globalThis, 'sound', sound);
  const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
  navigator.mediaDevices.getUserMedia = async (constraints) => {
    const stream = await open(constraints);
    sound.tracks.push(...stream.getAudioTracks());
    return stream;
  };
  const check = (when: string) => {
    const { call } = dialer.state;
    if (call.is === 'active' && (call.muted || call.held) && sound.isOn())
      sound.wrong.push(`on while muted ${call.muted}, held ${call.held} (${when})`);
  };
  dialer.addEventListener('dialer-statechange', () => check('the state changed'));
  const own = Object.getOwnPropertyDescriptor(MediaStreamTrack.prototype, 'enabled');
  Object.defineProperty(MediaStreamTrack.prototype, 'enabled', {
    configurable: true,
    get(this: MediaStreamTrack) {
      return own?.get?.call(this) as boolean;
    },
    set(this: MediaStreamTrack, on: boolean) {
      own?.set?.call(this, on);
      // The SDK's session sets the track before it tells of it, in the same task.
      queueMicrotask(() => check('the track was set'));
    },
  });
};

const ask = (method: 'setMuted' | 'setHeld', on: boolean) => (agent: AgentPage) =>
  agent.page.evaluate(
    ([name, value]) => (Reflect.get(globalThis, 'sound') as Sound).ask((dialer) => dialer[name](value)),
    [method, on] as const,
  );
const SLOW = { place: 'reinvite', kind: 'slow', value: 400 };
const fault = (kind: string, value?: number) => (_agent: AgentPage, site: Site) =>
  site.sandbox('faults', { place: 'reinvite', kind, times: 1, ...(value !== undefined && { value }) });
const endTrack = (agent: AgentPage) =>
  agent.page.evaluate(() => {
    for (const track of (Reflect.get(globalThis, 'sound') as Sound).tracks) {
      if (track.readyState === 'ended') continue;
      track.stop();
      track.dispatchEvent(new Event('ended'));
    }
  });

const STEPS: Readonly<Record<string, (agent: AgentPage, site: Site) => Promise<unknown>>> = {
  mute: ask('setMuted', true),
  unmute: ask('setMuted', false),
  hold: ask('setHeld', true),
  resume: ask('setHeld', false),
  'two keys': (agent) =>
    agent.page.evaluate(() =>
      (Reflect.get(globalThis, 'sound') as Sound).ask((dialer) => dialer.sendDtmf('12')),
    ),
  'press m': (agent) => agent.dialer.press('m'),
  'press h': (agent) => agent.dialer.press('h'),
  'the next request is refused': fault('status', 488),
  'the next request is slow': (_agent, site) => site.sandbox('faults', { ...SLOW, times: 1 }),
  'the next request loses the socket': fault('drop'),
  'the reply to the next request is lost': fault('drop-after'),
  'the socket is lost': (_agent, site) => site.sandbox('sockets/drop', {}),
  'the microphone ends': endTrack,
};
const RARE = Object.keys(STEPS).slice(-4);
const step = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...Object.keys(STEPS).filter((each) => !RARE.includes(each))) },
  { weight: 1, arbitrary: fc.constantFrom(...RARE) },
);
/** Milliseconds to the next step. */
const wait = fc.constantFrom(0, 0, 0, 10, 50, 200, 600);
const sequence = fc.record({
  isSlow: fc.boolean(),
  steps: fc.array(fc.tuple(step, wait), { minLength: 5, maxLength: 14 }),
});

/** The requests have settled, and the exchange, the state and the track say the same. */
async function isAsShown(agent: AgentPage, site: Site): Promise<void> {
  await site.sandbox('faults/clear', {});
  await expect(async () => {
    const { isHeld, state } = await site.call();
    const seen = await agent.page.evaluate(() => {
      const { isOn, pending, tracks } = Reflect.get(globalThis, 'sound') as Sound;
      const { call, line } = (document.querySelector('partner-dialer') as PartnerDialer).state;
      const shown = call.is === 'active' && { muted: call.muted, held: call.held };
      const live = tracks.filter(({ readyState }) => readyState === 'live').length;
      return { line: line.is, pending, shown, isOn: isOn(), live };
    });
    const { shown } = seen;
    expect({ ...seen, state, isHeld }).toEqual({
      line: 'up',
      pending: 0,
      shown,
      isOn: shown && !shown.muted && !shown.held,
      live: 1,
      state: 'answered',
      isHeld: shown && shown.held,
    });
  }).toPass({ timeout: 45_000 });
}

/** What came before must not keep the agent on hold, or from it: one more request is agreed to, at once or soon. */
async function canChangeHold({ page }: AgentPage): Promise<void> {
  const isHeld = () =>
    page.evaluate(() => {
      const { call } = (document.querySelector('partner-dialer') as PartnerDialer).state;
      return call.is === 'active' && call.held;
    });
  const wanted = !(await isHeld());
  await expect(async () => {
    await page.evaluate((on) => document.querySelector('partner-dialer')?.setHeld(on), wanted);
    expect(await isHeld()).toBe(wanted);
  }).toPass({ timeout: 20_000 });
}

test.describe('the microphone of a call', () => {
  test(`is on if and only if the agent reads neither muted nor on hold, in ${numRuns} sequences`, async ({
    agent,
    site,
  }) => {
    test.setTimeout(60_000 + numRuns * 60_000);
    await agent.page.evaluate(WATCH);
    for (const [index, { isSlow, steps }] of fc.sample(sequence, { seed, numRuns }).entries()) {
      await test.step(`${index}: ${JSON.stringify({ isSlow, steps })}`, async () => {
        await agent.clickCustomer('0900 000 200');
        await expect(agent.text('In call')).toBeVisible();
        if (isSlow) await site.sandbox('faults', SLOW);
        for (const [name, milliseconds] of steps) {
          await STEPS[name]?.(agent, site);
          if (milliseconds > 0) await agent.page.waitForTimeout(milliseconds);
        }
        await isAsShown(agent, site);
        await canChangeHold(agent);
        await isAsShown(agent, site);
        await agent.hangUp();
        await site.call({ state: 'ended' });
        const open = () =>
          agent.page.evaluate(
            () =>
              (Reflect.get(globalThis, 'sound') as Sound).tracks.filter(
                ({ readyState }) => readyState === 'live',
              ).length,
          );
        await expect.poll(open, 'microphones that are open after the call').toBe(0);
        expect(await agent.page.evaluate(() => (Reflect.get(globalThis, 'sound') as Sound).wrong)).toEqual(
          [],
        );
      });
    }
  });
});
