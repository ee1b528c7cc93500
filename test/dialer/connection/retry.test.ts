import { expect } from '@open-wc/testing';
import { Retry } from '../../../src/dialer/connection/retry.ts';
import { leap, passTime, setClock } from '../../support/clock.ts';
import { BROKE, MEMBER, memberWith, session, type Answer } from '../../support/fake-broker.ts';
import {
  openBlocked,
  openDialer,
  openReady,
  press,
  reaches,
  textOf,
  until,
  type DialerPage,
} from '../../support/dialer.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const READING_MS = 500;
const busy = () => new Response('{}', { status: 503, headers: { 'Retry-After': '300' } });
const DOWN: Answer = new TypeError('nobody there');

let visibility: DocumentVisibilityState = 'visible';
function show(now: DocumentVisibilityState): void {
  visibility = now;
  document.dispatchEvent(new Event('visibilitychange'));
}

before(() => {
  Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => visibility });
});
beforeEach(() => (visibility = 'visible'));
after(() => Reflect.deleteProperty(document, 'visibilityState'));

describe('the waits between two attempts', () => {
  it('grow to two minutes, a fifth more or less, and stay there', () => {
    const retry = new Retry(3000, 120_000);
    const waits = Array.from({ length: 2000 }, () => retry.next());
    expect(waits[0]).to.be.within(2400, 3600);
    expect(waits[1]).to.be.within(4800, 7200);
    for (const wait of waits.slice(6)) expect(wait).to.be.within(96_000, 144_000);
    expect(new Set(waits.slice(6)).size, 'not all at once').to.be.above(100);
    retry.reset();
    expect(retry.next()).to.be.within(2400, 3600);
  });

  it('are as long as the broker asks for, and a little longer', () => {
    const retry = new Retry(3000, 120_000);
    expect(retry.next(60_000)).to.be.within(60_000, 62_000);
    expect(retry.pauseLeft).to.be.within(59_000, 60_000);
    retry.reset();
    expect(retry.pauseLeft).to.equal(0);
  });

  it('end with whoever waits', async () => {
    const giveUp = new AbortController();
    const waiting = new Retry(3000, 120_000).due(Infinity, giveUp.signal);
    giveUp.abort();
    await waiting;
  });
});

