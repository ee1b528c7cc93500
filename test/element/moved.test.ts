/** Pages and frameworks move an element by a removal and an insertion in one task. Nobody may see, hear or read a difference. */
import { expect } from '@open-wc/testing';
import * as fc from 'fast-check';
import type { PartnerDialer } from '../../src/index.ts';
import { codeOf } from '../support/code-of.ts';
import {
  button,
  nextTurn,
  openDialer,
  openReady,
  passTime,
  press,
  reaches,
  ringOn,
  sdk,
  settled,
  talkOn,
  textOf,
  until,
  type DialerPage,
} from '../support/dialer.ts';
import {
  BUILT_IN,
  EARPHONES,
  FakeDevices,
  FakeOutput,
  HEADSET,
  LOUDSPEAKER,
  SCREEN,
} from '../support/fake-devices.ts';
import { centerOf, hesitate, pressAt } from '../support/pointer.ts';

const KEY = 'partner-dialer devices';
const SYSTEM = { id: '', label: '' };

let page: DialerPage;
let browser: FakeDevices;
let output: FakeOutput;
let frame: HTMLIFrameElement;

beforeEach(() => {
  browser = new FakeDevices(BUILT_IN, HEADSET, LOUDSPEAKER, EARPHONES, SCREEN);
  output = new FakeOutput();
  frame = document.createElement('iframe');
  frame.style.cssText = 'width: 420px; height: 760px';
  document.body.append(frame);
});
afterEach(() => {
  document.body.append(...document.querySelectorAll('partner-dialer'));
  frame.remove();
  browser.restore();
  output.restore();
  localStorage.removeItem(KEY);
});

const body = () => frame.contentDocument?.body as HTMLElement;

const MOVES = {
  nowhere: () => undefined,
  'within the page': (dialer: HTMLElement) => document.body.prepend(dialer),
  'into a frame and back': (dialer: HTMLElement) => {
    body().append(dialer);
    document.body.append(dialer);
  },
  'into a frame': (dialer: HTMLElement) => body().append(dialer),
};
type Move = keyof typeof MOVES;

/** A working day in short; after each step the dialer may be moved. */
const STEPS: readonly ((dialer: DialerPage['dialer']) => Promise<unknown> | void)[] = [
  (dialer) => press(dialer, '0'),
  (dialer) => dialer.call('0912345678', { name: 'Lan' }),
  () => sdk().accept(),
  (dialer) => dialer.setMuted(true),
  (dialer) => press(dialer, 'Sound devices'),
  (dialer) => dialer.call('0900000200').catch(() => undefined),
  (dialer) => press(dialer, 'Keys'),
  (dialer) => dialer.sendDtmf('1#'),
  () => sdk().end(),
  () => passTime(500),
  (dialer) => ringOn(dialer, '0987654321', 'Mai'),
  () => until(() => output.on.length > 0, 'the ring'),
  (dialer) => dialer.answer(),
  () => browser.plug(BUILT_IN, LOUDSPEAKER, EARPHONES, SCREEN),
  () => passTime(12_000),
  (dialer) => dialer.hangUp(),
  (dialer) => ringOn(dialer, '0987654321'),
  () => sdk().end('Cuộc gọi đã bị hủy'),
];

/** What is drawn, told and heard after each step, and what the SDK was asked to do. */
async function playWith(moves: readonly Move[]): Promise<unknown[]> {
  localStorage.clear();
  localStorage.setItem(
    KEY,
    JSON.stringify({
      microphone: { id: HEADSET.deviceId, label: HEADSET.label },
      speaker: SYSTEM,
      ringers: [{ id: SCREEN.deviceId, label: SCREEN.label }],
    }),
  );
  browser.plug(BUILT_IN, HEADSET, LOUDSPEAKER, EARPHONES, SCREEN);
  output.played.length = 0;
  page = await openReady();
  const { dialer } = page;
  const seen: unknown[] = [];
  for (const [index, step] of STEPS.entries()) {
    await step(dialer);
    MOVES[moves[index] ?? 'nowhere'](dialer);
    await nextTurn();
    await passTime(200);
    await dialer.updateComplete;
    const drawn = textOf(dialer).replaceAll(/\d\d:\d\d|\d+ s\b/g, '…');
    const card = dialer.shadowRoot?.querySelector('[part~=card]') as Element;
    const { backgroundColor, paddingTop } = getComputedStyle(card);
    const look = [backgroundColor, paddingTop];
    seen.push([index, dialer.state.status, drawn, look, [...page.events], [...sdk().told], [...output.on]]);
  }
  await page.close();
  return seen;
}

