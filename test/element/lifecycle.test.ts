import { expect } from '@open-wc/testing';
import { spy } from 'sinon';
import { codeOf } from '../support/code-of.ts';
import { FakeVbot } from '../support/fake-vbot.ts';
import { MEMBER, session } from '../support/fake-broker.ts';
import {
  fieldOf,
  nextTurn,
  openDialer,
  openReady,
  passTime,
  press,
  reaches,
  sdk,
  settled,
  talkOn,
  textOf,
  until,
} from '../support/dialer.ts';

/** A token that is due for renewal in four seconds. */
const shortLived = () => session({ token: 'first', expiresAt: new Date(Date.now() + 5000).toISOString() });

describe('a dialer over a working day', () => {
  it('says when it will try again by itself, and does', async () => {
    FakeVbot.onBoot = (vbot) => vbot.refuse();
    const { dialer, broker } = await openDialer();
    await reaches(dialer, 'failed');
    await expect(dialer).to.be.accessible();
    expect(textOf(dialer)).to.match(/Trying again in [2-4] s/);
    FakeVbot.onBoot = (vbot) => vbot.register();
    await reaches(dialer, 'ready');
    expect(broker.count('POST session')).to.equal(2);
  });

  it('tries at once when the network is back', async () => {
    const page = await openDialer({}, { 'POST session': new TypeError('offline') });
    await reaches(page.dialer, 'failed');
    const { line } = page.dialer.state;
    let askedAt = Infinity;
    page.broker.on('POST session', () => {
      askedAt = Date.now();
      return session();
    });
    dispatchEvent(new Event('online'));
    await reaches(page.dialer, 'ready');
    expect(askedAt).to.be.below((line.is === 'failed' && line.retryAt) || 0);
  });

  it('connects for a call that the agent places before the page has connected it', async () => {
    const { dialer } = await openDialer({ 'connect-mode': 'manual' });
    const field = fieldOf(dialer);
    field.value = '0912345678';
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    await dialer.updateComplete;
    await press(dialer, 'Call');
    await reaches(dialer, 'dialing');
    await until(() => dialer.state.call.is === 'dialing', 'the call');
  });

  it('asks the page for no call while somebody is calling, who came while it connected', async () => {
    const { dialer, events } = await openDialer({ 'connect-mode': 'manual' });
    FakeVbot.onBoot = (vbot) => {
      vbot.register();
      vbot.ring('0987654321', 'Lan');
    };
    const code = await codeOf(dialer.call('0912345678'));
    expect([code, events.filter((name) => name !== 'ready')]).to.deep.equal(['busy', ['callincoming']]);
  });

  it('keeps its registration when the broker has no other token yet', async () => {
    const page = await openReady({}, { 'POST session': shortLived });
    const boots = FakeVbot.boots;
    await until(() => page.broker.count('POST session') === 2, 'the question');
    await nextTurn();
    expect([FakeVbot.boots, page.dialer.state.status]).to.deep.equal([boots, 'ready']);
  });

  it('asks rarely where the broker extends the life of the same token, also when the agent comes back often', async () => {
    const [minute, hour] = [60_000, 3_600_000];
    let answers = 0;
    const sliding = () => {
      answers += 1;
      const member = { ...MEMBER, balance: answers };
      return session({ member, expiresAt: new Date(Date.now() + hour).toISOString() });
    };
    const { broker, dialer } = await openReady({ 'low-balance': '0' }, { 'POST session': sliding });
    const boots = FakeVbot.boots;
    for (const requests of [2, 3]) {
      for (let minutes = 0; minutes < 45; minutes += 5) {
        await passTime(5 * minute);
        dispatchEvent(new Event('focus'));
      }
      expect(broker.count('POST session'), 'after 45 minutes').to.equal(requests - 1);
      // In step with the browser, which takes its time to answer: a request that is late is sent again.
      await passTime(2.9 * minute);
      await until(() => dialer.state.member?.balance === requests, 'the answer after 48 minutes');
    }
    await passTime(5 * minute);
    dispatchEvent(new Event('focus'));
    expect(broker.count('POST session'), 'after 0, 48 and 96 minutes').to.equal(3);
    expect([FakeVbot.boots, dialer.state.status]).to.deep.equal([boots, 'ready']);
  });

  it('is connecting from the moment a connection is asked for', async () => {
    const page = await openDialer({ 'connect-mode': 'manual' });
    const connected = page.dialer.connect();
    expect(page.dialer.state.status).to.equal('connecting');
    await connected;
  });

  for (const method of ['connect', 'useHere'] as const) {
    it(`stays signed out when the page signs out after a listener has asked for ${method}(), which rejects`, async () => {
      const { dialer } = await openReady();
      await talkOn(dialer);
      let code: Promise<unknown> | undefined;
      dialer.addEventListener('dialer-callend', () => (code = codeOf(dialer[method]())));
      await Promise.all([dialer.disconnect(), dialer.disconnect()]);
      expect([await code, dialer.state.status]).to.deep.equal(['not-ready', 'idle']);
    });

    it(`signs in again when a listener asks for ${method}() after it has signed out`, async () => {
      const { dialer } = await openReady();
      await talkOn(dialer);
      let code: Promise<unknown> | undefined;
      dialer.addEventListener('dialer-callend', () => {
        void dialer.disconnect();
        code = codeOf(dialer[method]());
      });
      sdk().end();
      await reaches(dialer, 'ready');
      expect(await code).to.equal('resolved');
    });

    it(`signs in again when the page asks for ${method}() after a listener has signed out`, async () => {
      const { dialer } = await openReady();
      dialer.addEventListener('dialer-statechange', () => void dialer.disconnect(), { once: true });
      void dialer.disconnect();
      expect(await codeOf(dialer[method]())).to.equal('resolved');
      expect(dialer.state.status).to.equal('ready');
    });
  }

  it('leaves no timer behind when it signs out while it asks for the next token', async () => {
    const [began, ended] = [spy(globalThis, 'setInterval'), spy(globalThis, 'clearInterval')];
    try {
      const { dialer, broker } = await openReady({}, { 'POST session': shortLived });
      broker.on('POST session', () => new Promise(() => undefined));
      await until(() => broker.count('POST session') === 2, 'the question');
      await dialer.disconnect();
      await nextTurn();
      const left = began.returnValues.filter((timer) => !ended.calledWith(timer));
      expect(left).to.deep.equal([]);
    } finally {
      began.restore();
      ended.restore();
    }
  });

  it('renews its token in time on a machine whose clock is an hour wrong', async () => {
    const wrong = 3_600_000;
    const page = await openReady(
      {},
      {
        'POST session': () => {
          const expiresAt = new Date(Date.now() + wrong + 5000).toISOString();
          const answer = session({ token: 'first', expiresAt });
          answer.headers.set('Date', new Date(Date.now() + wrong).toUTCString());
          return answer;
        },
      },
    );
    await until(() => page.broker.count('POST session') === 2, 'the renewal');
  });

  it('renews a token after the call in which it was due, also when the network went and came back meanwhile', async () => {
    const { dialer, broker } = await openReady({}, { 'POST session': shortLived });
    await talkOn(dialer);
    await passTime(5000);
    sdk().emit('onUserDisconnected');
    await until(() => dialer.state.line.is === 'lost', 'the loss');
    dispatchEvent(new Event('online'));
    sdk().emit('onUserConnected');
    await until(() => dialer.state.line.is === 'up', 'the line');
    broker.on('POST session', () => session({ token: 'second' }));
    sdk().end();
    await until(() => broker.count('POST session') === 2, 'the renewal');
    await reaches(dialer, 'ready');
  });

  it('keeps a phone that works after a call in which a renewal was due, when the broker fails then', async () => {
    const { dialer, broker } = await openReady({}, { 'POST session': shortLived });
    const { boots } = FakeVbot;
    await talkOn(dialer);
    await passTime(5000);
    broker.on('POST session', () => new Response('', { status: 503 }));
    sdk().end();
    await until(() => broker.count('POST session') === 2, 'the renewal');
    await passTime(1000);
    expect([dialer.state.canCall, FakeVbot.boots]).to.deep.equal([true, boots]);
  });

  it('connects again when the line is lost while the dialer still checks the browser', async () => {
    FakeVbot.onBoot = (vbot) => {
      vbot.register();
      vbot.emit('onUserDisconnected');
    };
    const before = FakeVbot.boots;
    const { dialer } = await openDialer();
    await until(() => FakeVbot.boots === before + 1, 'the first boot');
    FakeVbot.onBoot = (vbot) => vbot.register();
    await passTime(75_000);
    await reaches(dialer, 'ready');
  });

  it('tells a page whose new settings begin the connection anew, again and again, that there was no registration', async () => {
    FakeVbot.onBoot = () => undefined;
    const before = FakeVbot.boots;
    const { dialer } = await openDialer();
    const connected = codeOf(dialer.connect());
    for (let version = 1; version < 12; version += 1) {
      // The broker has answered: its own timeout would pass, too.
      await until(() => FakeVbot.boots === before + version, 'the next attempt');
      await passTime(15_000);
      dialer.sdkBaseUrl = `https://staging.example/v${version}`;
    }
    expect(await settled(connected)).to.equal('registration-failed');
    expect(dialer.state.line.is, 'not failed yet: that is another error').to.equal('connecting');
  });

  it('asks the broker again with headers that come while it is asked, and connect() does not mind', async () => {
    const { dialer, broker } = await openDialer(
      { 'connect-mode': 'manual' },
      { 'POST session': () => new Promise(() => undefined) },
    );
    const connected = codeOf(dialer.connect());
    await until(() => broker.count('POST session') === 1, 'the first request');
    broker.on('POST session', () => session());
    dialer.brokerHeaders = { 'X-Page': 'late' };
    expect(await connected).to.equal('resolved');
    expect(dialer.state.status).to.equal('ready');
    expect(broker.asked.at(-1)?.headers.get('X-Page')).to.equal('late');
    expect(broker.count('POST session')).to.equal(2);
  });

  it('counts a changed attribute after the call during which it was changed', async () => {
    const page = await openReady();
    const { dialer } = page;
    await talkOn(dialer);
    dialer.setAttribute('broker-url', '/broker/other');
    page.broker.on('POST other', () => session());
    await dialer.updateComplete;
    await nextTurn();
    expect([dialer.state.status, page.broker.count('POST other')]).to.deep.equal(['in-call', 0]);
    sdk().end();
    await until(() => page.broker.count('POST other') === 1, 'the other broker');
    await reaches(dialer, 'ready');
  });

  it('signs in anew when the exchange refuses to go on with the old registration', async () => {
    const page = await openReady();
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

  it('gives a call up before the SDK has begun it, and ends it if it begins all the same', async () => {
    const page = await openReady();
    const { dialer } = page;
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

  it('says that a call was given up, also when another connection has waited for its end', async () => {
    const { dialer } = await openReady();
    let isAsked = false;
    sdk().makeCall = () => {
      isAsked = true;
      return new Promise(() => undefined);
    };
    const placed = codeOf(dialer.call('0912345678'));
    await until(() => isAsked, 'the SDK being asked');
    dialer.sdkBaseUrl = 'https://staging.example/v1';
    await dialer.updateComplete;
    await press(dialer, 'Hang up');
    expect(await placed).to.equal('call-rejected');
  });

  it('lets the next caller ring before changed settings are used, while the broker says why a call failed', async () => {
    const page = await openReady();
    const { dialer } = page;
    page.broker.on('GET status', () => new Promise(() => undefined));
    const boots = FakeVbot.boots;
    await settled(dialer.call('0912345678'));
    dialer.sdkBaseUrl = 'https://staging.example/v1';
    await dialer.updateComplete;
    sdk().end();
    await until(() => page.broker.count('GET status') === 1, 'the question');
    sdk().ring('0987654321');
    await until(() => dialer.state.call.is === 'incoming', 'the caller');
    await passTime(1000);
    expect([dialer.state.status, FakeVbot.boots]).to.deep.equal(['incoming', boots]);
    sdk().end();
    await until(() => FakeVbot.boots > boots, 'the settings');
  });

  it('goes on when the SDK never says that a call is over', async () => {
    const { dialer, details } = await openReady();
    await talkOn(dialer);
    const boots = FakeVbot.boots;
    sdk().hangupCall = () => {};
    await settled(dialer.hangUp());
    expect(details.get('callend')?.detail.call.outcome).to.equal('answered');
    await until(() => FakeVbot.boots > boots, 'a new SDK');
    await until(() => dialer.state.line.is === 'up', 'a line');
  });

  it('understands an SDK that says "ended" and nothing else', async () => {
    const page = await openReady();
    await talkOn(page.dialer);
    sdk().emit('onCallStateChange', { state: 'ended' });
    await reaches(page.dialer, 'ended');
  });
});
