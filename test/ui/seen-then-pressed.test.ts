/** A press and a key do what was on the screen when they were pressed, and the page around the dialer stays as it is. */
import { expect, nextFrame } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import type { PartnerDialer } from '../../src/index.ts';
import {
  button,
  fieldOf,
  findIn,
  findNamed,
  nextTurn,
  openBlocked,
  openReady,
  part,
  press,
  reaches,
  ringOn,
  sdk,
  talkOn,
  textOf,
  until,
  type DialerPage,
} from '../support/dialer.ts';
import { FakeBrowser } from '../support/fake-browser.ts';
import { BROKE, memberWith, readiness } from '../support/fake-broker.ts';
import { centerOf, hesitate, letPass, pressAt, pressKeys } from '../support/pointer.ts';

const MAI = '0912345678';
const BINH = '0987654321';

async function talk(dialer: PartnerDialer, number: string): Promise<void> {
  await talkOn(dialer, number);
  sdk().end();
  await reaches(dialer, 'ended');
}

/** With a page below the dialer. */
async function read(): Promise<DialerPage> {
  const page = await openReady({}, memberWith({}));
  const text = document.createElement('p');
  text.className = 'text';
  text.style.height = '4000px';
  document.body.append(text);
  after(() => text.remove());
  await hesitate();
  return page;
}
/** Where the text is in the window: the dialer above it may become shorter. */
function placeOfText(): number {
  return Math.round(document.querySelector('.text')?.getBoundingClientRect().top ?? 0);
}

async function scroll(): Promise<number> {
  scrollTo(0, 1800);
  await nextFrame();
  await nextFrame();
  await nextFrame();
  return placeOfText();
}
async function isStill(at: number): Promise<void> {
  await nextFrame();
  await nextFrame();
  expect(placeOfText()).to.equal(at);
  scrollTo(0, 0);
}

describe('a press on "Call"', () => {
  it('does not call the number that the page shows in the instant before it', async () => {
    const { dialer } = await openReady();
    await pressKeys([...MAI], 0);
    await hesitate();
    await dialer.prefill(BINH);
    await nextFrame();
    await pressAt(centerOf(button(dialer, 'Call')));
    await hesitate();
    expect(dialer.state.call.is).to.equal('none');
    await pressAt(centerOf(button(dialer, 'Call')));
    await until(() => dialer.state.call.is === 'dialing', 'the call');
    expect(sdk().told.at(-1)).to.include(BINH);
  });

  it('does not call the number that the page shows once more in the instant before it', async () => {
    const { dialer } = await openReady();
    await dialer.prefill(MAI);
    fieldOf(dialer).select();
    await pressKeys([...BINH], 0);
    await hesitate();
    expect(fieldOf(dialer).value).to.equal(BINH);
    await dialer.prefill(MAI);
    await nextFrame();
    await pressAt(centerOf(button(dialer, 'Call')));
    await hesitate();
    expect([dialer.state.call.is, ...sdk().told]).to.deep.equal(['none']);
  });

  it('does not call it with Enter either, after clicks on the keys', async () => {
    const { dialer } = await openReady();
    for (const key of MAI) await pressAt(centerOf(button(dialer, key)));
    expect(dialer.shadowRoot?.activeElement).to.equal(part(dialer, 'card'));
    await hesitate();
    await dialer.prefill(BINH);
    await nextFrame();
    await sendKeys({ press: 'Enter' });
    await hesitate();
    expect(sdk().told).to.deep.equal([]);
    await sendKeys({ press: 'Enter' });
    await until(() => dialer.state.call.is === 'dialing', 'the call');
    expect(sdk().told.at(-1)).to.include(BINH);
  });

  it('calls what was typed, however soon after the last digit', async () => {
    const { dialer } = await openReady();
    await dialer.prefill(BINH);
    await hesitate();
    fieldOf(dialer).select();
    await pressKeys([...MAI, 'Enter'], 0);
    await until(() => dialer.state.call.is === 'dialing', 'the call');
    expect(sdk().told.at(-1)).to.include(MAI);
  });
});