describe('a dialer that is moved', () => {
  it('is drawn, heard and told as one that is not, at whichever moment and wherever to', async function () {
    this.timeout(120_000);
    const expected = await playWith([]);
    const moves = fc.array(fc.constantFrom(...(Object.keys(MOVES) as Move[])), {
      minLength: STEPS.length,
      maxLength: STEPS.length,
    });
    const property = fc.asyncProperty(moves, async (drawn) => {
      const seen = await playWith(drawn);
      for (const [index, step] of seen.entries())
        expect(JSON.stringify(step)).to.equal(JSON.stringify(expected[index]));
    });
    await fc.assert(property, { seed: 31, numRuns: 8, endOnFailure: true, includeErrorInReport: true });
  });

  it('takes presses in a frame, and is drawn there with its styles', async () => {
    page = await openReady();
    const { dialer } = page;
    const { width } = button(dialer, '5').getBoundingClientRect();
    body().style.margin = '0';
    body().append(dialer);
    await dialer.updateComplete;
    expect(button(dialer, '5').getBoundingClientRect().width).to.equal(width);
    await hesitate();
    const { x, y } = centerOf(button(dialer, '5'));
    const { left, top } = frame.getBoundingClientRect();
    await pressAt({ x: Math.round(left + frame.clientLeft + x), y: Math.round(top + frame.clientTop + y) });
    await until(() => dialer.shadowRoot?.querySelector('input')?.value === '5', 'the digit');
  });

  it('is drawn with its styles where it was put into a frame from the first', async () => {
    page = await openReady();
    const second = document.createElement('partner-dialer');
    second.connectMode = 'manual';
    body().append(second);
    await second.updateComplete;
    expect(getComputedStyle(second).display).to.equal(getComputedStyle(page.dialer).display);
    expect(getComputedStyle(second).display).not.to.equal('inline');
    second.remove();
  });

  it('goes on with the test of a headset, and shows how loud it is', async () => {
    page = await openReady();
    const { dialer } = page;
    await press(dialer, 'Sound devices');
    await press(dialer, 'Test headset');
    const level = () => Number(dialer.shadowRoot?.querySelector('[role=meter]')?.ariaValueNow ?? 0);
    await until(() => level() > 0, 'the voice');
    document.body.prepend(dialer);
    await nextTurn();
    expect(browser.live).to.have.length(1);
    expect(level()).to.be.above(0);
    await until(() => textOf(dialer).includes('Did you hear yourself?'), 'the end of the test');
  });
});

describe('a page that moves the dialer, and acts in the middle of it,', () => {
  it('ends the call by hangUp()', async () => {
    page = await openReady();
    await talkOn(page.dialer);
    page.dialer.remove();
    const ended = page.dialer.hangUp();
    document.body.append(page.dialer);
    await nextTurn();
    expect(sdk().told.at(-1)).to.equal('hangupCall');
    sdk().end();
    await ended;
    expect(page.dialer.state.status).to.equal('ended');
  });

  it('mutes the call by setMuted()', async () => {
    page = await openReady();
    await talkOn(page.dialer);
    page.dialer.remove();
    const muted = page.dialer.setMuted(true);
    document.body.append(page.dialer);
    await muted;
    expect(page.dialer.state.call).to.include({ is: 'active', muted: true });
  });

  it('is asked for a call that begins only then, and can prevent it', async () => {
    page = await openReady();
    const { dialer } = page;
    await talkOn(dialer);
    document.addEventListener('dialer-beforecall', (event) => event.preventDefault(), { once: true });
    const next = Promise.withResolvers<unknown>();
    const callNext = async () => {
      next.resolve(codeOf(dialer.call('0987654321')));
      dialer.remove();
      for (let n = 0; n < 3; n += 1) await Promise.resolve();
      document.body.append(dialer);
    };
    dialer.addEventListener('dialer-callend', () => void callNext(), { once: true });
    sdk().end();
    expect(await settled(next.promise)).to.equal('call-rejected');
    expect(sdk().told).to.have.length(1);
  });
});

it('ends its call with the window that it was moved into', async () => {
  page = await openReady();
  await talkOn(page.dialer);
  body().append(page.dialer);
  await page.dialer.updateComplete;
  expect(page.dialer.state.status).to.equal('in-call');
  frame.remove();
  await until(() => sdk().told.at(-1) === 'hangupCall', 'the end of the call');
  await until(() => page.dialer.state.line.is === 'off', 'the end of the sign-in');
  expect(page.events).to.include('callend');
  expect(await codeOf(page.dialer.call('0912345678'))).to.equal('not-ready');
  document.body.append(page.dialer);
  await reaches(page.dialer, 'ready');
  await press(page.dialer, '7');
  expect(page.dialer.shadowRoot?.querySelector('input')?.value).to.equal('7');
});

