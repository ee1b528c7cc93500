import { expect } from '@open-wc/testing';
import { resetMouse, sendKeys, sendMouse } from '@web/test-runner-commands';
import {
  button,
  fieldOf,
  nextTurn,
  openReady,
  part,
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
import { centerOf, hesitate, letPass, pressAt, pressKeys, type Place } from '../support/pointer.ts';

describe('a gesture that nobody has planned', () => {
  let page: DialerPage;
  let undo: (() => void)[] = [];
  afterEach(() => {
    for (const work of undo.splice(0)) work();
  });

  const dialer = () => page.dialer;
  const field = () => fieldOf(dialer());
  const open = async (attributes: Readonly<Record<string, string>> = {}) => {
    page = await openReady(attributes);
  };
  const talk = async (attributes: Readonly<Record<string, string>> = {}) => {
    await open(attributes);
    await talkOn(dialer());
    await hesitate();
  };
  const active = () => {
    const { call } = dialer().state;
    if (call.is !== 'active') throw new Error(`no call, but ${call.is}`);
    return call;
  };
  const release = async (place?: Place) => {
    if (place) await sendMouse({ type: 'move', position: [place.x, place.y] });
    await sendMouse({ type: 'up' });
    await nextTurn();
    await dialer().updateComplete;
  };

  it('a press that slips from one button to another does nothing', async () => {
    await talk();
    await hold(centerOf(button(dialer(), 'Hang up')));
    await release(centerOf(button(dialer(), 'Mute')));
    await hold(centerOf(button(dialer(), 'Mute')));
    await release(centerOf(button(dialer(), 'Hang up')));
    expect(active().muted).to.equal(false);
  });

  it('a press that slips off "Call" does not keep Enter from calling the number that the page gives next', async () => {
    await open();
    field().focus();
    await sendKeys({ type: '0912345678' });
    await hesitate();
    const { x, y } = centerOf(button(dialer(), 'Call'));
    await hold({ x, y });
    await release({ x, y: y - 200 });
    await dialer().prefill('0987654321');
    await hesitate();
    field().focus();
    await sendKeys({ press: 'Enter' });
    await until(() => sdk().told.length > 0, 'the call');
    expect(sdk().told.at(-1)).to.include('0987654321');
  });

  for (const name of ['Call', 'Recent calls']) {
    it(`a press on "${name}" held while somebody begins to call neither answers nor declines`, async () => {
      await open();
      await hesitate();
      await hold(centerOf(button(dialer(), name)));
      await ringOn(dialer());
      await hesitate();
      await release();
      expect([dialer().state.status, ...sdk().told]).to.deep.equal(['incoming']);
    });
  }

  // Firefox counts it as a press on "Hang up", on which it began and ended.
  const itInChromium = navigator.userAgent.includes('Firefox') ? it.skip : it;
  itInChromium('a button held while its dialer is moved in the page does nothing else', async () => {
    await talk();
    await hold(centerOf(button(dialer(), 'Hang up')));
    const box = document.createElement('div');
    document.body.append(box);
    undo.push(() => box.remove());
    box.append(dialer());
    await dialer().updateComplete;
    await release();
    await passTime(2000);
    expect([active().muted, sdk().told.length], 'the call goes on').to.deep.equal([false, 1]);
  });

  for (const name of ['Mute', 'Hold']) {
    const isOn = () => (name === 'Mute' ? active().muted : active().held);
    const switchOn = async () => {
      await (name === 'Mute' ? dialer().setMuted(true) : dialer().setHeld(true));
      await dialer().updateComplete;
    };
    const key = name === 'Mute' ? 'm' : 'h';

    it(`a press on "${name}" that meets what the page has just done undoes nothing`, async () => {
      await talk();
      await hold(centerOf(button(dialer(), name)));
      await switchOn();
      await hesitate();
      await release();
      expect(isOn(), 'begun before').to.equal(true);
      await pressAt(centerOf(button(dialer(), name)));
      await until(() => !isOn(), 'switched off');
      await hesitate();
      await switchOn();
      await pressAt(centerOf(button(dialer(), name)));
      await nextTurn();
      expect(isOn(), 'begun at once after it').to.equal(true);
    });

    it(`the key ${key} that meets what the page has just done undoes nothing`, async () => {
      await talk();
      part(dialer(), 'card').focus();
      await switchOn();
      await sendKeys({ press: key });
      await nextTurn();
      expect(isOn(), 'at once after it').to.equal(true);
      await hesitate();
      await sendKeys({ press: key });
      await until(() => !isOn(), 'switched off');
    });
  }

  it('a call that the agent has put on hold is resumed as soon as it says that it is held', async () => {
    await talk();
    sdk().session.onHold = (agree) => setTimeout(agree, 1000);
    await pressAt(centerOf(button(dialer(), 'Hold')));
    await until(() => active().held, 'held');
    await dialer().updateComplete;
    await pressAt(centerOf(button(dialer(), 'Hold')));
    await until(() => !active().held, 'resumed');
    part(dialer(), 'card').focus();
    for (const muted of [true, false, true]) {
      await sendKeys({ press: 'm' });
      await nextTurn();
      expect(active().muted, 'by the key').to.equal(muted);
    }
  });

  it('a press on "Hold" that meets the hold of the page undoes nothing, also after one that was refused', async () => {
    await talk();
    sdk().session.isBusy = true;
    await pressAt(centerOf(button(dialer(), 'Hold')));
    await until(() => textOf(dialer()).includes('not on hold'), 'the refusal');
    await hesitate();
    sdk().session.isBusy = false;
    await dialer().setHeld(true);
    await dialer().updateComplete;
    await pressAt(centerOf(button(dialer(), 'Hold')));
    await nextTurn();
    expect(active().held).to.equal(true);
  });

  it('muting in the moment in which the page mutes leaves nobody heard, by a hotkey and on the bubble', async () => {
    await talk({ hotkeys: 'hotkeys', floating: 'bottom-right' });
    part(dialer(), 'bubble').click();
    await dialer().updateComplete;
    await hesitate();
    for (const mute of [
      async () => {
        for (const down of ['Meta', 'Shift']) await sendKeys({ down });
        await sendKeys({ press: 'M' });
        for (const up of ['Meta', 'Shift']) await sendKeys({ up });
      },
      () => pressAt(centerOf(button(dialer(), 'Mute'))),
    ]) {
      await dialer().setMuted(true);
      await dialer().updateComplete;
      await mute();
      await nextTurn();
      expect(active().muted, 'at once after it').to.equal(true);
      await hesitate();
      await mute();
      await until(() => !active().muted, 'unmuted');
      await hesitate();
    }
  });

  it('Enter kept down, where each repeat is a press of its own, calls once, and answers nobody', async () => {
    await open();
    field().focus();
    await sendKeys({ type: '0912345678' });
    await keepPressing('Enter');
    expect(sdk().told).to.deep.equal(['makeCall 0912345678 842899990001']);
    await dialer().hangUp();
    part(dialer(), 'card').focus();
    await hesitate();
    await ringOn(dialer());
    await keepPressing('Enter');
    expect(dialer().state.status).to.equal('incoming');
    await letPass(300);
    await sendKeys({ press: 'Enter' });
    await reaches(dialer(), 'in-call');
  });

  it('Space and Enter together calls once', async () => {
    await open();
    field().focus();
    await sendKeys({ type: '0912345678' });
    button(dialer(), 'Call').focus();
    await hesitate();
    await sendKeys({ down: ' ' });
    await sendKeys({ down: 'Enter' });
    await until(() => dialer().state.call.is === 'dialing', 'the call');
    await sendKeys({ up: 'Enter' });
    await sendKeys({ up: ' ' });
    await nextTurn();
    expect([dialer().state.call.is, sdk().told.length]).to.deep.equal(['dialing', 1]);
  });

  it('"Hang up" in the moment of the answer ends the call', async () => {
    await open();
    await dialer().call('0912345678');
    await hesitate();
    const place = centerOf(button(dialer(), 'Hang up'));
    sdk().accept();
    await pressAt(place);
    await reaches(dialer(), 'ended');
    await pressAt(place);
    await nextTurn();
    expect([dialer().state.status, sdk().told.length]).to.deep.equal(['ended', 2]);
  });

  it('"Answer" in the moment in which the caller gives up calls nobody', async () => {
    await open();
    field().focus();
    await sendKeys({ type: '0912345678' });
    await ringOn(dialer());
    await hesitate();
    const place = centerOf(button(dialer(), 'Answer'));
    sdk().end();
    await pressAt(place);
    await reaches(dialer(), 'ended');
    await pressAt(place);
    // A call would be placing by now.
    expect(dialer().state.status).to.equal('ended');
  });

  it('a number that is pasted or dropped in a call changes nothing in it, and digits are keys of the call', async () => {
    await talk();
    button(dialer(), 'Mute').focus();
    const data = new DataTransfer();
    data.setData('text/plain', '0987654321');
    const init = { bubbles: true, composed: true, cancelable: true };
    for (const target of [button(dialer(), 'Mute'), part(dialer(), 'card'), document.body]) {
      target.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, ...init }));
      target.dispatchEvent(new DragEvent('drop', { dataTransfer: data, ...init }));
    }
    await passTime(1000);
    expect([active().muted, sdk().told.length]).to.deep.equal([false, 1]);
    await hesitate();
    await sendKeys({ type: '59' });
    await until(() => sdk().told.length === 3, 'two keys');
    expect([active().muted, ...sdk().told.slice(1)]).to.deep.equal([false, 'sendDTMF 5', 'sendDTMF 9']);
  });

  it('typing a number sets nothing going on the page', async () => {
    await open();
    const heard: string[] = [];
    const listener = (event: KeyboardEvent) => heard.push(event.key);
    document.addEventListener('keydown', listener);
    undo.push(() => document.removeEventListener('keydown', listener));
    // docs/limits.md: before the dialer.
    const before: string[] = [];
    const early = (event: KeyboardEvent) => before.push(event.key);
    addEventListener('keydown', early, { capture: true });
    undo.push(() => removeEventListener('keydown', early, { capture: true }));
    field().focus();
    await sendKeys({ type: '0m?' });
    await sendKeys({ press: 'Tab' });
    expect([field().value, ...heard]).to.deep.equal(['0m?', 'Tab']);
    expect(before).to.deep.equal(['0', 'm', '?', 'Tab']);
  });

  it('a modal dialog of the page keeps presses away from the dialer, but not the hotkeys', async () => {
    await open({ hotkeys: 'hotkeys', floating: 'bottom-right' });
    const modal = document.body.appendChild(document.createElement('dialog'));
    undo.push(() => modal.remove());
    modal.showModal();
    await ringOn(dialer());
    await hesitate();
    await pressAt(centerOf(button(dialer(), 'Answer')));
    await nextTurn();
    expect(dialer().state.status).to.equal('incoming');
    for (const down of ['Meta', 'Shift']) await sendKeys({ down });
    await sendKeys({ press: 'A' });
    for (const up of ['Meta', 'Shift']) await sendKeys({ up });
    await reaches(dialer(), 'in-call');
  });

  it('a press in a language with other keys means the same place', async () => {
    await open({ hotkeys: 'hotkeys' });
    const pad = button(dialer(), '5');
    pressKey(pad, { key: 'ă', code: 'Digit1' });
    pressKey(pad, { key: '&', code: 'Digit1' });
    pressKey(pad, { key: '!', code: 'Digit1', shiftKey: true });
    await dialer().updateComplete;
    expect(field().value).to.equal('11');
    await ringOn(dialer());
    pressKey(document.body, { key: 'Ф', code: 'KeyA', ctrlKey: true, shiftKey: true });
    await reaches(dialer(), 'in-call');
    // On a French keyboard it is the M that counts, wherever it is.
    pressKey(document.body, { key: 'M', code: 'Semicolon', ctrlKey: true, shiftKey: true });
    await until(() => active().muted, 'muted');
    pressKey(button(dialer(), 'Mute'), { key: 'ь', code: 'KeyM' });
    await until(() => !active().muted, 'not muted');
  });

  it('Enter that ends a composed word does not call', async () => {
    await open();
    field().focus();
    await sendKeys({ type: '0912345678' });
    await hesitate();
    const card = part(dialer(), 'card');
    pressKey(card, { key: 'Enter', isComposing: true });
    expect(dialer().state.call.is).to.equal('none');
    pressKey(card, { key: 'Enter' });
    await reaches(dialer(), 'dialing');
  });

  it('another language or theme in mid-call leaves the call and its buttons where they are', async () => {
    await talk();
    const before = centerOf(button(dialer(), 'Hang up'));
    dialer().lang = 'vi';
    dialer().theme = 'dark';
    await until(() => textOf(dialer()).includes('Gác máy'), 'the other language');
    const after = centerOf(button(dialer(), 'Gác máy'));
    expect([active().muted, after]).to.deep.equal([false, before]);
    await pressAt(after);
    await reaches(dialer(), 'ended');
  });

  it('shows that it has counted until the SDK has done it, and is not done twice', async () => {
    await open();
    await ringOn(dialer());
    await hesitate();
    sdk().answerCall = () => {
      sdk().told.push('answerCall');
      return new Promise(() => undefined);
    };
    await pressAt(centerOf(button(dialer(), 'Answer')));
    await until(() => sdk().told.length > 0, 'the answer');
    expect(textOf(dialer())).to.include('Connecting…');
    expect(button(dialer(), 'Answer').getAttribute('aria-disabled')).to.equal('true');
    await expect(dialer()).to.be.accessible();
    await hesitate();
    await pressAt(centerOf(button(dialer(), 'Answer')));
    sdk().accept();
    await reaches(dialer(), 'in-call');
    await hesitate();
    sdk().hangupCall = () => void sdk().told.push('hangupCall');
    await pressAt(centerOf(button(dialer(), 'Hang up')));
    await until(() => sdk().told.length > 1, 'the end');
    expect(textOf(dialer())).to.include('Ending…');
    await hesitate();
    await pressAt(centerOf(button(dialer(), 'Hang up')));
    sdk().end();
    await reaches(dialer(), 'ended');
    expect(sdk().told).to.deep.equal(['answerCall', 'hangupCall']);
    await letPass(100);
    await ringOn(dialer());
    expect(textOf(dialer()), 'the next call').not.to.match(/Connecting…|Ending…/);
    await hesitate();
    await pressAt(centerOf(button(dialer(), 'Decline')));
    await until(() => sdk().told.length > 2, 'the refusal');
    expect(textOf(dialer())).to.include('Declining…').and.not.include('Ending…');
  });
});

