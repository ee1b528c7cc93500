import { expect } from '@open-wc/testing';
import type { Words } from '../../src/i18n/en.ts';
import { LANGUAGES } from '../../src/i18n/words.ts';
import { codeOf } from '../support/code-of.ts';
import { BROKE, json, MEMBER, memberWith, readiness, session } from '../support/fake-broker.ts';
import { FakeBrowser } from '../support/fake-browser.ts';
import { FakeVbot } from '../support/fake-vbot.ts';
import {
  button,
  nextTurn,
  openBlocked,
  openDialer,
  openReady,
  passTime,
  press,
  reaches,
  sdk,
  textOf,
  until,
  useStorage,
  type DialerPage,
} from '../support/dialer.ts';

const RETURN_MS = 10_000;
const WEBRTC = globalThis.RTCPeerConnection;

let page: DialerPage;
let browser: FakeBrowser;
beforeEach(() => (browser = new FakeBrowser()));

const blocker = () => {
  const { block } = page.dialer.state;
  return block.is === 'blocked' ? `${block.source}: ${block.reason}` : block.is;
};

/** As `textOf` gives it: where a line may break does not matter. */
const asRead = (text: string) => text.replaceAll(/\s+/g, ' ');

interface Trouble {
  readonly name: string;
  readonly reason: keyof Words['guide'];
  readonly code: string;
  readonly fixer: keyof Words['fixer'];
  readonly begin: () => void;
  readonly heal: () => void;
}

const TROUBLES: readonly Trouble[] = [
  {
    name: 'the browser blocks the microphone',
    reason: 'microphone-denied',
    code: 'microphone-denied',
    fixer: 'agent',
    begin: () => browser.permit('denied'),
    heal: () => browser.permit('granted'),
  },
  {
    name: 'there is no microphone',
    reason: 'microphone-missing',
    code: 'microphone-missing',
    fixer: 'agent',
    begin: () => browser.plug(false),
    heal: () => browser.plug(true),
  },
  {
    name: 'the machine is offline',
    reason: 'offline',
    code: 'network-lost',
    fixer: 'agent',
    begin: () => browser.goOnline(false),
    heal: () => browser.goOnline(true),
  },
  {
    name: 'the browser has no WebRTC',
    reason: 'unsupported-browser',
    code: 'unsupported-browser',
    fixer: 'agent',
    begin: () => {
      browser.replace(globalThis, 'RTCPeerConnection', undefined);
      Reflect.deleteProperty(globalThis, 'RTCPeerConnection');
      dispatchEvent(new Event('focus'));
    },
    heal: () => {
      globalThis.RTCPeerConnection = WEBRTC;
      dispatchEvent(new Event('focus'));
    },
  },
  {
    name: 'the policy of the page forbids the microphone',
    reason: 'microphone-forbidden',
    code: 'microphone-denied',
    fixer: 'developer',
    begin: () => {
      browser.replace(document, 'featurePolicy', { allowsFeature: (name: string) => name !== 'microphone' });
      dispatchEvent(new Event('focus'));
    },
    heal: () => {
      browser.replace(document, 'featurePolicy', undefined);
      dispatchEvent(new Event('focus'));
    },
  },
  {
    name: 'the page is not secure',
    reason: 'insecure-context',
    code: 'insecure-context',
    fixer: 'developer',
    begin: () => {
      browser.replace(globalThis, 'isSecureContext', false);
      dispatchEvent(new Event('focus'));
    },
    heal: () => {
      browser.replace(globalThis, 'isSecureContext', true);
      dispatchEvent(new Event('focus'));
    },
  },
];