it('keeps its call if the page takes it back as the window closes, at the second visit and however late it listens', async () => {
  page = await openReady();
  await talkOn(page.dialer);
  body().append(page.dialer);
  await nextTurn();
  document.body.append(page.dialer);
  await nextTurn();
  body().append(page.dialer);
  await passTime(1000);
  frame.contentWindow?.addEventListener('pagehide', ({ target }) => {
    document.body.append((target as Document).querySelector('partner-dialer') ?? '');
  });
  await nextTurn();
  frame.remove();
  await nextTurn();
  expect(page.dialer.state.status).to.equal('in-call');
  await press(page.dialer, 'Mute');
  expect(page.dialer.state.call).to.include({ muted: true });
});

it('keeps its call if the page takes it out of that window in time', async () => {
  page = await openReady();
  await talkOn(page.dialer);
  body().append(page.dialer);
  frame.contentWindow?.addEventListener('pagehide', () => document.body.append(page.dialer));
  frame.remove();
  await passTime(1000);
  expect([page.dialer.isConnected, page.dialer.state.status]).to.deep.equal([true, 'in-call']);
});

describe('a dialer that Turbo keeps for its next page', () => {
  it('keeps its call while promises settle between its removal and its insertion', async () => {
    page = await openReady();
    const { dialer } = page;
    await talkOn(dialer);
    dialer.remove();
    for (let promises = 0; promises < 10; promises += 1) await Promise.resolve();
    document.body.append(dialer);
    await nextTurn();
    await passTime(1000);
    expect(dialer.state.status).to.equal('in-call');
  });
});

describe('a dialer that is put back later', () => {
  it('signs in when it is inserted and removed in one task, and is put back some promises later', async () => {
    for (const mode of ['auto', 'interaction']) {
      await page.close();
      page = await openDialer({ 'connect-mode': 'manual' });
      const { dialer } = page;
      dialer.remove();
      await passTime(1000);
      dialer.setAttribute('connect-mode', mode);
      const fresh = dialer.cloneNode() as PartnerDialer;
      document.body.append(fresh);
      fresh.remove();
      for (let turn = 0; turn < 9; turn += 1) await Promise.resolve();
      document.body.append(fresh);
      await nextTurn();
      if (mode === 'interaction') fresh.click();
      await reaches(fresh, 'ready');
      fresh.remove();
      await passTime(1000);
    }
  });

  it('tests the headset in the panel that was open when it was removed, and shows how loud it is', async () => {
    page = await openReady();
    const { dialer } = page;
    await press(dialer, 'Sound devices');
    dialer.remove();
    await passTime(3000);
    document.body.append(dialer);
    await reaches(dialer, 'ready');
    await press(dialer, 'Test headset');
    const level = () => Number(dialer.shadowRoot?.querySelector('[role=meter]')?.ariaValueNow ?? 0);
    await until(() => level() > 0, 'the voice');
    await until(() => textOf(dialer).includes('Did you hear yourself?'), 'the end of the test');
    expect(browser.live).to.deep.equal([]);
  });
});

describe('a document', () => {
  it('hears the end of a call once, from a dialer that is removed by whoever hears of it', async () => {
    page = await openReady();
    const { dialer } = page;
    const ends: string[] = [];
    const listener = (event: Event) => ends.push(event.type);
    document.addEventListener('dialer-callend', listener);
    dialer.addEventListener('dialer-callend', () => dialer.remove());
    await talkOn(dialer);
    sdk().end();
    await until(() => ends.length > 0, 'the end');
    await passTime(1000);
    document.removeEventListener('dialer-callend', listener);
    expect(ends).to.deep.equal(['dialer-callend']);
  });

  it('hears the begin, too, of a call that begins in the moment in which the dialer is removed', async () => {
    page = await openReady();
    const { dialer } = page;
    const heard: string[] = [];
    const names = ['dialer-callstart', 'dialer-callend'];
    for (const name of names)
      document.addEventListener(name, (event) => heard.push(event.type), { once: true });
    sdk().onMakeCall = () => undefined;
    dialer.call('0912345678').catch(() => undefined);
    await until(() => sdk().told.length > 0, 'the order');
    sdk().dial('0912345678');
    dialer.remove();
    await until(() => heard.includes('dialer-callend'), 'the end');
    expect(heard).to.deep.equal(names);
  });
});
