import { expect } from '@open-wc/testing';
import { Devices } from '../../src/devices/devices.ts';
import { SYSTEM_CHOICE } from '../../src/devices/state.ts';
import { nextTurn, passTime, until } from '../support/clock.ts';
import {
  BUILT_IN,
  EARPHONES,
  FakeDevices,
  FakeOutput,
  HEADSET,
  LOUDSPEAKER,
  SCREEN,
} from '../support/fake-devices.ts';

const KEY = 'partner-dialer devices';
const headset = { id: HEADSET.deviceId, label: HEADSET.label };
const screen = { id: SCREEN.deviceId, label: SCREEN.label };

let browser: FakeDevices;
let output: FakeOutput;
const opened: Devices[] = [];

beforeEach(() => {
  browser = new FakeDevices(BUILT_IN, HEADSET, LOUDSPEAKER, EARPHONES, SCREEN);
  output = new FakeOutput();
});
afterEach(() => {
  for (const devices of opened.splice(0)) devices.disconnected();
  browser.restore();
  output.restore();
  localStorage.removeItem(KEY);
});

/** @returns the devices, as a page has them that was opened again */
async function open(): Promise<Devices> {
  const devices = new Devices({ changed: () => undefined, devicesChanged: () => undefined });
  opened.push(devices);
  devices.connected();
  devices.begin();
  await passTime(1);
  await devices.list();
  return devices;
}

const noTrack = () => undefined;

describe('a choice of devices', () => {
  it('is remembered in this browser', async () => {
    const devices = await open();
    devices.choose({ microphone: headset, ringers: [screen] });
    const again = await open();
    expect(again.deviceId('microphone')).to.equal('m2');
    expect(again.state.choice.ringers).to.deep.equal([screen]);
  });

  it('is found by its label after the ids have changed, and then by the new id', async () => {
    (await open()).choose({ microphone: headset });
    browser.plug(BUILT_IN, { ...HEADSET, deviceId: 'other id' });
    expect((await open()).deviceId('microphone')).to.equal('other id');
    browser.plug(BUILT_IN, { ...HEADSET, deviceId: 'other id', label: 'renamed' });
    expect((await open()).deviceId('microphone')).to.equal('other id');
  });

  for (const stored of [
    '',
    'nonsense',
    '{}',
    '{"microphone":1}',
    '{"microphone":{"id":"a","label":"b"}}',
    'null',
  ])
    it(`is the system's where ${stored || 'nothing'} is stored`, async () => {
      localStorage.setItem(KEY, stored);
      expect((await open()).state.choice).to.deep.equal(SYSTEM_CHOICE);
    });

  it('counts in the other tabs, too', async () => {
    const devices = await open();
    const choice = JSON.stringify({ ...SYSTEM_CHOICE, microphone: headset });
    localStorage.setItem(KEY, choice);
    dispatchEvent(new StorageEvent('storage', { key: KEY, newValue: choice }));
    expect(devices.deviceId('microphone')).to.equal('m2');
  });

  it('counts in a second dialer of the page, too, with and without a storage', async () => {
    const [first, second] = [await open(), await open()];
    first.choose({ microphone: headset });
    expect(second.deviceId('microphone')).to.equal('m2');
  });

  it('counts until the page is closed where there is no storage', async () => {
    const own = Object.getOwnPropertyDescriptor(globalThis, 'localStorage') as PropertyDescriptor;
    Object.defineProperty(globalThis, 'localStorage', {
      configurable: true,
      get: () => {
        throw new DOMException('forbidden', 'SecurityError');
      },
    });
    try {
      const devices = await open();
      devices.choose({ microphone: headset });
      expect(devices.deviceId('microphone')).to.equal('m2');
      devices.disconnected();
      expect((await open()).deviceId('microphone'), 'in the next dialer').to.equal('m2');
    } finally {
      Object.defineProperty(globalThis, 'localStorage', own);
    }
  });
});