describe('a long press on 0', () => {
  let page: DialerPage;
  const key = (name = '0') => button(page.dialer, name);
  const typed = () => fieldOf(page.dialer).value;
  const send = (name: string, pointerType: string) =>
    key().dispatchEvent(new PointerEvent(name, { pointerType, detail: 1, bubbles: true, composed: true }));
  beforeEach(async () => {
    page = await openReady();
    await hesitate();
  });

  // One that fails may leave it down.
  afterEach(() => resetMouse());

  it('types the plus that stands on the key, once, as soon as it has lasted', async () => {
    await hold(centerOf(key()));
    await letPass(600);
    expect(typed(), 'still held').to.equal('+');
    await letPass(2000);
    await letGo();
    expect(typed(), 'released').to.equal('+');
    await pressAt(centerOf(key('8')));
    await pressAt(centerOf(key()));
    expect(typed(), 'the next press is a short one').to.equal('+80');
    key().focus();
    await sendKeys({ press: ' ' });
    expect(typed()).to.equal('+800');
  });

  for (const pointerType of ['mouse', 'touch', 'pen']) {
    it(`does so with a ${pointerType}, and where the browser sends no click after it`, async () => {
      for (const after of [['click'], [], ['click']]) {
        const before = typed();
        send('pointerdown', pointerType);
        await passTime(500);
        expect(typed(), 'not yet').to.equal(before);
        await letPass(100);
        for (const name of ['pointerup', ...after]) send(name, pointerType);
      }
      expect(typed()).to.equal('+++');
      send('pointerdown', pointerType);
      await letPass(300);
      send('pointercancel', pointerType);
      await letPass(600);
      expect(typed(), 'a finger that scrolls').to.equal('+++');
    });
  }

  it('is none where it slips off the key, on another key, with the right button or with the keyboard', async () => {
    await hold(centerOf(key()));
    await letPass(300);
    await sendMouse({ type: 'move', position: [2, 2] });
    await letPass(600);
    await letGo();
    await hold(centerOf(key()), 'right');
    await letPass(600);
    await letGo('right');
    expect(typed()).to.equal('');
    await hold(centerOf(key('9')));
    await letPass(600);
    await letGo();
    expect(typed()).to.equal('9');
    key().focus();
    for (const held of [' ', 'Enter']) {
      await sendKeys({ down: held });
      await letPass(700);
      await sendKeys({ up: held });
    }
    expect(typed()).to.equal('900');
  });

  it('is none once the view is another one', async () => {
    await hold(centerOf(key()));
    await letPass(300);
    await ringOn(page.dialer);
    await letPass(600);
    await letGo();
    sdk().end();
    await reaches(page.dialer, 'ended');
    expect(typed()).to.equal('');
  });

  it('sends a 0 into a call, as a short one does', async () => {
    await talkOn(page.dialer);
    await hesitate();
    await press(page.dialer, 'Keys');
    await hesitate();
    await hold(centerOf(key()));
    await letPass(700);
    await letGo();
    await until(() => sdk().told.includes('sendDTMF 0'), 'the tone');
    expect(sdk().told.filter((each) => each.startsWith('sendDTMF'))).to.deep.equal(['sendDTMF 0']);
  });
});