describe('an agent who has not clicked yet', () => {
  for (const { name, reason, code, fixer, begin, heal } of TROUBLES) {
    for (const [lang, words] of Object.entries(LANGUAGES)) {
      it(`reads, in ${lang}, that ${name}, and is ready again once that is mended`, async () => {
        const isOffline = reason === 'offline';
        if (!isOffline) begin();
        page = await openDialer({ lang }, isOffline ? { 'POST session': offlineAnswer } : {});
        if (isOffline) begin();
        const { dialer } = page;
        await reaches(dialer, 'blocked');
        expect(blocker()).to.equal(`browser: ${reason}`);
        await until(() => textOf(dialer).includes(asRead(words.guide[reason])), 'the guide');
        expect(textOf(dialer)).to.include(asRead(`${words.whoCanFix}: ${words.fixer[fixer]}`));
        expect(page.events).not.to.include('ready');
        expect(await codeOf(dialer.call(''))).to.equal('invalid-number');
        expect(await codeOf(dialer.call('0912345678'))).to.equal(code);
        expect(page.events).not.to.include('beforecall');
        await expect(dialer).to.be.accessible();
        page.broker.on('POST session', () => session());
        heal();
        await reaches(dialer, 'ready');
        expect(page.events.filter((event) => event === 'ready')).to.have.length(1);
        expect(textOf(dialer)).to.include('0912 345 678');
        expect(browser.opened, 'microphones opened by looking').to.equal(0);
      });
    }
  }

  it('is asked for nothing before the phone is registered', async () => {
    const storage = globalThis.localStorage;
    let reads = 0;
    useStorage(() => {
      reads += 1;
      return storage;
    });
    FakeVbot.onBoot = () => undefined;
    page = await openDialer();
    await until(() => FakeVbot.current?.isConnected === true, 'the SDK');
    dispatchEvent(new Event('focus'));
    await passTime(1000);
    expect(browser.asked).to.deep.equal([]);
    expect(reads, 'reads of the storage').to.equal(0);
    sdk().register();
    await reaches(page.dialer, 'ready');
    expect(browser.asked).to.include('permission').and.to.include('devices');
  });

  it('is not told "ready" before it is known whether there is a microphone', async () => {
    const listed = Promise.withResolvers<void>();
    const { mediaDevices } = navigator;
    const list = mediaDevices.enumerateDevices.bind(mediaDevices);
    browser.replace(mediaDevices, 'enumerateDevices', () => listed.promise.then(list));
    browser.plug(false);
    page = await openDialer();
    await until(() => FakeVbot.current?.isConnected === true, 'the SDK');
    await passTime(500);
    expect(page.dialer.state.status).to.equal('connecting');
    expect(page.dialer.state.canCall).to.equal(false);
    listed.resolve();
    await reaches(page.dialer, 'blocked');
    expect(page.events).to.deep.equal(['blocked']);
  });

  it('is told by itself when the microphone is allowed, also if "Check again" came before the phone is registered', async () => {
    page = await openDialer({}, { 'POST session': offlineAnswer });
    browser.goOnline(false);
    await reaches(page.dialer, 'blocked');
    browser.permitQuietly('denied');
    await press(page.dialer, 'Check again');
    browser.goOnline(true);
    await until(() => blocker() === 'browser: microphone-denied', 'the microphone');
    browser.permit('granted');
    await until(() => page.dialer.state.block.is !== 'blocked', 'the guide goes');
  });

  it('is told again by an event when something else is in the way', async () => {
    browser.permit('denied');
    page = await openBlocked();
    browser.goOnline(false);
    expect(page.details.get('blocked')?.detail).to.deep.equal({ reason: 'offline', source: 'browser' });
    browser.goOnline(true);
    await until(() => blocker() === 'browser: microphone-denied', 'what was there before');
    expect(page.events).not.to.include('ready');
  });

  it('keeps the keypad, and is told nothing, where the browser cannot tell', async () => {
    browser.permit('untold');
    browser.replace(navigator.mediaDevices, 'enumerateDevices', () => new Promise(() => undefined));
    page = await openReady();
    await passTime(5000);
    expect(page.dialer.state.status).to.equal('ready');
    expect(page.events).to.deep.equal(['ready']);
  });

  it('is back at the keypad by itself, with what was typed, when no number was waiting', async () => {
    page = await openReady();
    const { dialer } = page;
    await press(dialer, '0');
    await press(dialer, '9');
    browser.permit('denied');
    await reaches(dialer, 'blocked');
    browser.permit('granted');
    await until(() => dialer.state.block.is === 'none', 'nothing to dismiss');
    await dialer.updateComplete;
    expect(dialer.shadowRoot?.querySelector('input')?.value).to.equal('09');
  });

  it('is ready when the machine takes itself for offline, but the broker and the exchange answer', async () => {
    browser.replace(navigator, 'onLine', false);
    page = await openReady();
    browser.goOnline(false);
    await reaches(page.dialer, 'blocked');
    await press(page.dialer, 'Check again');
    await reaches(page.dialer, 'ready');
  });

  it('cannot call before the connection is replaced that may have died without a network', async () => {
    page = await openReady();
    // The connection is no longer the first one: now it hears last that the network is back.
    page.dialer.sdkBaseUrl = 'https://other.example/v1';
    await until(() => page.dialer.state.status === 'connecting', 'the next connection');
    await reaches(page.dialer, 'ready');
    browser.goOnline(false);
    await reaches(page.dialer, 'blocked');
    const seen: string[] = [];
    page.dialer.addEventListener('dialer-statechange', ({ detail }) => seen.push(detail.state.status));
    const boots = FakeVbot.boots;
    browser.goOnline(true);
    await until(() => FakeVbot.boots > boots, 'another connection');
    await reaches(page.dialer, 'ready');
    expect(seen.indexOf('ready'), seen.join()).to.equal(seen.length - 1);
  });

  it('reads that it is offline, not that a server is down, when the page was opened without a network', async () => {
    browser.replace(navigator, 'onLine', false);
    page = await openBlocked({ 'POST session': new TypeError('Failed to fetch') });
    expect(textOf(page.dialer)).to.include('You are offline').and.not.include('sign-in server');
    await press(page.dialer, 'Check again');
    await until(() => textOf(page.dialer).includes('Nothing has changed yet'), 'the answer');
    page.broker.on('POST session', () => session());
    await press(page.dialer, 'Check again');
    await reaches(page.dialer, 'ready');
  });
});

