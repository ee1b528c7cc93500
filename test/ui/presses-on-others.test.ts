/** A press that was meant for one call, or for nothing at all, when the same button has come to mean another. */
import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import {
  button,
  findNamed,
  nextTurn,
  openReady,
  part,
  reaches,
  ringOn,
  sdk,
  until,
  type DialerPage,
} from '../support/dialer.ts';
import { centerOf, hesitate, pressAt } from '../support/pointer.ts';

describe('a press that was meant for another call', () => {
  let page: DialerPage;

  const open = async (attributes: Readonly<Record<string, string>> = {}) => {
    page = await openReady(attributes);
  };
  const ring = async (number: string) => {
    sdk().ring(number);
    await until(() => {
      const { call } = page.dialer.state;
      return call.is === 'incoming' && call.info.number === number;
    }, number);
    await page.dialer.updateComplete;
  };
  /** One caller gives up, and the next is there before anything else could be drawn. */
  const ringAnother = async () => {
    const { dialer } = page;
    const pending = new Promise<void>((resolve) => {
      const next = () => (sdk().ring('0909090909'), resolve());
      dialer.addEventListener('dialer-callend', next, { once: true });
    });
    sdk().end('Cuộc gọi đã bị hủy');
    await pending;
    await until(() => dialer.state.call.is === 'incoming', 'the next caller');
    await dialer.updateComplete;
  };

  for (const name of ['Answer', 'Decline']) {
    for (const floating of ['', 'bottom-right']) {
      it(`does not ${name.toLowerCase()} the next one${floating && ', beside a bubble'}`, async () => {
        await open(floating ? { floating } : {});
        await ring('0987654321');
        // What rings is in sight: only once its card is closed, it is answered beside the bubble.
        if (floating) button(page.dialer, 'Close the dialer').click();
        await page.dialer.updateComplete;
        await hesitate();
        const place = centerOf(button(page.dialer, name));
        await ringAnother();
        if (floating) button(page.dialer, 'Close the dialer').click();
        await page.dialer.updateComplete;
        await pressAt(place);
        await nextTurn();
        expect([page.dialer.state.call.is, ...sdk().told]).to.deep.equal(['incoming']);
        await hesitate();
        await pressAt(place);
        await until(() => page.dialer.state.call.is !== 'incoming', 'what was meant');
      });
    }
  }

  it('does not end the one that the page has begun since', async () => {
    await open();
    const { dialer } = page;
    await dialer.call('0912345678');
    await hesitate();
    const place = centerOf(button(dialer, 'Hang up'));
    dialer.addEventListener('dialer-callend', () => void dialer.call('0987654321'), { once: true });
    sdk().end('Busy');
    await until(() => sdk().told.length === 2, 'the next call');
    await dialer.updateComplete;
    await pressAt(place);
    await nextTurn();
    expect(sdk().told.filter((each) => each === 'hangupCall')).to.deep.equal([]);
    await hesitate();
    await pressAt(place);
    await reaches(dialer, 'ended');
  });
});

describe('keys that a page keeps to itself', () => {
  const over = new AbortController();
  after(() => over.abort());

  it('press what has the focus, also after a key whose release the dialer has not heard of', async () => {
    const { dialer } = await openReady();
    part(dialer, 'card').focus();
    await sendKeys({ down: 'Shift' });
    for (const name of ['keydown', 'keypress', 'keyup'])
      addEventListener(name, keepFromOthers, { capture: true, signal: over.signal });
    await sendKeys({ up: 'Shift' });
    await ringOn(dialer);
    await hesitate();
    await sendKeys({ press: 'Enter' });
    await reaches(dialer, 'in-call');
    sdk().end();
    await reaches(dialer, 'ended');
    button(dialer, 'Recent calls').focus();
    await sendKeys({ press: 'Enter' });
    await nextTurn();
    await dialer.updateComplete;
    expect(findNamed(dialer, 'Recent calls'), 'not aimed at').to.equal(null);
  });
});

function keepFromOthers(event: Event): void {
  event.stopImmediatePropagation();
}