describe('an agent who types while something else begins', () => {
  for (const apart of [120, 180, 250]) {
    it(`answers nobody with keys ${apart} ms apart, and with Enter only after a pause`, async () => {
      const { dialer } = await openReady();
      fieldOf(dialer).focus();
      await pressKeys([...'091'], apart);
      await ringOn(dialer, BINH);
      await pressKeys([...'2 345 678 ', 'Backspace', '9', 'Enter'], apart);
      // An answer takes a moment.
      await hesitate();
      await nextTurn();
      expect([dialer.state.call.is, ...sdk().told]).to.deep.equal(['incoming']);
      await sendKeys({ press: 'Enter' });
      await reaches(dialer, 'in-call');
    });
  }

  it('is not put on a button that acts when somebody calls or a guide comes', async () => {
    const { dialer, broker } = await openReady();
    fieldOf(dialer).focus();
    await ringOn(dialer);
    expect(dialer.shadowRoot?.activeElement).to.equal(part(dialer, 'card'));
    await hesitate();
    await sendKeys({ press: ' ' });
    await nextTurn();
    expect(dialer.state.call.is).to.equal('incoming');
    sdk().end('Cuộc gọi đã bị hủy');
    await reaches(dialer, 'ended');
    broker.on('GET status', () => readiness({ blockers: ['insufficient-funds'] }));
    await dialer.recheck();
    await reaches(dialer, 'blocked');
    expect(dialer.shadowRoot?.activeElement).to.equal(part(dialer, 'card'));
    await hesitate();
    await sendKeys({ press: ' ' });
    expect(broker.count('POST top-up')).to.equal(0);
  });

  it('is not put on "Answer" by a press that was meant for what was there before', async () => {
    const { dialer } = await openReady();
    fieldOf(dialer).focus();
    await pressKeys([...'091'], 120);
    const place = centerOf(button(dialer, 'Call'));
    await hesitate();
    await ringOn(dialer, BINH);
    await pressAt(place);
    expect(dialer.shadowRoot?.elementFromPoint(place.x, place.y)?.textContent).to.include('Answer');
    await hesitate();
    await sendKeys({ press: ' ' });
    await hesitate();
    await nextTurn();
    expect([dialer.state.call.is, ...sdk().told]).to.deep.equal(['incoming']);
    await pressAt(place);
    await reaches(dialer, 'in-call');
  });

  it('keeps every digit typed on the card, although the strip of the last call goes with the first one', async () => {
    const { dialer } = await openReady();
    await talkOn(dialer);
    sdk().end();
    await reaches(dialer, 'ended');
    part(dialer, 'card').focus();
    await hesitate();
    await pressKeys([...BINH], 60);
    expect(fieldOf(dialer).value).to.equal(BINH);
  });
});

describe('Enter on "Ask for a caller number"', () => {
  it('asks for no money when the guide about money comes in that instant', async () => {
    const { dialer, broker } = await openBlocked(memberWith({ ...BROKE, blockers: ['no-hotline'] }));
    await hesitate();
    button(dialer, 'Ask for a caller number').focus();
    broker.on('GET status', () => readiness(BROKE));
    void dialer.recheck();
    await until(() => textOf(dialer).includes('Ask for a top-up'), 'the other guide');
    await nextFrame();
    await sendKeys({ press: 'Enter' });
    await hesitate();
    expect([broker.count('POST top-up'), broker.count('POST hotline')]).to.deep.equal([0, 0]);
    await sendKeys({ press: 'Enter' });
    await until(() => broker.count('POST top-up') === 1, 'what was meant');
  });
});

describe('the recent calls', () => {
  const member = { memberNo: `agent${Math.random()}`, name: 'An', balance: 12_500, currency: 'VND' };
  /** In another tab the same agent has called somebody. */
  const callElsewhere = async (dialer: PartnerDialer, number: string) => {
    const key = Object.keys(localStorage).find((name) => name.includes(member.memberNo)) ?? '';
    const known = JSON.parse(localStorage.getItem(key) ?? '[]');
    const call = { ...known[0], id: `elsewhere ${number}`, number, startedAt: Date.now() };
    localStorage.setItem(key, JSON.stringify([call, ...known]));
    dispatchEvent(new StorageEvent('storage', { key }));
    await dialer.updateComplete;
  };
  const openList = async () => {
    const { dialer } = await openReady({}, memberWith({ member }));
    await talk(dialer, MAI);
    await talk(dialer, BINH);
    await hesitate();
    await pressAt(centerOf(button(dialer, 'Recent calls')));
    await until(() => findNamed(dialer, 'Recent calls') !== null, 'the list');
    await hesitate();
    return dialer;
  };

  it('opened with the mouse call nobody at a Space that is to scroll', async () => {
    const dialer = await openList();
    await sendKeys({ press: ' ' });
    await sendKeys({ press: 'Enter' });
    await nextTurn();
    expect(sdk().told.filter((each) => each.startsWith('makeCall'))).to.have.length(2);
    expect(findNamed(dialer, 'Recent calls'), 'the list').to.not.equal(null);
  });

  it('that shift under the pointer call nobody else', async () => {
    const dialer = await openList();
    const place = centerOf(findIn(dialer, '.entry'));
    await callElsewhere(dialer, '0900000200');
    expect(findIn(dialer, '.entry').textContent).to.include('0900 000 200');
    await letPass(30);
    await pressAt(place);
    await nextTurn();
    expect([dialer.state.call.is, sdk().told.length]).to.deep.equal(['ended', 2]);
    await hesitate();
    await pressAt(place);
    await reaches(dialer, 'dialing');
    expect(textOf(dialer)).to.include('0900 000 200');
  });
});

