import { expect } from '@open-wc/testing';
import { codeOf } from '../support/code-of.ts';
import { json, MEMBER, readiness, session } from '../support/fake-broker.ts';
import {
  openDialer,
  openReady,
  press,
  reaches,
  sdk,
  settled,
  talkOn,
  textOf,
  until,
} from '../support/dialer.ts';

describe('a dialer on a page', () => {
  it('is ready once the broker and the SDK have answered', async () => {
    const { dialer, events } = await openReady();
    await expect(dialer).to.be.accessible();
    expect(textOf(dialer)).to.include('Ready').and.include('Nguyễn Thị An · 101').and.include('12,500 ₫');
    expect(events).to.deep.equal(['ready']);
    expect(dialer.member).to.deep.equal(MEMBER);
    expect(dialer.hotlines).to.have.length(1);
  });

  it('has drawn itself when updateComplete says so, each time it draws something new', async () => {
    const page = await openDialer();
    const shown = () => textOf(page.dialer);
    expect(shown(), 'as soon as it is there').to.include('Connecting');
    await until(() => page.dialer.state.status === 'ready', 'the registration');
    await page.dialer.updateComplete;
    expect(shown(), 'with its keypad').to.include('Ready');
    const second = document.createElement('partner-dialer');
    second.connectMode = 'manual';
    second.lang = 'en';
    document.body.append(second);
    // Before it is drawn.
    second.lang = 'vi';
    await second.updateComplete;
    expect(second.shadowRoot?.querySelector('input')?.getAttribute('aria-label')).to.equal('Số điện thoại');
    second.remove();
  });

  it('stands in the page of jsdom, which has no styles and no observers, and says that the browser is too old', async () => {
    const missing: readonly [object, string][] = [
      [globalThis, 'CSS'],
      [globalThis, 'ResizeObserver'],
      [ShadowRoot.prototype, 'adoptedStyleSheets'],
    ];
    const restorers = missing.map(([owner, name]) => {
      const own = Object.getOwnPropertyDescriptor(owner, name) as PropertyDescriptor;
      Reflect.deleteProperty(owner, name);
      return () => Object.defineProperty(owner, name, own);
    });
    try {
      const { dialer } = await openDialer();
      await reaches(dialer, 'failed');
      const { line } = dialer.state;
      expect(line.is === 'failed' && line.error.code).to.equal('unsupported-browser');
    } finally {
      for (const restore of restorers) restore();
    }
  });

  it('calls the number typed, shows the conversation, and ends with one callend', async () => {
    const page = await openReady();
    const { dialer } = page;
    for (const key of '0912345678') await press(dialer, key);
    await press(dialer, 'Call');
    await until(() => dialer.state.call.is === 'dialing', 'the call');
    await expect(dialer).to.be.accessible();
    expect(sdk().told).to.deep.equal(['makeCall 0912345678 842899990001']);
    sdk().accept();
    await reaches(dialer, 'in-call');
    await expect(dialer).to.be.accessible();
    expect(textOf(dialer)).to.include('0912 345 678').and.include('00:00');
    await press(dialer, 'Hang up');
    await reaches(dialer, 'ended');
    await expect(dialer).to.be.accessible();
    expect(page.events).to.deep.equal(['ready', 'beforecall', 'callstart', 'callconnect', 'callend']);
    expect(page.details.get('callend')?.detail.call.outcome).to.equal('answered');
    expect(textOf(dialer), 'the keypad is back').to.include('Ready').and.include('0912 345 678');
    expect(textOf(dialer)).to.match(/Answered · 00:0\d 0912 345 678/);
  });

  it('settles call, answer and hangUp with what really happened', async () => {
    const page = await openReady();
    const { dialer } = page;
    await dialer.call('+84 912.345.678', { externalCallId: 'crm42' });
    expect(sdk().told).to.deep.equal(['makeCall 0912345678 842899990001 crm42']);
    expect(dialer.state.status).to.equal('dialing');
    expect(await codeOf(dialer.call('0900000200'))).to.equal('busy');
    await dialer.hangUp();
    expect(dialer.state.call.is).to.equal('ended');
    expect(page.details.get('callend')?.detail.call.outcome).to.equal('cancelled');
    expect(page.events).not.to.include('callfail');
    expect(await codeOf(dialer.call('twelve'))).to.equal('invalid-number');
    expect(await codeOf(dialer.call('0900000200', { externalCallId: 'A\r\nX: 1' }))).to.equal(
      'configuration',
    );
    expect(await codeOf(dialer.answer())).to.equal('not-ready');
  });

  it('lets the page veto a call', async () => {
    const page = await openReady();
    page.dialer.addEventListener('dialer-beforecall', (event) => event.preventDefault(), { once: true });
    expect(await codeOf(page.dialer.call('0912345678'))).to.equal('call-rejected');
    expect(sdk().told).to.deep.equal([]);
  });

  it('calls the number that the page puts in the place of the one it has vetoed', async () => {
    const { dialer } = await openReady();
    const calls: Promise<void>[] = [];
    dialer.addEventListener('dialer-beforecall', (event) => {
      if (event.detail.number !== '0912345678') return;
      event.preventDefault();
      calls.push(dialer.call('0987654321'));
    });
    expect(await codeOf(settled(dialer.call('0912345678')))).to.equal('call-rejected');
    await settled(Promise.all(calls));
    expect(sdk().told).to.deep.equal(['makeCall 0987654321 842899990001']);
  });

  it('says so when the broker wants a sign-in, and connects once there is one', async () => {
    const page = await openDialer({}, { 'POST session': unauthorized() });
    await reaches(page.dialer, 'failed');
    await expect(page.dialer).to.be.accessible();
    expect(textOf(page.dialer)).to.include('You are not signed in');
    expect(page.details.get('error')?.detail.error.code).to.equal('broker-unauthorized');
    page.broker.on('POST session', () => session());
    await press(page.dialer, 'Try again');
    await reaches(page.dialer, 'ready');
  });

  it('asks again for a page that signed in while the dialer was connecting', async () => {
    const first = pending<Response>();
    const { broker, dialer } = await openDialer({}, { 'POST session': () => first.promise });
    await until(() => broker.count('POST session') === 1, 'the first request');
    broker.on('POST session', () => session());
    const connecting = dialer.connect();
    first.resolve(unauthorized());
    await settled(connecting);
    expect(dialer.state.status).to.equal('ready');
    expect(broker.count('POST session')).to.equal(2);
  });

  it('says that nobody is signed in where that is so, after one more request', async () => {
    const first = pending<Response>();
    const { broker, dialer } = await openDialer({}, { 'POST session': () => first.promise });
    await until(() => broker.count('POST session') === 1, 'the first request');
    broker.on('POST session', () => unauthorized());
    const connecting = codeOf(dialer.connect());
    first.resolve(unauthorized());
    expect(await settled(connecting)).to.equal('broker-unauthorized');
    expect(broker.count('POST session')).to.equal(2);
  });

  it('sends the headers the page wants the broker to see', async () => {
    const page = await openDialer({ 'connect-mode': 'manual', 'broker-credentials': 'include' });
    page.dialer.brokerHeaders = async () => ({ Authorization: 'Bearer partner' });
    await settled(page.dialer.connect());
    expect(page.broker.asked[0]?.headers.get('Authorization')).to.equal('Bearer partner');
    expect(page.broker.asked[0]?.credentials).to.equal('include');
  });

  it('asks the broker when the SDK gives no usable reason', async () => {
    const page = await openReady();
    page.broker.on('GET status', () => readiness({ blockers: ['insufficient-funds'] }));
    await page.dialer.call('0912345678');
    sdk().end('SIP Failure Code');
    await reaches(page.dialer, 'blocked');
    expect(page.details.get('callfail')?.detail.code).to.equal('insufficient-funds');
  });

  it('tells the balance after a call, and that it is used up', async () => {
    const page = await openReady();
    page.broker.on('GET status', () =>
      readiness({ member: { ...MEMBER, balance: -40 }, blockers: ['insufficient-funds'] }),
    );
    await talkOn(page.dialer);
    sdk().end();
    await reaches(page.dialer, 'blocked');
    expect(textOf(page.dialer)).to.include('Balance: -40 ₫');
    expect(page.details.get('callend')?.detail.call.outcome).to.equal('answered');
  });
});

function unauthorized(): Response {
  return json({ code: 'broker-unauthorized' }, 401);
}

interface Pending<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
}

function pending<T>(): Pending<T> {
  const settles: ((value: T) => void)[] = [];
  const promise = new Promise<T>((settle) => {
    settles.push(settle);
  });
  return { promise, resolve: (value) => settles[0]?.(value) };
}
