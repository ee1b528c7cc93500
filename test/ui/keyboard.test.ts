import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import { readiness, session } from '../support/fake-broker.ts';
import { FakeBrowser } from '../support/fake-browser.ts';
import {
  button,
  nextTurn,
  openBlocked,
  openReady,
  part,
  reaches,
  ringOn,
  sdk,
  talkOn,
  textOf,
  until,
  type DialerPage,
} from '../support/dialer.ts';
import { centerOf, hesitate, pressAt } from '../support/pointer.ts';

describe('an agent at the keyboard', () => {
  let page: DialerPage;

  const field = () => page.dialer.shadowRoot?.querySelector<HTMLInputElement>('input.number');
  const focused = () => {
    const element = page.dialer.shadowRoot?.activeElement;
    return element && (element.getAttribute('aria-label') ?? element.textContent).trim();
  };
  /** One after the other, and the focus stays in the dialer. */
  const keys = async (...pressed: string[]) => {
    for (const press of pressed) {
      await sendKeys({ press });
      await page.dialer.updateComplete;
      expect(page.dialer.shadowRoot?.activeElement, `the focus after ${press}`).to.be.instanceOf(HTMLElement);
    }
  };
  const isIn = async (status: string) => {
    await reaches(page.dialer, status);
    await hesitate();
    expect(page.dialer.shadowRoot?.activeElement, `the focus in ${status}`).to.be.instanceOf(HTMLElement);
  };
  /** With the focus in the dialer, and in no text field. */
  const open = async (attributes: Readonly<Record<string, string>> = {}) => {
    page = await openReady(attributes);
    part(page.dialer, 'card').focus();
    await hesitate();
  };
  const active = () => {
    const { call } = page.dialer.state;
    if (call.is !== 'active') throw new Error(`no call, but ${call.is}`);
    return call;
  };

  it('dials, calls, sends tones, mutes, holds, and hangs up', async () => {
    await open();
    await keys(...'0912345678', 'Enter');
    await isIn('dialing');
    await until(() => page.dialer.state.call.is === 'dialing', 'the call');
    expect(sdk().told).to.deep.equal(['makeCall 0912345678 842899990001']);
    sdk().accept();
    await isIn('in-call');
    await keys('5', '#');
    expect(sdk().told.slice(1)).to.deep.equal(['sendDTMF 5', 'sendDTMF #']);
    expect(page.dialer.shadowRoot?.querySelector('output')?.textContent).to.equal('5#');
    await keys('m', 'h');
    expect([active().muted, active().held]).to.deep.equal([true, true]);
    expect(textOf(page.dialer)).to.include('On hold, Muted');
    await keys('M', 'H');
    expect([active().muted, active().held]).to.deep.equal([false, false]);
    await keys('Escape', 'Escape', 'Escape');
    expect(page.dialer.shadowRoot?.querySelector('.tones'), 'the keys are closed').to.equal(null);
    expect(page.dialer.state.status, 'Escape ends no call').to.equal('in-call');
    expect(focused()).to.equal('Hang up');
    await keys('Enter');
    await isIn('ended');
    expect(page.dialer.shadowRoot?.activeElement).to.equal(field());
    await keys('ArrowUp');
    expect(field()?.value, 'the last number').to.equal('0912345678');
  });

  it('calls after clicks on the keys, and erases with Enter on the key that erases', async () => {
    await open();
    for (const key of '09123456789') await pressAt(centerOf(button(page.dialer, key)));
    button(page.dialer, 'Erase the last digit').focus();
    await keys('Enter');
    expect([field()?.value, page.dialer.state.status]).to.deep.equal(['0912345678', 'ready']);
    await pressAt(centerOf(button(page.dialer, 'Erase the last digit')));
    await pressAt(centerOf(button(page.dialer, '9')));
    await keys('Enter');
    await until(() => page.dialer.state.call.is === 'dialing', 'the call');
    expect(sdk().told).to.deep.equal(['makeCall 0912345679 842899990001']);
  });

  it('answers', async () => {
    await open();
    sdk().ring('0987654321', 'Trần Văn Bình');
    await isIn('incoming');
    expect(focused(), 'nothing that a Space meant for something else would press').to.equal('Dialer');
    await keys('Escape');
    expect(page.dialer.state.status).to.equal('incoming');
    await keys('Enter');
    await isIn('in-call');
    expect(focused(), 'nothing that ends the call').to.equal('Mute');
  });

  it('asks for a top-up, and calls', async () => {
    await open();
    page.broker.on('GET status', () => readiness({ blockers: ['insufficient-funds'] }));
    await page.dialer.recheck();
    await isIn('blocked');
    expect(focused(), 'nothing that acts').to.equal('Dialer');
    await keys('Tab', 'Tab');
    expect(focused()).to.equal('Ask for a top-up');
    await keys('Enter');
    await isIn('ready');
    expect(textOf(page.dialer)).to.include('You can call again');
    await keys('Enter');
    await until(() => field() !== null, 'the keypad');
    await hesitate();
    await keys(...'0912345678', 'Enter');
    await isIn('dialing');
  });

  it('asks for a caller number, and calls', async () => {
    page = await openBlocked({ 'POST session': () => session({ blockers: ['no-hotline'], hotlines: [] }) });
    await sendKeys({ press: 'Tab' });
    expect(focused(), 'in the status line').to.equal('Sound devices');
    await sendKeys({ press: 'Tab' });
    expect(focused(), 'the first below it').to.equal('Ask for a caller number');
    await hesitate();
    await keys('Enter');
    await isIn('ready');
    await keys('Enter');
    await until(() => field() !== null, 'the keypad');
    await hesitate();
    await keys(...'0912345678', 'Enter');
    await isIn('dialing');
  });

  it('is guided when the microphone is denied, and calls once it is allowed', async () => {
    const browser = new FakeBrowser();
    await open();
    browser.permitQuietly('denied');
    await keys(...'0912345678', 'Enter');
    await isIn('blocked');
    expect(focused(), 'nothing that acts').to.equal('Dialer');
    await keys('Tab', 'Tab');
    expect(focused()).to.equal('Check again');
    browser.permitQuietly('granted');
    await keys('Enter');
    await isIn('ready');
    expect(focused()).to.equal('Call 0912 345 678');
    await keys('Enter');
    await isIn('dialing');
  });

  it('sees all keys with "?", and closes them with Escape', async () => {
    await open();
    await keys('?');
    expect(textOf(page.dialer)).to.include('Recall the last number');
    await expect(page.dialer).to.be.accessible();
    await keys('Escape');
    expect(textOf(page.dialer)).not.to.include('Recall the last number');
  });

  it('types a plus on the card, as on the key for it', async () => {
    await open();
    await keys('+', '8', '4');
    expect(field()?.value).to.equal('+84');
  });

  it('types into the number field whatever the letters mean elsewhere', async () => {
    await open();
    field()?.focus();
    await keys('m', 'h', '?', '5');
    expect(field()?.value).to.equal('mh?5');
  });

  it('does nothing with a key that is kept down', async () => {
    await open();
    await sendKeys({ down: '5' });
    for (let repeats = 0; repeats < 5; repeats += 1) {
      await sendKeys({ down: '5' });
    }
    await sendKeys({ up: '5' });
    expect(field()?.value).to.equal('5');
  });

  it('does nothing in the dialer with the keys of the page around it', async () => {
    await open();
    const input = document.createElement('input');
    document.body.append(input);
    try {
      await talkOn(page.dialer);
      input.focus();
      await hesitate();
      await sendKeys({ type: 'mh5' });
      await sendKeys({ press: 'Escape' });
      for (const key of 'MHA') pressOnPage(key, { ctrlKey: true });
      await nextTurn();
      expect(input.value).to.equal('mh5');
      expect([active().muted, active().held]).to.deep.equal([false, false]);
      expect(sdk().told).to.have.length(1);
    } finally {
      input.remove();
    }
  });

  it('answers, mutes and hangs up from anywhere on a page that allows it', async () => {
    page = await openReady({ hotkeys: 'hotkeys' });
    expect(pressOnPage('A', { ctrlKey: true }), 'left to the page while nobody calls').to.equal(false);
    await ringOn(page.dialer);
    expect(pressOnPage('A', { ctrlKey: true })).to.equal(true);
    await reaches(page.dialer, 'in-call');
    pressOnPage('M', { metaKey: true });
    await until(() => active().muted, 'muted');
    expect(pressOnPage('M', { metaKey: true, repeat: true }), 'kept from the browser').to.equal(true);
    await nextTurn();
    expect(active().muted, 'kept down').to.equal(true);
    expect(pressOnPage('A', { ctrlKey: true }), 'nobody calls').to.equal(false);
    expect(pressOnPage('A', { ctrlKey: true, repeat: true }), 'left to the page').to.equal(false);
    pressOnPage('H', { ctrlKey: true });
    await reaches(page.dialer, 'ended');
  });
});

/** @returns whether the dialer took the key from the page */
function pressOnPage(key: string, modifiers: KeyboardEventInit): boolean {
  const init = { key, shiftKey: true, bubbles: true, cancelable: true, ...modifiers };
  return !document.body.dispatchEvent(new KeyboardEvent('keydown', init));
}
