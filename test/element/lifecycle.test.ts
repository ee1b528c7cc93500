import { expect } from '@open-wc/testing';
import { codeOf } from '../support/code-of.ts';
import { FakeVbot } from '../support/fake-vbot.ts';
import { session } from '../support/fake-broker.ts';
import {
  nextTurn,
  openDialer,
  passTime,
  press,
  reaches,
  sdk,
  settled,
  textOf,
  until,
  type DialerPage,
} from '../support/dialer.ts';

/** A token that is due for renewal in four seconds. */
const shortLived = () => session({ token: 'first', expiresAt: new Date(Date.now() + 5000).toISOString() });

describe('a dialer over a working day', () => {
  let page: DialerPage;
  const { query } = navigator.permissions;
  afterEach(() => {
    navigator.permissions.query = query;
    return page.close();
  });

  it('says when it will try again by itself, and does', async () => {
    FakeVbot.onBoot = (vbot) => vbot.refuse();
    page = await openDialer();
    await reaches(page.dialer, 'failed');
    await expect(page.dialer).to.be.accessible();
    expect(textOf(page.dialer)).to.match(/Trying again in [2-4] s/);
    FakeVbot.onBoot = (vbot) => vbot.register();
    await reaches(page.dialer, 'ready');
    expect(page.broker.count('POST session')).to.equal(2);
  });

  it('does not try again by itself what only a person can mend', async () => {
    page = await openDialer({}, (broker) => broker.on('POST session', new Response('', { status: 401 })));
    await reaches(page.dialer, 'failed');
    expect(textOf(page.dialer)).not.to.include('by itself');
  });

  it('tries at once when the network is back', async () => {
    page = await openDialer({}, (broker) => broker.on('POST session', new TypeError('offline')));
    await reaches(page.dialer, 'failed');
    page.broker.on('POST session', () => session());
    dispatchEvent(new Event('online'));
    // The first planned attempt would come after more than two seconds.
    await passTime(1900);
    expect(page.dialer.state.status).to.equal('ready');
  });

  it('renews its token before it ends, one registration at a time', async () => {
    page = await openDialer({}, (broker) => broker.on('POST session', shortLived));
    await reaches(page.dialer, 'ready');
    page.broker.on('POST session', () => session());
    const boots = FakeVbot.boots;
    const first = sdk();
    await until(() => FakeVbot.boots === boots + 1, 'a new boot');
    expect(first.isConnected).to.equal(false);
    await reaches(page.dialer, 'ready');
    expect(page.events).to.deep.equal(['ready', 'ready']);
  });

  const talkUntilRenewalIsDue = async () => {
    page = await openDialer({}, (broker) => broker.on('POST session', shortLived));
    const { dialer, broker } = page;
    await reaches(dialer, 'ready');
    await dialer.call('0912345678');
    sdk().accept();
    broker.on('POST session', () => session());
    await passTime(6000);
    return page;
  };

  it('never renews at the cost of a call', async () => {
    const { dialer, broker } = await talkUntilRenewalIsDue();
    expect(dialer.state.status).to.equal('in-call');
    expect(broker.count('POST session')).to.equal(1);
    sdk().end();
    await until(() => broker.count('POST session') === 2, 'the renewal');
  });

  it('renews its token after a call that has lost its socket for a moment', async () => {
    const { broker } = await talkUntilRenewalIsDue();
    sdk().emit('onUserDisconnected', {});
    dispatchEvent(new Event('online'));
    sdk().register();
    await nextTurn();
    sdk().end();
    await until(() => broker.count('POST session') === 2, 'the renewal');
  });

  it('asks the page for no call while somebody is calling, who came while it connected', async () => {
    page = await openDialer({ 'connect-mode': 'manual' });
    const { dialer } = page;
    FakeVbot.onBoot = (vbot) => {
      vbot.register();
      vbot.ring('0987654321', 'Lan');
    };
    const code = await codeOf(dialer.call('0912345678'));
    expect([code, page.events.filter((name) => name !== 'ready')]).to.deep.equal(['busy', ['callincoming']]);
  });

  it('keeps its registration when the broker has no other token yet', async () => {
    page = await openDialer({}, (broker) => broker.on('POST session', shortLived));
    await reaches(page.dialer, 'ready');
    const boots = FakeVbot.boots;
    await until(() => page.broker.count('POST session') === 2, 'the question');
    await nextTurn();
    expect([FakeVbot.boots, page.dialer.state.status]).to.deep.equal([boots, 'ready']);
  });

  it('keeps a call when the page connects again, and connects after it', async () => {
    page = await openDialer();
    const { dialer } = page;
    await reaches(dialer, 'ready');
    await dialer.call('0912345678');
    sdk().accept();
    await reaches(dialer, 'in-call');
    const { boots } = FakeVbot;
    sdk().emit('onUserConnectionFailed', { error: 'Kết nối thất bại' });
    await until(() => dialer.state.line.is === 'failed', 'the failure');
    const code = await codeOf(dialer.connect());
    expect([code, dialer.state.status, FakeVbot.boots]).to.deep.equal(['busy', 'in-call', boots]);
    sdk().end();
    await until(() => FakeVbot.boots === boots + 1, 'a new registration');
    await reaches(dialer, 'ready');
  });

  it('does not claim to be connected when it was disconnected meanwhile', async () => {
    page = await openDialer({ 'connect-mode': 'manual' });
    const connected = codeOf(page.dialer.connect());
    await page.dialer.disconnect();
    expect(await connected).to.equal('not-ready');
    expect(page.dialer.state.status).to.equal('idle');
  });

  it('is connecting from the moment a connection is asked for', async () => {
    page = await openDialer({ 'connect-mode': 'manual' });
    const connected = page.dialer.connect();
    expect(page.dialer.state.status).to.equal('connecting');
    await connected;
  });

  it('renews its token in time on a machine whose clock is an hour wrong', async () => {
    const wrong = 3_600_000;
    page = await openDialer({}, (broker) =>
      broker.on('POST session', () => {
        const expiresAt = new Date(Date.now() + wrong + 5000).toISOString();
        const answer = session({ token: 'first', expiresAt });
        answer.headers.set('Date', new Date(Date.now() + wrong).toUTCString());
        return answer;
      }),
    );
    await reaches(page.dialer, 'ready');
    await until(() => page.broker.count('POST session') === 2, 'the renewal');
  });

  it('sends changed headers from the next request on', async () => {
    page = await openDialer();
    const { dialer, broker } = page;
    await reaches(dialer, 'ready');
    dialer.brokerHeaders = { 'X-Page': 'later' };
    await dialer.recheck();
    expect(broker.asked.at(-1)?.headers.get('X-Page')).to.equal('later');
    expect(broker.count('POST session'), 'no new sign-in').to.equal(1);
  });

  it('asks the broker again with headers that come while it is asked, and connect() does not mind', async () => {
    page = await openDialer({ 'connect-mode': 'manual' }, (broker) =>
      broker.on('POST session', () => new Promise(() => undefined)),
    );
    const { dialer, broker } = page;
    const connected = codeOf(dialer.connect());
    await until(() => broker.count('POST session') === 1, 'the first request');
    broker.on('POST session', () => session());
    dialer.brokerHeaders = { 'X-Page': 'late' };
    expect(await connected).to.equal(undefined);
    expect(dialer.state.status).to.equal('ready');
    expect(broker.asked.at(-1)?.headers.get('X-Page')).to.equal('late');
    expect(broker.count('POST session')).to.equal(2);
  });

  it('places calls with what a CRM leaves out of its JSON', async () => {
    page = await openDialer();
    const { dialer } = page;
    await reaches(dialer, 'ready');
    for (const options of [null, { hotline: null, name: {}, externalCallId: null }]) {
      await (Reflect.apply(dialer.call, dialer, ['0912345678', options]) as Promise<void>);
      expect(dialer.state.status).to.equal('dialing');
      await dialer.hangUp();
    }
  });

  it('counts a changed attribute after the call during which it was changed', async () => {
    page = await openDialer();
    const { dialer } = page;
    await reaches(dialer, 'ready');
    await dialer.call('0912345678');
    sdk().accept();
    await reaches(dialer, 'in-call');
    dialer.setAttribute('broker-url', '/broker/other');
    page.broker.on('POST other', () => session());
    await dialer.updateComplete;
    await nextTurn();
    expect([dialer.state.status, page.broker.count('POST other')]).to.deep.equal(['in-call', 0]);
    sdk().end();
    await until(() => page.broker.count('POST other') === 1, 'the other broker');
    await reaches(dialer, 'ready');
  });

  it('finds in each listener the state its event speaks of, whatever another listener does', async () => {
    page = await openDialer();
    const { dialer } = page;
    await reaches(dialer, 'ready');
    const seen: string[] = [];
    dialer.addEventListener('dialer-callstart', () => void dialer.hangUp());
    dialer.addEventListener('dialer-callstart', () => seen.push(`callstart ${dialer.state.call.is}`));
    dialer.addEventListener('dialer-callend', () => seen.push(`callend ${dialer.state.status}`));
    await dialer.call('0912345678');
    await until(() => seen.length === 2, 'the end of the call');
    expect(seen).to.deep.equal(['callstart dialing', 'callend ended']);
  });

  it('signs in anew when the exchange refuses to go on with the old registration', async () => {
    page = await openDialer();
    await reaches(page.dialer, 'ready');
    const boots = FakeVbot.boots;
    sdk().emit('onError', { message: 'Đăng ký Client thất bại' });
    sdk().emit('onUserDisconnected');
    sdk().emit('onUserConnectionFailed', { error: 'Kết nối thất bại' });
    await reaches(page.dialer, 'failed');
    expect(textOf(page.dialer)).to.include('exchange does not answer').and.include('Trying again in');
    await press(page.dialer, 'Try again');
    await reaches(page.dialer, 'ready');
    expect(FakeVbot.boots).to.equal(boots + 1);
    expect(page.broker.count('POST session')).to.equal(2);
  });

  it('shows that the line is lost, keeps the call, and comes back', async () => {
    page = await openDialer();
    const { dialer } = page;
    await reaches(dialer, 'ready');
    sdk().emit('onUserDisconnected');
    await reaches(dialer, 'connecting');
    await expect(dialer).to.be.accessible();
    expect(textOf(dialer)).to.include('Connection lost');
    const code = await codeOf(dialer.call('0912345678'));
    expect(code).to.equal('network-lost');
    sdk().emit('onUserConnected');
    await reaches(dialer, 'ready');
    await dialer.call('0912345678');
    sdk().accept();
    await reaches(dialer, 'in-call');
    sdk().emit('onUserDisconnected');
    await until(() => textOf(dialer).includes('You can go on talking'), 'the notice');
    await expect(dialer).to.be.accessible();
  });

  it('gives a call up before the SDK has begun it, and ends it if it begins all the same', async () => {
    page = await openDialer();
    const { dialer } = page;
    await reaches(dialer, 'ready');
    let begin: (() => void) | undefined;
    sdk().makeCall = (number: string) =>
      new Promise((resolve) => {
        begin = () => {
          sdk().dial(number);
          resolve();
        };
      });
    const placed = dialer.call('0912345678').catch((error: { code: string }) => error.code);
    await until(() => begin !== undefined, 'the SDK being asked');
    await press(dialer, 'Hang up');
    expect(await placed).to.equal('call-rejected');
    await reaches(dialer, 'ready');
    begin?.();
    await until(() => sdk().told.includes('hangupCall'), 'the hang-up');
    await nextTurn();
    expect(dialer.state.status).to.equal('ready');
    expect(page.events).not.to.include('callstart').and.not.include('callend');
  });

  it('tells the agent to allow the microphone while the browser asks', async () => {
    page = await openDialer();
    const { dialer } = page;
    await reaches(dialer, 'ready');
    navigator.permissions.query = async () => ({ state: 'prompt' }) as PermissionStatus;
    sdk().makeCall = () => new Promise(() => {});
    const placed = dialer.call('0912345678').catch((error: { code: string }) => error.code);
    await until(() => textOf(dialer).includes('press Allow'), 'the hint');
    await expect(dialer).to.be.accessible();
    await press(dialer, 'Hang up');
    expect(await placed).to.equal('call-rejected');
  });

  it('lets an agent whose microphone is refused while answering try again', async () => {
    page = await openDialer();
    const { dialer } = page;
    await reaches(dialer, 'ready');
    sdk().ring('0987654321');
    await reaches(dialer, 'incoming');
    const { answerCall } = FakeVbot.prototype;
    sdk().answerCall = async () =>
      sdk().emit('onError', { message: 'Trình duyệt đang chặn quyền microphone' });
    const error = await dialer.answer().catch((reason: { code: string }) => reason.code);
    expect(error).to.equal('microphone-denied');
    await dialer.updateComplete;
    await expect(dialer).to.be.accessible();
    expect(textOf(dialer)).to.include('The browser blocks the microphone').and.include('Incoming call');
    sdk().answerCall = answerCall;
    await press(dialer, 'Answer');
    await reaches(dialer, 'in-call');
  });

  it('goes on when the SDK never says that a call is over', async () => {
    page = await openDialer();
    const { dialer } = page;
    await reaches(dialer, 'ready');
    await dialer.call('0912345678');
    sdk().accept();
    await reaches(dialer, 'in-call');
    const boots = FakeVbot.boots;
    sdk().hangupCall = () => {};
    await settled(dialer.hangUp());
    expect(page.details.get('callend')?.detail.call.outcome).to.equal('answered');
    await until(() => FakeVbot.boots > boots, 'a new SDK');
    await until(() => dialer.state.line.is === 'up', 'a line');
  });

  it('understands an SDK that says "ended" and nothing else', async () => {
    page = await openDialer();
    await reaches(page.dialer, 'ready');
    await page.dialer.call('0912345678');
    sdk().accept();
    await reaches(page.dialer, 'in-call');
    sdk().emit('onCallStateChange', { state: 'ended' });
    await reaches(page.dialer, 'ended');
  });

  it('runs one SDK per page, whatever the page does', async () => {
    page = await openDialer();
    await reaches(page.dialer, 'ready');
    const second = document.createElement('partner-dialer');
    second.setAttribute('broker-url', page.broker.url);
    second.setAttribute('lang', 'en');
    document.body.append(second);
    await reaches(second, 'failed');
    expect(textOf(second)).to.include('Another dialer on this page');
    expect(page.dialer.state.status).to.equal('ready');
    await page.dialer.disconnect();
    await second.connect();
    expect(second.state.status).to.equal('ready');
    second.remove();
  });

  it('survives being put in and taken out again and again', async () => {
    page = await openDialer({ 'connect-mode': 'manual' });
    const boots = FakeVbot.boots;
    for (let round = 0; round < 20; round += 1) {
      const dialer = document.createElement('partner-dialer');
      dialer.setAttribute('broker-url', page.broker.url);
      document.body.append(dialer);
      if (round % 2) await nextTurn();
      dialer.remove();
    }
    await page.dialer.connect();
    expect(page.dialer.state.status).to.equal('ready');
    expect(FakeVbot.boots - boots).to.be.lessThan(4);
  });
});