/** It takes its time, and there is none. */
async function offlineAnswer(): Promise<Response> {
  await new Promise((resolve) => {
    setTimeout(resolve, 200);
  });
  throw new TypeError('Failed to fetch');
}

describe('what only a look at the browser finds', () => {
  it('is looked for again when the agent comes back from the settings', async () => {
    page = await openReady();
    browser.permitQuietly('denied');
    dispatchEvent(new Event('focus'));
    await reaches(page.dialer, 'blocked');
    browser.permitQuietly('granted');
    document.dispatchEvent(new Event('visibilitychange'));
    await reaches(page.dialer, 'ready');
  });

  it('is found at the call at the latest, and no call goes out', async () => {
    page = await openReady();
    browser.permitQuietly('denied');
    expect(await codeOf(page.dialer.call('0912345678'))).to.equal('microphone-denied');
    expect(page.dialer.state.status).to.equal('blocked');
    expect(sdk().told).to.deep.equal([]);
    browser.permitQuietly('granted');
    await page.dialer.call('0912345678');
    expect(page.dialer.state.status).to.equal('dialing');
  });

  it('comes after what the broker has against the member, and stays when that is over', async () => {
    browser.permit('denied');
    page = await openDialer({}, { 'POST session': () => session(BROKE) });
    await until(() => blocker() === 'broker: insufficient-funds', 'the guide to money');
    await until(() => page.dialer.state.line.is === 'up', 'a connection');
    await press(page.dialer, 'Check again');
    await until(() => blocker() === 'browser: microphone-denied', 'the guide to the microphone');
    expect(page.events).not.to.include('ready');
    browser.permit('granted');
    await reaches(page.dialer, 'ready');
  });

  it('does not hide that the member has no caller number', async () => {
    browser.permit('denied');
    FakeVbot.onBoot = (vbot) => vbot.register([]);
    page = await openDialer({}, { 'POST session': () => session({ hotlines: [] }) });
    await until(() => blocker() === 'sdk: no-hotline', 'the guide to a caller number');
    browser.permit('granted');
    await passTime(1000);
    expect(blocker()).to.equal('sdk: no-hotline');
  });

  it('leaves nothing behind in a dialer that is taken out, and is looked for afresh when it comes back', async () => {
    page = await openReady();
    page.dialer.remove();
    await nextTurn();
    browser.permit('denied');
    browser.goOnline(false);
    await passTime(1000);
    expect(page.dialer.state.status).to.equal('idle');
    browser.goOnline(true);
    document.body.append(page.dialer);
    await reaches(page.dialer, 'blocked');
    expect(blocker()).to.equal('browser: microphone-denied');
  });
});

