/** "Hold" asks the other side, which takes its time, or does not agree. */
import { expect } from '@open-wc/testing';
import { en } from '../../src/i18n/en.ts';
import { vi } from '../../src/i18n/vi.ts';
import {
  button,
  loseSocket,
  openReady,
  passTime,
  sdk,
  talkOn,
  until,
  type DialerPage,
} from '../support/dialer.ts';

describe('an agent who presses "Hold"', () => {
  let page: DialerPage;
  let agree: (() => void)[];
  const open = async (lang: string) => {
    page = await openReady({ lang });
    await talkOn(page.dialer);
    agree = [];
    sdk().session.onHold = (agreed) => agree.push(agreed);
  };
  const hold = () => button(page.dialer, page.dialer.lang === 'vi' ? vi.hold : en.hold);
  const isBusy = () => hold().ariaBusy === 'true';
  const said = () => page.dialer.shadowRoot?.querySelector('[role=alert]')?.textContent;

  it('sees that it was pressed until the other side agrees', async () => {
    await open('en');
    hold().click();
    await until(isBusy, 'a button that waits');
    expect([hold().ariaPressed, said()]).to.deep.equal(['false', '']);
    agree.shift()?.();
    await until(() => !isBusy(), 'the answer');
    expect([hold().ariaPressed, said()]).to.deep.equal(['true', '']);
  });

  for (const words of [en, vi]) {
    it(`reads whether the customer hears them when it was refused, for a few seconds, in ${words.language}`, async () => {
      await open(words.language);
      hold().click();
      await until(isBusy, 'a button that waits');
      loseSocket();
      await until(() => !isBusy(), 'the refusal');
      expect([hold().ariaPressed, said()]).to.deep.equal(['false', words.error['hold-refused']]);
      await passTime(7000);
      expect(said()).to.equal('');
    });

    it(`reads that the call is still held when resuming was refused, in ${words.language}`, async () => {
      await open(words.language);
      hold().click();
      await until(() => agree.length > 0, 'the request');
      agree.shift()?.();
      await until(() => hold().ariaPressed === 'true', 'the hold');
      hold().click();
      await until(isBusy, 'a button that waits');
      loseSocket();
      await until(() => !isBusy(), 'the refusal');
      expect([hold().ariaPressed, said()]).to.deep.equal(['true', words.error['resume-refused']]);
    });
  }

  it('and hangs up before the answer, reads only how the call ended', async () => {
    await open('en');
    hold().click();
    await until(isBusy, 'a button that waits');
    button(page.dialer, en.hangUp).click();
    await until(() => page.dialer.state.status === 'ended', 'the end');
    await passTime(500);
    expect(said()).to.equal('');
    await talkOn(page.dialer);
    expect(isBusy()).to.equal(false);
  });
});