describe('the list of devices', () => {
  it('tells two headsets of one name apart: the chosen one is missed, and used again when it is back', async () => {
    const twin = { ...HEADSET, deviceId: 'm3' };
    browser.plug(BUILT_IN, HEADSET, twin);
    const devices = await open();
    devices.choose({ microphone: { id: twin.deviceId, label: twin.label } });
    browser.plug(BUILT_IN, HEADSET);
    await until(() => devices.state.notice?.is === 'lost', 'the loss');
    expect(devices.deviceId('microphone')).to.equal('');
    expect((await open()).deviceId('microphone'), 'after a reload').to.equal('');
    browser.plug(BUILT_IN, HEADSET, twin);
    await until(() => devices.state.notice?.is === 'back', 'the return');
    expect(devices.deviceId('microphone')).to.equal('m3');
  });

  it('has neither the aliases of the system nor the numbers of USB devices', async () => {
    browser.plugged = [
      { kind: 'audioinput', deviceId: 'default', label: 'Default - Headset (0b0e:0e2d)' },
      BUILT_IN,
      { ...HEADSET, label: 'Headset (0b0e:0e2d)' },
    ];
    const { list } = (await open()).state;
    expect(list?.microphone.all.map(({ label }) => label)).to.deep.equal(['Built-in', 'Headset']);
    expect(list?.microphone.preferred?.label).to.equal('Headset');
  });

  for (const [label, preferred] of [
    ['Default - Headset Microphone (Realtek)', 'Headset Microphone (Realtek)'],
    ['Default - Microphone (Realtek)', 'Microphone (Realtek)'],
    ['Default - USB - Microphone (Realtek)', 'USB - Microphone (Realtek)'],
  ] as const)
    it(`names the system's device, not another one whose name ends alike: ${preferred}`, async () => {
      const names = ['Microphone (Realtek)', 'Headset Microphone (Realtek)', 'USB - Microphone (Realtek)'];
      browser.plugged = [
        { kind: 'audioinput', deviceId: 'default', label },
        ...names.map((name) => ({ ...BUILT_IN, deviceId: name, label: name })),
      ];
      expect((await open()).state.list?.microphone.preferred?.label).to.equal(preferred);
    });

  it('is unknown while the browser hides the names', async () => {
    browser.plugged = [{ kind: 'audioinput', deviceId: '', label: '' }];
    expect((await open()).state.list).to.equal(undefined);
  });
});