describe('a dialer on a page with a look of its own', () => {
  let style: HTMLStyleElement | undefined;
  afterEach(() => style?.remove());

  for (const css of [
    'html { font-size: 62.5% }',
    'html { font-size: 32px }',
    'body { white-space: nowrap; text-transform: uppercase; text-align: center; letter-spacing: 4px }',
    'button, input, select { display: none }',
    '* { margin: 0; padding: 0; box-sizing: content-box; font-size: 30px; line-height: 3; color: red; text-transform: uppercase }',
    'html { direction: rtl }',
  ]) {
    it(`keeps its own under ${css}`, async () => {
      const before = await measure();
      style = document.createElement('style');
      style.textContent = css;
      document.head.append(style);
      expect(await measure()).to.deep.equal(before);
    });
  }
});

async function hold({ x, y }: Place, pressed: 'left' | 'right' = 'left'): Promise<void> {
  await sendMouse({ type: 'move', position: [x, y] });
  await sendMouse({ type: 'down', button: pressed });
}

async function letGo(pressed: 'left' | 'right' = 'left'): Promise<void> {
  await sendMouse({ type: 'up', button: pressed });
  await nextTurn();
}

function pressKey(target: EventTarget, init: KeyboardEventInit): void {
  target.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, composed: true, ...init }));
}

