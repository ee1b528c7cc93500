import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import {
  button,
  fieldOf,
  nextTurn,
  openReady,
  reaches,
  ringOn,
  sdk,
  talkOn,
  until,
  type DialerPage,
} from '../support/dialer.ts';
import { centerOf, hesitate, pressAt, pressTwiceAt } from '../support/pointer.ts';

describe('an agent with a fast hand', () => {
  let page: DialerPage;

  const open = async () => {
    page = await openReady();
  };
  const talk = async () => {
    await open();
    await talkOn(page.dialer);
    await hesitate();
  };

  it('may unmute soon after, and sends the same key twice at once', async () => {
    await talk();
    await pressAt(centerOf(button(page.dialer, 'Mute')));
    await hesitate();
    await pressAt(centerOf(button(page.dialer, 'Mute')));
    await until(() => !sdk().session.muted, 'unmuted');
    await pressAt(centerOf(button(page.dialer, 'Keys')));
    await page.dialer.updateComplete;
    await hesitate();
    await pressTwiceAt(centerOf(button(page.dialer, '5')), 0);
    expect(sdk().told.slice(1)).to.deep.equal(['sendDTMF 5', 'sendDTMF 5']);
  });

  it('types a number as fast as the keys are pressed', async () => {
    await open();
    for (const key of '0911') {
      await pressAt(centerOf(button(page.dialer, key)));
    }
    expect(fieldOf(page.dialer).value).to.equal('0911');
  });

  it('cannot answer what rings in the moment of another press', async () => {
    await open();
    await hesitate();
    const place = centerOf(button(page.dialer, 'Call'));
    await ringOn(page.dialer);
    await pressAt(place);
    await nextTurn();
    expect(page.dialer.state.status).to.equal('incoming');
    await hesitate();
    await pressAt(place);
    await reaches(page.dialer, 'in-call');
  });

  it('with Enter kept down calls once, and does not hang up', async () => {
    await open();
    fieldOf(page.dialer).focus();
    await sendKeys({ type: '0912345678' });
    await sendKeys({ down: 'Enter' });
    await until(() => page.dialer.state.call.is === 'dialing', 'the call');
    await hesitate();
    for (let repeats = 0; repeats < 10; repeats += 1) {
      await sendKeys({ down: 'Enter' });
    }
    await sendKeys({ up: 'Enter' });
    expect([calls(), page.dialer.state.call.is]).to.deep.equal([1, 'dialing']);
    await sendKeys({ press: 'Enter' });
    await reaches(page.dialer, 'ended');
    await sendKeys({ press: 'Enter' });
    await nextTurn();
    expect(calls(), 'a second Enter').to.equal(1);
  });
});

/** How many calls were placed. */
function calls(): number {
  return sdk().told.filter((each) => each.startsWith('makeCall')).length;
}