describe('the test of a headset', () => {
  it('listens for three seconds, closes the microphone, and plays on the chosen speaker', async () => {
    const devices = await open();
    devices.choose({ microphone: headset, speaker: { id: 's2', label: 'Headset' } });
    void devices.testHeadset();
    await until(() => devices.state.test.is === 'speaking', 'the recording');
    expect(browser.live).to.deep.equal(['m2']);
    await until(() => devices.state.level > 0.3, 'a level');
    await until(() => devices.state.test.is === 'playing', 'the playing');
    expect(browser.live).to.deep.equal([]);
    expect(output.on).to.deep.equal(['s2']);
    await until(() => devices.state.test.is === 'over', 'the end');
    expect(devices.state.test).to.deep.equal({ is: 'over', result: 'heard' });
    expect(output.on).to.deep.equal([]);
  });

  it('says that it heard nothing, and then plays nothing', async () => {
    browser.isLoud = false;
    const devices = await open();
    await until(() => devices.state.list !== undefined, 'the list');
    void devices.testHeadset();
    await until(() => devices.state.test.is === 'over', 'the end');
    expect(devices.state.test).to.deep.equal({ is: 'over', result: 'silent' });
    expect(browser.live).to.deep.equal([]);
  });

  for (const [refusal, result] of [
    ['NotAllowedError', 'microphone-denied'],
    ['NotFoundError', 'microphone-missing'],
    ['NotReadableError', 'microphone-missing'],
  ] as const)
    it(`ends with ${result} after ${refusal}`, async () => {
      browser.refusal = refusal;
      const devices = await open();
      await devices.testHeadset();
      expect(devices.state.test).to.deep.equal({ is: 'over', result });
    });

  it('says that the page is not secure, or that its policy forbids the microphone, and not that there is none', async () => {
    const devices = await open();
    const own = Object.getOwnPropertyDescriptor(globalThis, 'isSecureContext') as PropertyDescriptor;
    Object.defineProperty(globalThis, 'isSecureContext', { configurable: true, value: false });
    browser.replace(navigator, 'mediaDevices', undefined);
    await devices.testHeadset();
    expect(devices.state.test).to.deep.equal({ is: 'over', result: 'insecure-context' });
    Object.defineProperty(globalThis, 'isSecureContext', own);
    browser.restore();
    browser = new FakeDevices(BUILT_IN);
    browser.refusal = 'NotAllowedError';
    browser.replace(document, 'featurePolicy', { allowsFeature: () => false });
    await devices.testHeadset();
    expect(devices.state.test).to.deep.equal({ is: 'over', result: 'microphone-forbidden' });
  });

  it('closes the microphone with its panel, also one that is granted later', async () => {
    const devices = await open();
    devices.open(noTrack);
    void devices.testHeadset();
    await until(() => devices.state.test.is === 'speaking', 'the recording');
    devices.close();
    expect(browser.live).to.deep.equal([]);
    expect(devices.state.test).to.deep.equal({ is: 'none' });
    browser.isWaiting = true;
    void devices.testHeadset();
    await until(() => browser.grant !== undefined, 'the question');
    devices.endTest();
    browser.grant?.();
    await nextTurn();
    expect(browser.opened.length).to.equal(2);
    expect(browser.live).to.deep.equal([]);
    expect(devices.state.test).to.deep.equal({ is: 'none' });
  });

  it('closes the microphone when it is ended in the moment of the grant, or the browser cannot listen', async () => {
    const devices = await open();
    const first = devices.testHeadset();
    const second = devices.testHeadset();
    await first;
    expect(browser.live, 'of the first press').to.have.length(1);
    devices.endTest();
    await second;
    expect(browser.live).to.deep.equal([]);
    const create = AudioContext.prototype.createMediaStreamSource;
    AudioContext.prototype.createMediaStreamSource = () => {
      throw new TypeError('not this stream');
    };
    try {
      const third = devices.testHeadset();
      const fourth = devices.testHeadset();
      await Promise.all([third, fourth]);
      expect(browser.live, 'without sound').to.deep.equal([]);
    } finally {
      AudioContext.prototype.createMediaStreamSource = create;
    }
  });

  it('gives up when nobody answers the browser’s question', async () => {
    browser.isWaiting = true;
    const devices = await open();
    void devices.testHeadset();
    await passTime(61_000);
    // The browser is asked once more what is in the way.
    await until(() => devices.state.test.is === 'over', 'the end');
    expect(devices.state.test).to.deep.equal({ is: 'over', result: 'microphone-denied' });
  });
});

describe('the ringing', () => {
  it('is on each chosen device, and ends by itself when it is a test', async () => {
    const devices = await open();
    devices.choose({ ringers: [{ id: '', label: '' }, screen] });
    devices.testRing('ringer');
    await until(() => output.played.length === 2, 'two rings');
    expect(output.on).to.deep.equal(['', 's3']);
    await passTime(3500);
    expect(output.on).to.deep.equal([]);
    expect(devices.state.test).to.deep.equal({ is: 'none' });
  });

  it('is on the system’s device where the browser refuses the chosen one', async () => {
    output.refused.add('s3');
    const devices = await open();
    devices.choose({ ringers: [screen] });
    const end = new AbortController();
    devices.ring(['s3'], end.signal);
    await until(() => output.played.length === 1, 'a ring');
    expect(output.on).to.deep.equal(['']);
    end.abort();
    expect(output.on).to.deep.equal([]);
  });

  it('is the page’s own sound where it has one', async () => {
    const devices = await open();
    devices.useRingtone('https://crm.example/ring.mp3');
    const end = new AbortController();
    devices.ring([''], end.signal);
    await until(() => output.played.length === 1, 'a ring');
    const { audio } = output.played[0] as { audio: HTMLAudioElement };
    expect([audio.src, audio.loop]).to.deep.equal(['https://crm.example/ring.mp3', true]);
    end.abort();
  });
});

describe('the level of a microphone', () => {
  it('is that of the present call while the panel is open, and opens no other', async () => {
    const devices = await open();
    const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
    const [track] = stream.getAudioTracks();
    devices.open(() => track);
    await until(() => devices.state.level > 0.3, 'a level');
    if (track) track.enabled = false;
    await until(() => devices.state.level === 0, 'silence');
    devices.close();
    expect(track?.readyState).to.equal('live');
    expect(browser.opened.length).to.equal(1);
  });
});