/** What is where in a call, from the corner of the dialer, and how its words are written. */
async function measure(): Promise<(string | number)[][]> {
  const { dialer, close } = await openReady({ style: 'font: 15px/1.4 sans-serif' });
  await talkOn(dialer, '0912345678', { name: 'Nguyễn Thị Mai' });
  for (const animation of dialer.shadowRoot?.getAnimations() ?? []) animation.cancel();
  const { left, top } = dialer.getBoundingClientRect();
  const parts = [...(dialer.shadowRoot?.querySelectorAll<HTMLElement>('[part], button') ?? [])];
  const boxes = parts
    .filter((each) => each.checkVisibility() && each.clientHeight > 0)
    .map((each) => {
      const { x, y, width, height } = each.getBoundingClientRect();
      const { color, fontSize, lineHeight, letterSpacing, textTransform } = getComputedStyle(each);
      return [
        `${each.localName} ${each.part.value}`,
        ...[x - left, y - top, width, height].map(Math.round),
        color,
        fontSize,
        lineHeight,
        letterSpacing,
        textTransform,
      ];
    });
  await close();
  return boxes;
}

/** As some remote desktops send a key that is kept down: each repeat is a press of its own. */
function keepPressing(key: string): Promise<void> {
  return pressKeys(Array<string>(20).fill(key), 40);
}
