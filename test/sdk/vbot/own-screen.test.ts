/** VBot's own call screens beside the dialer: the agent mutes there, and no event tells. */
import { expect } from '@open-wc/testing';
import { openReady, passTime, sdk, until, type DialerPage } from '../../support/dialer.ts';
import { FakeVbot } from '../../support/fake-vbot.ts';
import { PlayedPhone } from './played-phone.ts';

const POLL_MS = 100;

describe('an agent with VBot’s own call screen', () => {
  let phone: PlayedPhone;
  let page: DialerPage;

  beforeEach(async () => {
    phone = new PlayedPhone();
    page = await openReady({ 'vendor-ui': 'true' });
    await call();
  });

  afterEach(async () => {
    await page.close();
    phone.restore();
    FakeVbot.onBoot = (vbot) => vbot.register();
  });

  async function call(beforeAnswer?: () => void): Promise<void> {
    page.dialer.call('0912345678').catch(() => undefined);
    await until(() => page.dialer.state.call.is === 'dialing', 'the call');
    beforeAnswer?.();
    sdk().accept();
    await until(() => page.dialer.state.call.is === 'active', 'the answer');
  }
  const isMuted = () => page.dialer.state.call.is === 'active' && page.dialer.state.call.muted;
  const isSent = () => phone.session?.track?.enabled;
  async function pressMuteThere(): Promise<void> {
    phone.screen?.pressMute();
    await passTime(POLL_MS);
  }
  async function setHeld(on: boolean): Promise<void> {
    const done = page.dialer.setHeld(on);
    await until(() => phone.session?.offer !== undefined, 'the request');
    phone.session?.agree();
    await done;
  }

  it('reads in the dialer that they have muted there, and unmuted', async () => {
    await pressMuteThere();
    expect([isMuted(), isSent()]).to.deep.equal([true, false]);
    await pressMuteThere();
    expect([isMuted(), isSent()]).to.deep.equal([false, true]);
  });

  it('is muted from the answer on when they have muted there before', async () => {
    await page.dialer.hangUp();
    await call(() => phone.screen?.pressMute());
    expect([isMuted(), isSent()]).to.deep.equal([true, false]);
  });

  it('stays in no call that they end there without a network', async () => {
    const { session } = phone;
    phone.loseSocket(false);
    phone.screen?.pressHangUp();
    await until(() => page.dialer.state.call.is === 'ended', 'the end');
    expect(session?.isOver, 'without a socket').to.equal(false);
    phone.bringSocketBack();
    await until(() => session?.isOver === true, 'that the exchange is told');
  });

  it('stays muted after a hold that followed at once', async () => {
    phone.screen?.pressMute();
    await setHeld(true);
    await setHeld(false);
    await passTime(POLL_MS);
    expect([isMuted(), isSent()]).to.deep.equal([true, false]);
  });

  it('reads there what they do in the dialer, and unmutes there with one press', async () => {
    await page.dialer.setMuted(true);
    expect(phone.screen?.isMuted()).to.equal(true);
    await pressMuteThere();
    expect([isMuted(), isSent(), phone.screen?.isMuted()]).to.deep.equal([false, true, false]);
  });

  it('stays muted when another microphone is used', async () => {
    await page.dialer.setMuted(true);
    const before = phone.session?.track;
    phone.endTracks();
    await until(() => phone.session?.track !== before, 'another microphone');
    await passTime(POLL_MS);
    expect([isMuted(), isSent(), phone.screen?.isMuted()]).to.deep.equal([true, false, true]);
  });

  it('is not heard on hold through a microphone that they choose there', async () => {
    await setHeld(true);
    await phone.screen?.chooseHeadset();
    await passTime(POLL_MS);
    expect(isSent()).to.equal(false);
    await pressMuteThere();
    await pressMuteThere();
    expect([isMuted(), isSent()]).to.deep.equal([false, false]);
  });

  it('goes on with another microphone when one that they have chosen there is pulled out', async () => {
    await phone.screen?.chooseHeadset();
    await passTime(POLL_MS);
    const chosen = phone.session?.track;
    phone.plugHeadset(false);
    await until(() => phone.session?.track !== chosen, 'another microphone');
    expect(phone.session?.track?.readyState).to.equal('live');
  });
});

describe('an agent whom somebody calls, and who presses on VBot’s own call screen', () => {
  let page: DialerPage;
  let screen: ShadowRoot;
  /** What the SDK itself has seen. */
  let seen: string[];

  beforeEach(async () => {
    seen = [];
    page = await openReady({ 'vendor-ui': 'true' });
    screen = document.createElement('div').attachShadow({ mode: 'open' });
    sdk().attachShadow({ mode: 'open' }).append(screen.host);
    screen.innerHTML = '<button>Từ chối</button><button><svg></svg> Chấp nhận</button>';
    screen.addEventListener('click', ({ target }) => seen.push(`${(target as Element).textContent}`));
    sdk().answerCall = async () => void seen.push('answerCall');
    sdk().ring('0987654321');
    await until(() => page.dialer.state.call.is === 'incoming', 'the call');
  });

  afterEach(() => page.close());

  const press = (selector: string) =>
    screen.querySelector(selector)?.dispatchEvent(new MouseEvent('click', { bubbles: true, composed: true }));

  it('answers by the dialer, once, however often they press', async () => {
    press('svg');
    press('button:last-child');
    await passTime(POLL_MS);
    expect(seen).to.deep.equal(['answerCall']);
  });

  it('declines by the SDK', async () => {
    press('button');
    await passTime(POLL_MS);
    expect(seen).to.deep.equal(['Từ chối']);
  });

  it('presses a button of the SDK’s once the call is over', async () => {
    sdk().end();
    await until(() => page.dialer.state.call.is !== 'incoming', 'the end');
    press('button:last-child');
    await passTime(POLL_MS);
    expect(seen).to.deep.equal([' Chấp nhận']);
  });
});
