import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import {
  button,
  fieldOf,
  findNamed,
  openReady,
  passTime,
  press,
  reaches,
  ringOn,
  sdk,
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
import { hesitate } from '../support/pointer.ts';

const KEY = 'partner-dialer devices';

let page: DialerPage;
let browser: FakeDevices;
let output: FakeOutput;

beforeEach(() => {
  browser = new FakeDevices(BUILT_IN, HEADSET, LOUDSPEAKER, EARPHONES, SCREEN);
  output = new FakeOutput();
});
afterEach(() => {
  browser.restore();
  output.restore();
  localStorage.removeItem(KEY);
});

const root = () => page.dialer.shadowRoot as ShadowRoot;
const panel = () => findNamed(page.dialer, 'Sound devices');
const select = (index: number) => panel()?.querySelectorAll('select')[index];
const config = () => JSON.parse(sdk().getAttribute('config') ?? '{}') as Record<string, string>;

async function open(attributes: Readonly<Record<string, string>> = {}): Promise<void> {
  page = await openReady(attributes);
}

async function openPanel(): Promise<void> {
  await press(page.dialer, 'Sound devices');
  await until(() => (select(0)?.options.length ?? 0) > 1 || !select(0), 'the devices');
}

async function choose(index: number, id: string): Promise<void> {
  const list = select(index);
  if (!list) throw new Error(`no list ${index}`);
  list.value = id;
  list.dispatchEvent(new Event('change', { bubbles: true }));
  await page.dialer.updateComplete;
}

const namesOf = (list: HTMLSelectElement | undefined) =>
  [...(list?.options ?? [])].map(({ textContent }) => textContent.trim());

/** Of the buttons of a call. */
const places = () =>
  ['Mute', 'Hold', 'Keys', 'Hang up'].map((name) => {
    const { x, y } = button(page.dialer, name).getBoundingClientRect();
    return [name, Math.round(x), Math.round(y)].join(' ');
  });

describe('the panel of the sound devices', () => {
  it('opens from the status line in the place of the keypad, and Escape closes it', async () => {
    await open();
    const { height } = page.dialer.getBoundingClientRect();
    await openPanel();
    expect(namesOf(select(0))).to.deep.equal(['System default (Built-in)', 'Built-in', 'Headset']);
    expect(root().querySelector('[part~=call-button]')).to.equal(null);
    expect(page.dialer.getBoundingClientRect().height).to.equal(height);
    await expect(page.dialer).to.be.accessible();
    button(page.dialer, 'Sound devices').focus();
    await hesitate();
    await sendKeys({ press: 'Escape' });
    await until(() => panel() === null, 'the keypad');
  });

  it('can be used with the keyboard alone: a letter chooses, and neither dials nor mutes', async () => {
    await open();
    await talkOn(page.dialer);
    button(page.dialer, 'Sound devices').focus();
    await hesitate();
    await sendKeys({ press: 'Enter' });
    await until(() => (select(0)?.options.length ?? 0) > 1, 'the devices');
    select(0)?.focus();
    await hesitate();
    await sendKeys({ press: 'h' });
    await until(() => select(0)?.value === 'm2', 'the headset');
    expect(page.dialer.state.call).to.include({ is: 'active', held: false, muted: false });
    await sendKeys({ press: '5' });
    expect(sdk().told.filter((each) => each.startsWith('sendDTMF'))).to.deep.equal([]);
  });

  it('opens no microphone, and its test closes the one that it opened when somebody calls', async () => {
    await open();
    await openPanel();
    expect(browser.opened).to.deep.equal([]);
    await press(page.dialer, 'Test headset');
    await until(() => textOf(page.dialer).includes('Speak now'), 'the recording');
    expect(browser.live.length).to.equal(1);
    await ringOn(page.dialer);
    expect(panel()).to.equal(null);
    expect(browser.live).to.deep.equal([]);
  });

  it('closes the microphone of its test with the card of a floating dialer, which opens it no more', async () => {
    await open();
    await openPanel();
    const test = async () => {
      await press(page.dialer, 'Test headset');
      await until(() => textOf(page.dialer).includes('Speak now'), 'the recording');
      expect(browser.live.length).to.equal(1);
    };
    await test();
    page.dialer.floating = true;
    await until(() => panel() === null, 'the bubble');
    expect(browser.live).to.deep.equal([]);
    page.dialer.open = true;
    await until(() => panel() !== null, 'the card');
    expect(textOf(page.dialer)).not.to.include('Speak now');
    await test();
    page.dialer.open = false;
    await until(() => panel() === null, 'the bubble');
    expect(browser.live).to.deep.equal([]);
  });

  it('has no choice of a speaker where the browser cannot choose', async () => {
    output.withoutChoice();
    await open();
    await openPanel();
    expect(panel()?.querySelectorAll('select').length).to.equal(1);
    expect(panel()?.querySelectorAll('[type=checkbox]').length).to.equal(0);
    expect(textOf(page.dialer)).to.include('Test headset');
  });

  it('shows a chosen device that is not connected', async () => {
    await open();
    await openPanel();
    await choose(0, 'm2');
    browser.plug(BUILT_IN, LOUDSPEAKER);
    await until(() => namesOf(select(0)).includes('Headset (not connected)'), 'the missing headset');
    expect(select(0)?.value).to.equal('m2');
  });

  it('gives way to a number that is typed', async () => {
    await open();
    await openPanel();
    button(page.dialer, 'Sound devices').focus();
    await hesitate();
    await sendKeys({ press: '5' });
    await until(() => panel() === null, 'the keypad');
    expect(fieldOf(page.dialer).value).to.equal('5');
  });

  it('gives way to the reason why a call of the page is refused', async () => {
    await open();
    await openPanel();
    await page.dialer.call('0912').catch(() => undefined);
    await until(() => panel() === null, 'the keypad');
    expect(textOf(page.dialer)).to.include('Not a full number yet.');
  });

  it('is not there while a call is placed or comes in', async () => {
    await open();
    await ringOn(page.dialer);
    expect(() => button(page.dialer, 'Sound devices')).to.throw('no button');
  });

  it('leaves every button of a call where it is', async () => {
    await open();
    await talkOn(page.dialer);
    const before = places();
    await openPanel();
    expect(places()).to.deep.equal(before);
  });
});

describe('an agent in a call', () => {
  it('reads that the headset was pulled out, and that it is back', async () => {
    await open();
    await openPanel();
    await choose(0, 'm2');
    await press(page.dialer, 'Sound devices');
    await talkOn(page.dialer);
    browser.plug(BUILT_IN, LOUDSPEAKER);
    await until(
      () => textOf(page.dialer).includes('Headset is gone. The call goes on with Built-in.'),
      'the loss',
    );
    expect(page.dialer.state.status).to.equal('in-call');
    browser.plug(BUILT_IN, HEADSET, LOUDSPEAKER, EARPHONES);
    await until(() => textOf(page.dialer).includes('Headset is back, and in use again.'), 'the return');
    await passTime(10_500);
    expect(textOf(page.dialer), 'ten seconds later').not.to.include('Headset is back');
  });

  it('reads nothing of a device that was only renamed', async () => {
    await open();
    await openPanel();
    await choose(0, 'm2');
    await talkOn(page.dialer);
    browser.plug(...browser.plugged.map((each) => (each === HEADSET ? { ...each, label: 'Mai' } : each)));
    await openPanel();
    await until(() => namesOf(select(0)).includes('Mai'), 'the new name');
    expect(select(0)?.value).to.equal('m2');
    expect(textOf(page.dialer)).not.to.match(/Headset is (?:gone|back)/);
  });

  it('reads it in Vietnamese, too', async () => {
    await open({ lang: 'vi' });
    await talkOn(page.dialer);
    // What is there is known only when the list was read.
    await until(() => textOf(page.dialer).includes('Đang đàm thoại'), 'the call');
    browser.plug(...browser.plugged, { ...HEADSET, deviceId: 'm9', label: 'Jabra' });
    await until(() => textOf(page.dialer).includes('Đã kết nối Jabra'), 'the new headset');
  });
});

describe('somebody who calls', () => {
  it('rings through the SDK while nothing is chosen', async () => {
    await open();
    expect(config()).not.to.have.property('ringtoneUrl');
    await ringOn(page.dialer);
    expect(output.on).to.deep.equal([]);
  });

  it('rings on each chosen device, and the SDK is silent', async () => {
    await open();
    await openPanel();
    const box = [...(panel()?.querySelectorAll<HTMLInputElement>('[type=checkbox]') ?? [])].at(-1);
    box?.click();
    await page.dialer.updateComplete;
    expect(config()['ringtoneUrl']).to.match(/^https:\/\/$/);
    await press(page.dialer, 'Sound devices');
    await ringOn(page.dialer);
    await until(() => output.on.length === 2, 'two rings');
    expect(output.on).to.deep.equal(['', 's3']);
    await page.dialer.answer();
    expect(output.on).to.deep.equal([]);
    await page.dialer.hangUp();
  });

  it('rings there again after the page was opened anew', async () => {
    const system = { id: '', label: '' };
    const choice = { microphone: system, speaker: system, ringers: [{ id: 's3', label: 'Screen' }] };
    localStorage.setItem(KEY, JSON.stringify(choice));
    await open();
    expect(config()['ringtoneUrl']).to.match(/^https:\/\/$/);
    await ringOn(page.dialer);
    await until(() => output.on.length > 0, 'a ring');
    expect(output.on).to.deep.equal(['s3']);
  });

  it('does not ring in the headset only because the agent talks through it', async () => {
    await open();
    await openPanel();
    await choose(1, 's2');
    await ringOn(page.dialer);
    await until(() => output.on.length > 0, 'a ring');
    expect(output.on).to.deep.equal(['']);
    sdk().end('Cuộc gọi đã bị hủy');
    await reaches(page.dialer, 'ended');
    expect(output.on).to.deep.equal([]);
  });

  it('rings through the SDK again once the system’s devices are chosen', async () => {
    await open();
    await openPanel();
    await choose(1, 's2');
    await choose(1, '');
    expect(config()).not.to.have.property('ringtoneUrl');
  });
});