describe('keys typed into the dialer', () => {
  const KEYS = ['Backspace', 'Delete', 'ArrowUp', 'ArrowLeft', 'Home', 'x', '5', '#', 'Escape', 'Tab'];

  for (const [where, focus] of Object.entries({
    'its field': (dialer: PartnerDialer) => fieldOf(dialer).focus(),
    'its card': (dialer: PartnerDialer) => part(dialer, 'card').focus(),
    'a button': (dialer: PartnerDialer) => button(dialer, 'Recent calls').focus(),
    'its bubble': (dialer: PartnerDialer) => part(dialer, 'bubble').focus(),
  })) {
    it(`reach no shortcut of the page from ${where}, but Escape and Tab`, async () => {
      const { dialer } = await openReady({ floating: where === 'its bubble' ? 'bottom-right' : 'false' });
      const heard: string[] = [];
      const over = new AbortController();
      for (const name of ['keydown', 'keypress', 'keyup'] as const)
        document.addEventListener(name, ({ type: of, key }) => heard.push(`${of} ${key}`), {
          signal: over.signal,
        });
      for (const key of KEYS) {
        focus(dialer);
        await sendKeys({ press: key });
      }
      over.abort();
      const names = new Set(heard.map((each) => each.split(' ')[1]));
      expect([...names]).to.deep.equal(['Escape', 'Tab']);
    });
  }

  it('are erased where the page erases rows with the same key', async () => {
    const { dialer } = await openReady();
    const deleted: string[] = [];
    const listener = (event: KeyboardEvent) => {
      event.preventDefault();
      deleted.push(event.key);
    };
    document.addEventListener('keydown', listener);
    fieldOf(dialer).focus();
    await sendKeys({ type: '09' });
    await sendKeys({ press: 'Backspace' });
    document.removeEventListener('keydown', listener);
    expect([fieldOf(dialer).value, deleted]).to.deep.equal(['0', []]);
  });

  it('are not listened for on the whole page without the attribute hotkeys', async () => {
    const browser = new FakeBrowser();
    const listened: string[] = [];
    const add = document.addEventListener.bind(document);
    browser.replace(document, 'addEventListener', (...all: Parameters<typeof add>) => {
      listened.push(all[0]);
      add(...all);
    });
    const { dialer } = await openReady();
    expect(listened).to.not.include('keydown');
    dialer.setAttribute('hotkeys', 'true');
    await dialer.updateComplete;
    expect(listened).to.include('keydown');
    const before = listened.length;
    dialer.remove();
    await reaches(dialer, 'idle');
    expect(listened.slice(before), 'once it is removed').to.not.include('keydown');
  });
});

describe('a page that is read below the dialer', () => {
  it('stays there when the customer hangs up, somebody rings, a guide comes, the page hangs up', async () => {
    const { dialer, broker } = await read();
    fieldOf(dialer).focus();
    await sendKeys({ type: MAI });
    await sendKeys({ press: 'Enter' });
    await until(() => dialer.state.call.is === 'dialing', 'the call');
    await dialer.updateComplete;
    // While it was in sight, the dialer scrolls to its focus in the next frame.
    await nextFrame();
    let at = await scroll();
    expect(at).to.be.lessThan(-1000);
    sdk().end('Busy');
    await reaches(dialer, 'ended');
    await isStill(at);
    at = await scroll();
    await ringOn(dialer);
    await isStill(at);
    at = await scroll();
    await dialer.reject();
    await reaches(dialer, 'ended');
    await isStill(at);
    await dialer.call(MAI);
    at = await scroll();
    await dialer.hangUp();
    await isStill(at);
    at = await scroll();
    broker.on('GET status', () => readiness({ blockers: ['insufficient-funds'] }));
    await dialer.recheck();
    await reaches(dialer, 'blocked');
    await isStill(at);
  });

  it('shows what has the focus while the dialer is in sight', async () => {
    const { dialer } = await read();
    const field = fieldOf(dialer);
    const { bottom } = field.getBoundingClientRect();
    field.focus();
    await dialer.call(MAI);
    await dialer.updateComplete;
    // The upper edge of the card is out of sight.
    scrollTo(0, bottom + 20);
    await nextFrame();
    await nextFrame();
    await nextFrame();
    const at = scrollY;
    await press(dialer, 'Hang up');
    await reaches(dialer, 'ended');
    await nextFrame();
    await nextFrame();
    expect(scrollY).to.be.lessThan(at);
    scrollTo(0, 0);
  });
});
