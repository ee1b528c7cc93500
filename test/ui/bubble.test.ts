import { expect } from '@open-wc/testing';
import { setViewport } from '@web/test-runner-commands';
import { session } from '../support/fake-broker.ts';
import {
  missOn,
  openBlocked,
  openReady,
  passTime,
  reaches,
  ringOn,
  sdk,
  settled,
  until,
  type DialerPage,
  findIn,
} from '../support/dialer.ts';
import { centerOf, hesitate, letPass, pressAt, pressTwiceAt } from '../support/pointer.ts';

const MARGIN = 16;
const CARD = '[part~=card]';
const BUBBLE = '[part~=bubble]';
/** Beside a closed bubble there are these alone. */
const CALL = '[part~=call-button]';
const HANG_UP = '[part~=hangup-button]';
const MUTE = 'button[aria-label=Mute]';

describe('the bubble', () => {
  let page: DialerPage;
  let underneath: HTMLElement | undefined;
  afterEach(async () => {
    underneath?.remove();
    document.documentElement.removeAttribute('dir');
    document.documentElement.style.zoom = '';
    await setViewport({ width: 800, height: 600 });
  });

  const find = (selector: string) => findIn(page.dialer, selector);
  const has = (selector: string) => page.dialer.shadowRoot?.querySelector(selector) !== null;
  const box = (selector: string) => find(selector).getBoundingClientRect();
  const isShown = (selector: string) => box(selector).bottom <= box(CARD).bottom;
  const face = () => find(BUBBLE).textContent.replaceAll(/\s+/g, ' ').trim();
  // Firefox does not say what `attr()` stands for.
  const time = () => {
    const text = find(`${BUBBLE} span`);
    return getComputedStyle(text, '::before').content === 'none' ? undefined : text.dataset['time'];
  };
  const said = () => ['aria-label', 'title'].map((name) => find(BUBBLE).getAttribute(name));
  const open = async (attributes: Readonly<Record<string, string>> = { floating: 'floating' }) => {
    page = await openReady(attributes);
    await until(() => has(BUBBLE), 'the bubble');
    return page.dialer;
  };
  const close = async () => {
    const escape = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, composed: true });
    find(CARD).dispatchEvent(escape);
    await page.dialer.updateComplete;
    expect(has(CARD)).to.equal(false);
  };
  /** Of the page, with how often it was pressed. */
  const putUnderneath = (style: string) => {
    let presses = 0;
    underneath = document.createElement('button');
    underneath.style.cssText = `position:fixed;${style}`;
    underneath.addEventListener('click', () => (presses += 1));
    document.body.append(underneath);
    return () => presses;
  };

  for (const corner of ['bottom-right', 'bottom-left', 'top-right', 'top-left', 'true', 'nonsense']) {
    it(`stands in its corner with floating="${corner}", and its card stays in the page`, async () => {
      const dialer = await open({ floating: corner });
      const isTop = corner.startsWith('top');
      const isLeft = corner.endsWith('left');
      const { clientWidth } = document.documentElement;
      const inCorner = () => {
        const { top, bottom, left, right } = box(BUBBLE);
        expect(isTop ? top : innerHeight - bottom, 'from the top or the bottom').to.equal(MARGIN);
        expect(isLeft ? left : clientWidth - right, 'from the side').to.equal(MARGIN);
      };
      inCorner();
      find(BUBBLE).click();
      await dialer.updateComplete;
      inCorner();
      const { top, bottom, left, right } = box(CARD);
      expect([
        Math.min(top, 0),
        Math.max(bottom, innerHeight),
        Math.min(left, 0),
        Math.max(right, clientWidth),
      ]).to.deep.equal([0, innerHeight, 0, clientWidth]);
    });
  }

  it('shows the call, mutes and hangs up without being opened', async () => {
    const dialer = await open();
    expect(face()).to.equal('');
    await ringOn(dialer, '0987654321', 'Lan');
    await close();
    expect(face()).to.equal('Lan');
    expect(find(BUBBLE).getAttribute('aria-label')).to.equal('Open the dialer, Incoming call, Lan');
    // Its colour has changed by then.
    await hesitate();
    await expect(dialer).to.be.accessible();
    await pressAt(centerOf(find(CALL)));
    await reaches(dialer, 'in-call');
    await until(() => /^00:0\d$/.test(time() ?? ''), 'the time of the call');
    await hesitate();
    await expect(dialer).to.be.accessible();
    await pressAt(centerOf(find(MUTE)));
    await until(() => dialer.state.call.is === 'active' && dialer.state.call.muted, 'the mute');
    expect(find(MUTE).getAttribute('aria-pressed')).to.equal('true');
    await pressAt(centerOf(find(HANG_UP)));
    await reaches(dialer, 'ended');
    expect([face(), has(CARD)]).to.deep.equal(['', false]);
  });

  it('keeps its name while the time of a call runs, so that a screen reader does not read it every second', async () => {
    const dialer = await open();
    await ringOn(dialer, '0987654321', 'Lan');
    await close();
    await settled(dialer.answer());
    await until(() => /^00:0\d$/.test(time() ?? ''), 'the time of the call');
    expect(said()).to.deep.equal(['Open the dialer, In call', null]);
    const [then, before] = [time(), said()];
    await passTime(2000);
    await dialer.updateComplete;
    expect(time()).to.not.equal(then);
    expect(said()).to.deep.equal(before);
    await dialer.setHeld(true);
    expect(said()).to.deep.equal(['Open the dialer, On hold', null]);
    await expect(dialer).to.be.accessible();
  });

  it('takes neither of two presses for the page’s', async () => {
    const presses = putUnderneath('inset:auto 0 0 0;height:200px');
    const dialer = await open();
    await ringOn(dialer, '0987654321', 'Lan');
    await close();
    await hesitate();
    await pressTwiceAt(centerOf(find(CALL)), 90);
    await reaches(dialer, 'in-call');
    await hesitate();
    await pressTwiceAt(centerOf(find(HANG_UP)), 0);
    await reaches(dialer, 'ended');
    expect(presses()).to.equal(0);
  });

  it('ends the call by "Hang up" in the moment of the answer', async () => {
    const dialer = await open();
    await dialer.call('0912345678');
    await close();
    await hesitate();
    const place = centerOf(find(HANG_UP));
    sdk().accept();
    await pressAt(place);
    await reaches(dialer, 'ended');
  });

  it('never has what ends a call where what begins one was', async () => {
    const dialer = await open();
    await ringOn(dialer, '0987654321', 'Lan');
    await close();
    const [answer, decline] = [box(CALL), box(HANG_UP)];
    await settled(dialer.answer());
    await dialer.updateComplete;
    for (const selector of [HANG_UP, MUTE, BUBBLE]) {
      const { left, right } = box(selector);
      const overlap = Math.min(right, answer.right) - Math.max(left, answer.left);
      expect(overlap, selector).to.be.at.most(0);
    }
    expect(box(HANG_UP).left, 'hang up').to.equal(decline.left);
  });

  for (const corner of ['bottom-right', 'bottom-left', 'top-right', 'top-left'])
    for (const [what, width, zoom] of [
      ['wide', 800, 1],
      ['narrow', 300, 1],
      ['zoomed', 800, 1.5],
    ] as const)
      it(`stays under a double press on a ${what} right-to-left page, ${corner}, also when somebody calls`, async () => {
        await setViewport({ width, height: 600 });
        document.documentElement.dir = 'rtl';
        document.documentElement.style.zoom = String(zoom);
        const presses = putUnderneath('inset:0');
        const dialer = await open({ floating: corner });
        const before = centerOf(find(BUBBLE));
        await hesitate();
        await pressTwiceAt(before, 90);
        await dialer.updateComplete;
        expect(centerOf(find(BUBBLE)), 'opened').to.deep.equal(before);
        await hesitate();
        await pressTwiceAt(before, 90);
        await dialer.updateComplete;
        expect([has(CARD), presses()]).to.deep.equal([false, 0]);
        await ringOn(dialer);
        dialer.open = false;
        await dialer.updateComplete;
        const decline = centerOf(find(HANG_UP));
        await hesitate();
        await pressTwiceAt(decline, 90);
        await letPass(1);
        expect([dialer.state.call.is, presses()]).to.deep.equal(['ended', 0]);
      });

  for (const height of [640, 620, 600, 541, 540, 400])
    it(`shows the buttons of its card in a window of ${height} px`, async () => {
      await setViewport({ width: 360, height });
      const dialer = await open();
      dialer.open = true;
      await until(() => has(CALL), 'the card');
      expect(isShown(CALL), 'Call').to.equal(true);
      await ringOn(dialer);
      await until(() => has(HANG_UP), 'the incoming call');
      expect(isShown(HANG_UP), 'Decline').to.equal(true);
    });

  it('lets the page be pressed beside it', async () => {
    const presses = putUnderneath('inset:auto 0 0 0;height:300px');
    const dialer = await open();
    find(BUBBLE).click();
    await dialer.updateComplete;
    await hesitate();
    const { left, top } = box(BUBBLE);
    const place = { x: Math.round(left - 40), y: Math.round(top + 20) };
    await until(
      () => document.elementFromPoint(place.x, place.y) === underneath,
      'the end of a double press',
    );
    await pressAt(place);
    expect(presses()).to.equal(1);
  });

  it('says what the card would say of the call', async () => {
    const dialer = await open();
    await ringOn(dialer, '0987654321', 'Lan');
    await close();
    await settled(dialer.answer());
    expect(face()).to.equal('');
    sdk().emit('onUserDisconnected');
    const LOST = 'The line to the exchange is being restored';
    await until(() => face() === '!', 'the sign');
    expect(find(BUBBLE).getAttribute('aria-label')).to.include(LOST);
    const heard = [...(dialer.shadowRoot?.querySelectorAll('[role=status]') ?? [])];
    expect(heard.map(({ textContent }) => textContent).join()).to.include(LOST);
    sdk().register();
    await until(() => face() === '', 'the end of the sign');
    await expect(dialer).to.be.accessible();
  });

  it('counts what was missed, and says that nobody can call', async () => {
    const dialer = await open();
    await missOn(dialer, '0987654321', 'Lan');
    await close();
    expect(find('[part~=bubble] [data-count]').dataset['count']).to.equal('1');
    expect(find(BUBBLE).getAttribute('aria-label')).to.equal('Open the dialer, Missed call');
    await dialer.call('0912345678');
    await until(() => dialer.state.call.is === 'dialing', 'the call');
    sdk().end('Payment Required');
    await reaches(dialer, 'blocked');
    await close();
    expect(face()).to.equal('!');
    expect(find(BUBBLE).getAttribute('aria-label')).to.include('You cannot call out yet');
    await expect(dialer).to.be.accessible();
  });

  it('says that nobody can call to whom it is closed from the beginning', async () => {
    page = await openBlocked(
      { 'POST session': () => session({ blockers: ['no-hotline'], hotlines: [] }) },
      { floating: 'top-left' },
    );
    await until(() => has(BUBBLE) && face() === '!', 'the sign');
  });

  it('stays in its corner, whatever is under it', async () => {
    await setViewport({ width: 390, height: 700 });
    putUnderneath('inset:0');
    await open();
    await letPass(400);
    expect(innerHeight - box(BUBBLE).bottom).to.equal(MARGIN);
  });
});