describe('a broker that is down for long', () => {
  let page: DialerPage;
  const asked = () => page.broker.count('POST session');
  const { error, warn } = console;
  after(() => Object.assign(console, { error, warn }));

  /** Lets so many attempts fail, each at its time. */
  async function fail(times: number, answer: Answer = DOWN): Promise<void> {
    page = await openDialer({}, { 'POST session': answer });
    await reaches(page.dialer, 'failed');
    for (let left = times; left > 1; left -= 1) {
      const { line } = page.dialer.state;
      const before = asked();
      await leap((line.is === 'failed' ? (line.retryAt ?? 0) : 0) - Date.now() + 1);
      await until(() => page.dialer.state.line !== line, 'the next failure');
      expect(asked(), `${left} left`).to.equal(before + 1);
    }
  }
  const heal = () => page.broker.on('POST session', () => session());
  const isTried = async () => {
    const before = asked();
    await leap(0);
    return asked() > before;
  };

  for (const [what, answer] of [
    ['does not answer', DOWN],
    ['shows the page of its maintenance', () => new Response('<h1>Back soon</h1>', { status: 200 })],
  ] as const) {
    it(`and ${what} is asked until it is back: an agent gets calls again without pressing anything`, async () => {
      await fail(14, answer);
      heal();
      await leap(2.5 * MINUTE_MS);
      await reaches(page.dialer, 'ready');
    });
  }

  for (const [what, sign] of [
    ['comes back to the page', () => void (show('hidden'), show('visible'))],
    ['gives it the focus', () => void dispatchEvent(new Event('focus'))],
    ['has a network again', () => void dispatchEvent(new Event('online'))],
    ['wakes the machine', () => leap(0).then(() => wake())],
  ] as const) {
    it(`is asked at once when the agent ${what}`, async () => {
      await fail(9);
      heal();
      await sign();
      await reaches(page.dialer, 'ready');
    });
  }

  it('is asked at once when the agent presses', async () => {
    await fail(9);
    heal();
    await press(page.dialer, 'Try again');
    await reaches(page.dialer, 'ready');
  });

  it('costs it no more than one request in ten minutes while the page is hidden', async () => {
    await fail(3);
    show('hidden');
    const before = asked();
    for (let minutes = 0; minutes < 180; minutes += 5) await leap(5 * MINUTE_MS);
    expect(asked() - before).to.be.within(15, 18);
    heal();
    show('visible');
    await reaches(page.dialer, 'ready');
  });

  it('is left alone for as long as it asks, also by an agent who comes back', async () => {
    page = await openDialer({}, { 'POST session': busy });
    await reaches(page.dialer, 'failed');
    heal();
    for (const sign of ['focus', 'online']) dispatchEvent(new Event(sign));
    expect(await isTried()).to.equal(false);
    await leap(5 * MINUTE_MS);
    await reaches(page.dialer, 'ready');
  });

  it('is asked at once by a machine that has slept through the pause it asked for', async () => {
    page = await openDialer({}, { 'POST session': busy });
    await reaches(page.dialer, 'failed');
    heal();
    setClock(2 * HOUR_MS);
    await passTime(5001);
    await reaches(page.dialer, 'ready');
    expect(asked()).to.equal(2);
  });

  it('about a guide is asked within half a minute by a machine that has slept through that pause', async () => {
    page = await openBlocked({ ...memberWith(BROKE), 'GET status': busy });
    const polls = () => page.broker.count('GET status');
    await until(() => polls() === 1, 'the first poll');
    // A busy machine reads the answer in this time, and not when the clock has run ahead.
    await new Promise((resolve) => {
      setTimeout(resolve, READING_MS);
    });
    await passTime(MINUTE_MS);
    setClock(2 * HOUR_MS);
    await passTime(MINUTE_MS / 2);
    expect(polls()).to.equal(2);
  });

  it('that refuses the agent is asked when they come back, perhaps signed in elsewhere, and not before', async () => {
    page = await openDialer({}, { 'POST session': new Response('', { status: 401 }) });
    await reaches(page.dialer, 'failed');
    expect(textOf(page.dialer)).not.to.include('Trying again in');
    await leap(HOUR_MS / 60);
    expect(asked()).to.equal(1);
    heal();
    dispatchEvent(new Event('focus'));
    await reaches(page.dialer, 'ready');
  });

  it('is not asked about settings that are wrong, however often the agent comes back', async () => {
    Object.assign(console, { error: () => undefined });
    page = await openDialer({ 'broker-url': 'http://[' });
    await reaches(page.dialer, 'failed');
    const { length } = page.events;
    for (const sign of ['focus', 'online', 'focus']) dispatchEvent(new Event(sign));
    await passTime(5 * MINUTE_MS);
    expect(page.events.length).to.equal(length);
  });
});

/** Would another tab get the phone now? */
async function isPhoneFree(): Promise<boolean> {
  await passTime(1500);
  const name = `partner-dialer ${location.origin}/broker/session ${MEMBER.memberNo}`;
  const { held = [] } = await navigator.locks.query();
  return held.every((lock) => lock.name !== name);
}

describe('a tab whose sign-in fails', () => {
  for (const [what, answer, seen, isFree] of [
    ['keeps the phone while it is in sight and tries again soon', DOWN, 'visible', false],
    [
      'leaves the phone to the other tabs when only a person can help',
      new Response('', { status: 401 }),
      'visible',
      true,
    ],
    ['leaves the phone to the other tabs when it is hidden, and waits long', DOWN, 'hidden', true],
  ] as const)
    it(what, async () => {
      const { dialer, broker } = await openReady();
      show(seen);
      broker.on('POST session', answer);
      dispatchEvent(new Event('online'));
      await reaches(dialer, 'failed');
      expect(await isPhoneFree()).to.equal(isFree);
    });
});

/** The machine slept: its clock has gone on, its timers have not. */
async function wake(): Promise<void> {
  const { now } = Date;
  Date.now = () => now() + 2 * MINUTE_MS;
  try {
    await leap(5001);
  } finally {
    Date.now = now;
  }
}