describe('an agent whose money runs low', () => {
  const poor = { member: { ...MEMBER, balance: 400 } };

  it('reads the balance before dialling, can call all the same, and reads it no more once there is enough', async () => {
    page = await openReady({}, memberWith(poor));
    const { dialer } = page;
    expect(textOf(dialer)).to.include('Low call balance: 400 ₫').and.include('Ask for a top-up');
    await expect(dialer).to.be.accessible();
    await dialer.call('0912345678');
    expect(dialer.state.status).to.equal('dialing');
    await dialer.hangUp();
    page.broker.on('GET status', () => readiness());
    await dialer.recheck();
    await dialer.updateComplete;
    expect(textOf(dialer)).to.include('Call balance: 12,500 ₫').and.not.include('Low call balance');
  });

  for (const [threshold, balance, isWarned] of [
    ['', 499, true],
    ['', 500, false],
    ['0', 0, false],
    ['20000', 19_999, true],
    ['much', 499, true],
  ] as const) {
    it(`is ${isWarned ? '' : 'not '}warned at ${balance} ₫ with low-balance="${threshold}"`, async () => {
      page = await openReady(
        { 'low-balance': threshold },
        { 'POST session': () => session({ member: { ...MEMBER, balance } }) },
      );
      expect(textOf(page.dialer).includes('Low call balance')).to.equal(isWarned);
    });
  }

  it('asks for a top-up in time, and reads what came of it', async () => {
    page = await openReady(
      {},
      { 'POST session': () => session(poor), 'POST top-up': () => json({ code: 'top-up-limit' }, 429) },
    );
    const { dialer, broker } = page;
    await press(dialer, 'Ask for a top-up');
    await until(() => textOf(dialer).includes('Today’s top-up limit is reached'), 'the limit');
    expect(dialer.state.status, 'what is left can be used').to.equal('ready');
    expect(textOf(dialer)).not.to.include('Ask for a top-up');
    await dialer.call('0912345678');
    await dialer.hangUp();
    await reaches(dialer, 'ended');
    broker.on('POST top-up', () => json({}, 429));
    await press(dialer, 'Ask for a top-up');
    await until(() => textOf(dialer).includes('The request failed.'), 'a failure');
    expect(textOf(dialer)).not.to.include('check');
    broker.on('POST top-up', () => json({ code: 'top-up-later' }, 503));
    await press(dialer, 'The request failed. Ask again');
    await until(() => textOf(dialer).includes('Not possible now.'), 'a word for later');
    broker.on('POST top-up', () => readiness());
    button(dialer, 'Not possible now. Ask again').click();
    button(dialer, 'Not possible now. Ask again').click();
    await until(() => textOf(dialer).includes('Call balance: 12,500 ₫'), 'the money');
    expect(broker.count('POST top-up'), 'a double press is one request').to.equal(4);
  });

  it('lets the page say later what came of the request', async () => {
    page = await openReady({}, { 'POST session': () => session(poor) });
    page.dialer.addEventListener('dialer-topuprequest', (event) => event.preventDefault());
    await press(page.dialer, 'Ask for a top-up');
    await passTime(1000);
    expect(textOf(page.dialer), 'nothing but what the page says').to.include('Asking…');
    page.details.get('topuprequest')?.detail.done();
    await until(() => textOf(page.dialer).includes('Top-up requested.'), 'the word of the page');
    page.details.get('topuprequest')?.detail.done('top-up-refused');
    await until(() => textOf(page.dialer).includes('The top-up was refused.'), 'another one');
    expect(page.broker.count('POST top-up')).to.equal(0);
  });

  it('reads of the money that came meanwhile when it comes back to the page, without the broker being asked at every turn', async () => {
    page = await openReady({}, memberWith(poor));
    for (let time = 0; time < 5; time += 1) dispatchEvent(new Event('focus'));
    await passTime(1000);
    expect(page.broker.count('GET status')).to.equal(1);
    page.broker.on('GET status', () => readiness());
    await passTime(RETURN_MS);
    dispatchEvent(new Event('focus'));
    await until(() => textOf(page.dialer).includes('Call balance: 12,500 ₫'), 'the money');
    await passTime(RETURN_MS);
    dispatchEvent(new Event('focus'));
    await passTime(1000);
    expect(page.broker.count('GET status')).to.equal(2);
  });

  it('is released at once when it comes back to the page, though the next poll is far away', async () => {
    page = await openBlocked(memberWith(BROKE));
    await passTime(16_000);
    page.broker.on('GET status', () => readiness());
    dispatchEvent(new Event('focus'));
    await passTime(500);
    expect(page.dialer.state.status).to.equal('ready');
  });
});
