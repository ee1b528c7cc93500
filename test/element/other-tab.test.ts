import { expect } from '@open-wc/testing';
import type { PartnerDialer } from '../../src/index.ts';
import { codeOf } from '../support/code-of.ts';
import {
  nextTurn,
  openBlocked,
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
import { BROKE, json, MEMBER, memberWith, readiness, session } from '../support/fake-broker.ts';
import { FakeVbot } from '../support/fake-vbot.ts';
import { openOtherTab } from '../support/other-tab.ts';
import { Replacements } from '../support/replacements.ts';

describe('a dialer whose phone is in another tab', () => {
  it('rejects useHere() with "not-ready" when the page signs out meanwhile', async () => {
    const tab = await openOtherTab({ is: 'idle' });
    tab.answers = false;
    try {
      const { dialer } = await openBlocked();
      const code = codeOf(dialer.useHere());
      await until(() => tab.wanted > 0, 'the request');
      await dialer.disconnect();
      expect(await code).to.equal('not-ready');
      await nextTurn();
      expect(dialer.state.status).to.equal('idle');
    } finally {
      tab.close();
    }
  });

  it('can call once useHere() has resolved, also if the sign-in had failed meanwhile', async () => {
    const tab = await openOtherTab({ is: 'idle' });
    tab.answers = false;
    const { dialer, broker } = await openBlocked();
    broker.on('POST session', () => json({}, 500));
    dialer.sdkBaseUrl = 'https://other.example/v1';
    await until(() => dialer.state.line.is === 'failed', 'the failure');
    broker.on('POST session', () => session());
    const moving = dialer.useHere();
    await passTime(200);
    tab.close();
    await settled(moving);
    expect([dialer.state.status, dialer.state.line.is]).to.deep.equal(['ready', 'up']);
  });

  it('knows what that tab has spent meanwhile as soon as it has the phone', async () => {
    const tab = await openOtherTab({ is: 'idle' });
    const { dialer, broker } = await openBlocked();
    for (const [what, answer] of Object.entries(memberWith(BROKE))) broker.on(what, answer);
    tab.close();
    await until(() => dialer.state.line.is === 'up', 'a line');
    await passTime(1000);
    expect(dialer.state.block).to.include({ is: 'blocked', reason: 'insufficient-funds' });
  });

  it('says so whatever the broker answers about money meanwhile, and gets the phone back by useHere()', async () => {
    const asked = Promise.withResolvers<Response>();
    const { dialer, broker, details } = await openBlocked({
      ...memberWith(BROKE),
      'POST top-up': () => asked.promise,
    });
    await press(dialer, 'Ask for a top-up');
    await until(() => broker.count('POST top-up') === 1, 'the request');
    const tab = await openOtherTab({ is: 'idle' }, { steal: true });
    await until(
      () => dialer.state.block.is === 'blocked' && dialer.state.block.source === 'tab',
      'the other tab',
    );
    // That tab has said what it does: it is silent from now on.
    await passTime(2000);
    asked.resolve(readiness(BROKE));
    await passTime(1000);
    expect(dialer.state.block).to.include({ is: 'blocked', reason: 'active-elsewhere' });
    expect(details.get('blocked')?.detail).to.include({ reason: 'active-elsewhere' });
    const moving = dialer.useHere();
    tab.close();
    await settled(moving);
    expect(dialer.state.line.is).to.equal('up');
    expect(dialer.state.block).to.include({ is: 'blocked', reason: 'insufficient-funds' });
  });

  it('signs in by connect() after a sign-in that had failed, and takes over when that tab is closed', async () => {
    const { dialer, broker } = await openReady();
    broker.on('POST session', () => json({}, 401));
    dialer.sdkBaseUrl = 'https://other.example/v1';
    await until(() => dialer.state.line.is === 'failed', 'the failure');
    const tab = await openOtherTab({ is: 'idle' });
    broker.on('POST session', () => session());
    await settled(dialer.connect());
    expect(dialer.state.status).to.equal('blocked');
    tab.close();
    await until(() => dialer.state.status === 'ready', 'the phone');
  });

  it('is taken for a call whose first sign-in was refused', async () => {
    const tab = await openOtherTab({ is: 'idle' });
    tab.answers = false;
    try {
      const { dialer, broker } = await openDialer({ 'connect-mode': 'manual' });
      const refused = Promise.withResolvers<Response>();
      broker.on('POST session', () => refused.promise);
      const connecting = codeOf(dialer.connect());
      const calling = codeOf(dialer.call('0912345678'));
      await nextTurn();
      broker.on('POST session', () => session());
      refused.resolve(json({}, 401));
      await until(() => tab.wanted > 0, 'the request for the phone');
      tab.close();
      expect(await settled(calling)).to.equal('resolved');
      await connecting;
    } finally {
      tab.close();
    }
  });

  it('is not moved by useHere() for a page that signs out in the same task', async () => {
    const tab = await openOtherTab({ is: 'idle' });
    try {
      const { dialer } = await openBlocked();
      const code = codeOf(dialer.useHere());
      void dialer.disconnect();
      expect(await settled(code)).to.equal('not-ready');
    } finally {
      tab.close();
    }
  });

  it('can be taken by another tab from a page that the browser freezes', async () => {
    const { dialer } = await openReady();
    document.dispatchEvent(new Event('freeze'));
    await nextTurn();
    const { held } = await navigator.locks.query();
    expect(dialer.state.line.is).to.equal('off');
    expect(held?.map(({ name }) => name?.split(' ').at(-1))).to.deep.equal([MEMBER.memberNo]);
  });

  it('does not call by itself a number that waited when the agent moved the phone there', async () => {
    const booted = Promise.withResolvers<void>();
    FakeVbot.onBoot = () => booted.resolve();
    const { dialer } = await openDialer({ 'connect-mode': 'manual' });
    const waiting = codeOf(dialer.call('0912345678'));
    await booted.promise;
    const tab = await openOtherTab({ is: 'idle' }, { steal: true });
    try {
      expect(await settled(waiting)).to.equal('active-elsewhere');
      await passTime(2000);
      expect([tab.wanted, dialer.state.status]).to.deep.equal([0, 'blocked']);
      await dialer.disconnect();
    } finally {
      tab.close();
    }
  });

  it('does not call by itself a number that waited for the sign-in when the agent asked for the phone there', async () => {
    const tab = await openOtherTab({ is: 'idle' });
    try {
      const { dialer, broker } = await openDialer({ 'connect-mode': 'manual' });
      const signIn = Promise.withResolvers<Response>();
      broker.on('POST session', () => signIn.promise);
      const waiting = codeOf(dialer.call('0912345678'));
      await passTime(50);
      tab.askedAt = Date.now();
      signIn.resolve(session());
      expect(await settled(waiting)).to.equal('active-elsewhere');
      expect([tab.wanted, dialer.state.status]).to.deep.equal([0, 'blocked']);
      expect(await settled(codeOf(dialer.useHere()))).to.equal('active-elsewhere');
      expect(tab.wanted).to.equal(1);
    } finally {
      tab.close();
    }
  });

  it('rejects useHere() when that tab takes the phone back before it is registered here', async () => {
    const tab = await openOtherTab({ is: 'idle' });
    tab.answers = false;
    const { dialer } = await openBlocked();
    const booted = Promise.withResolvers<void>();
    FakeVbot.onBoot = () => booted.resolve();
    const moving = codeOf(dialer.useHere());
    await until(() => tab.wanted > 0, 'the request for the phone');
    tab.close();
    await booted.promise;
    const thief = await openOtherTab({ is: 'idle' }, { steal: true });
    try {
      expect(await settled(moving)).to.equal('active-elsewhere');
      sdk().register();
      await dialer.disconnect();
    } finally {
      thief.close();
    }
  });

  it('says why the sign-in failed, and no longer what that tab does, once it is not told of it', async () => {
    const tab = await openOtherTab({ is: 'idle' });
    try {
      const { dialer, broker } = await openBlocked();
      broker.on('POST session', () => json({}, 401));
      dialer.sdkBaseUrl = 'https://other.example/v1';
      await reaches(dialer, 'failed');
      expect(dialer.state.block.is).to.equal('none');
    } finally {
      tab.close();
    }
  });

  it('rings for nobody when the call before has ended, and given the phone away, in the moment of the next', async () => {
    const { dialer } = await openReady({}, { 'GET status': () => new Promise(() => undefined) });
    await talkOn(dialer);
    const tab = await openOtherTab({ is: 'idle' }, { steal: true });
    try {
      sdk().end('no reason');
      sdk().ring('0987654321');
      await passTime(5000);
      expect(dialer.state.call.is).to.be.oneOf(['none', 'ended']);
    } finally {
      tab.close();
    }
  });

  for (const [how, act] of [
    ['useHere()', (dialer: PartnerDialer) => dialer.useHere()],
    ['call()', (dialer: PartnerDialer) => dialer.call('0912345678')],
  ] as const)
    it(`moves the phone by ${how} also before the sign-in has told where it is`, async () => {
      const tab = await openOtherTab({ is: 'idle' });
      tab.answers = false;
      try {
        const { dialer } = await openDialer({ 'connect-mode': 'manual' });
        const done = codeOf(act(dialer));
        await until(() => tab.wanted > 0, 'the request for the phone');
        tab.close();
        expect(await settled(done)).to.equal('resolved');
        expect(dialer.state.line.is).to.equal('up');
      } finally {
        tab.close();
      }
    });

  it('shows nothing of that tab once the page has changed to another broker', async () => {
    const tab = await openOtherTab({ is: 'idle' });
    try {
      const { dialer, broker } = await openBlocked();
      broker.on('POST session', () => json({}, 401));
      dialer.brokerUrl += '?other';
      await reaches(dialer, 'failed');
      tab.tell({ is: 'in-call', number: '0987654321', name: 'Lan' });
      await passTime(1000);
      expect([dialer.state.status, textOf(dialer).includes('Lan')]).to.deep.equal(['failed', false]);
    } finally {
      tab.close();
    }
  });

  it('says that it is in another tab, where the page draws the guide, to an agent who calls', async () => {
    const tab = await openOtherTab({ is: 'in-call' });
    const { dialer } = await openDialer();
    dialer.addEventListener('dialer-blocked', (event) => event.preventDefault());
    await reaches(dialer, 'blocked');
    for (const key of '0912345678') await press(dialer, key);
    await press(dialer, 'Call');
    await until(() => textOf(dialer).includes('Your phone is open in another tab.'), 'the reason');
    tab.close();
  });

  it('tells the page in state.block.elsewhere what that tab does, and when it does something else', async () => {
    const talk = { is: 'in-call', number: '0987654321', name: 'Lan', since: 1_795_000_000_000 };
    const tab = await openOtherTab(talk);
    try {
      const { dialer } = await openBlocked();
      const elsewhere = () =>
        dialer.state.block.is === 'blocked' ? dialer.state.block.elsewhere : undefined;
      // Without an answer within a second of the clock it says "idle" meanwhile.
      await until(() => elsewhere()?.is === talk.is, 'what the other tab does');
      expect(elsewhere()).to.deep.equal(talk);
      expect(dialer.state.block).to.include({ reason: 'active-elsewhere', source: 'tab' });
      tab.tell({ is: 'idle' });
      await until(() => elsewhere()?.is === 'idle', 'the end of its call');
      expect(elsewhere()).to.deep.equal({ is: 'idle' });
    } finally {
      tab.close();
    }
  });
});

function forbid(): Promise<never> {
  return Promise.reject(new DOMException('forbidden', 'SecurityError'));
}

describe('a dialer in a frame whose sandbox forbids locks', () => {
  it('keeps its phone, as no other tab can have it', async () => {
    const browser = new Replacements();
    browser.replace(navigator, 'locks', { request: forbid, query: forbid });
    try {
      const { dialer } = await openReady();
      await passTime(10_000);
      expect(dialer.state.status).to.equal('ready');
    } finally {
      browser.restore();
    }
  });
});
