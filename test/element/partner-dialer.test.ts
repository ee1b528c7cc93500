import { expect } from '@open-wc/testing';
import { FakeVbot } from '../support/fake-vbot.ts';
import { MEMBER, json, readiness, session } from '../support/fake-broker.ts';
import {
  codeOf,
  openDialer,
  press,
  reaches,
  sdk,
  settled,
  textOf,
  until,
  type DialerPage,
} from '../support/dialer.ts';

describe('a dialer on a page', () => {
  let page: DialerPage;
  afterEach(() => page.close());

  it('is ready once the broker and the SDK have answered', async () => {
    page = await openDialer();
    await reaches(page.dialer, 'ready');
    await expect(page.dialer).to.be.accessible();
    expect(textOf(page.dialer))
      .to.include('Ready')
      .and.include('Nguyễn Thị An · 101')
      .and.include('12.500 ₫');
    expect(page.events).to.deep.equal(['ready']);
    expect(page.dialer.member).to.deep.equal(MEMBER);
    expect(page.dialer.hotlines).to.have.length(1);
  });

  it('has drawn itself when updateComplete says so, each time it draws something new', async () => {
    page = await openDialer();
    const shown = () => page.dialer.shadowRoot?.querySelector('.card')?.textContent ?? '';
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

  it('calls the number typed, shows the conversation, and ends with one callend', async () => {
    page = await openDialer();
    const { dialer } = page;
    await reaches(dialer, 'ready');
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
    expect(textOf(dialer)).to.match(/Answered · 00:0\d · 0912 345 678/);
  });

  it('settles call, answer and hangUp with what really happened', async () => {
    page = await openDialer();
    const { dialer } = page;
    await reaches(dialer, 'ready');
    await dialer.call('+84 912.345.678', { externalCallId: 'crm42' });
    expect(sdk().told).to.deep.equal(['makeCall 0912345678 842899990001 crm42']);
    expect(dialer.state.status).to.equal('dialing');
    await rejectsWith(dialer.call('0900000200'), 'busy');
    await dialer.hangUp();
    expect(dialer.state.call.is).to.equal('ended');
    expect(page.details.get('callend')?.detail.call.outcome).to.equal('cancelled');
    expect(page.events).not.to.include('callfail');
    await rejectsWith(dialer.call('twelve'), 'invalid-number');
    await rejectsWith(dialer.call('0900000200', { externalCallId: 'A\r\nX: 1' }), 'configuration');
    await rejectsWith(dialer.answer(), 'not-ready');
  });

  it('lets the page veto a call', async () => {
    page = await openDialer();
    await reaches(page.dialer, 'ready');
    page.dialer.addEventListener('dialer-beforecall', (event) => event.preventDefault(), { once: true });
    await rejectsWith(page.dialer.call('0912345678'), 'call-rejected');
    expect(sdk().told).to.deep.equal([]);
  });

  it('rings, and is answered or declined', async () => {
    page = await openDialer();
    const { dialer } = page;
    await reaches(dialer, 'ready');
    sdk().ring('0987654321', 'Trần Văn Bình');
    await reaches(dialer, 'incoming');
    await expect(dialer).to.be.accessible();
    expect(textOf(dialer)).to.include('0987 654 321').and.include('Trần Văn Bình');
    expect(
      dialer.shadowRoot?.querySelector<HTMLElement>('.notice')?.offsetHeight,
      'an empty notice',
    ).to.equal(0);
    await press(dialer, 'Answer');
    await reaches(dialer, 'in-call');
    sdk().end();
    await reaches(dialer, 'ended');
    sdk().ring('0987654321');
    await reaches(dialer, 'incoming');
    await press(dialer, 'Decline');
    await until(() => page.details.get('callend')?.detail.call.outcome === 'declined', 'a declined call');
    sdk().ring('0987654321');
    await reaches(dialer, 'incoming');
    sdk().end('Cuộc gọi đã bị hủy');
    await until(() => page.details.get('callend')?.detail.call.outcome === 'missed', 'a missed call');
    expect(page.events).not.to.include('callfail');
    expect(page.events.filter((name) => name === 'callend')).to.have.length(3);
  });

  it('mutes, holds and sends keys in a call', async () => {
    page = await openDialer();
    const { dialer } = page;
    await reaches(dialer, 'ready');
    await dialer.call('0900000200');
    sdk().accept();
    await reaches(dialer, 'in-call');
    await press(dialer, 'Mute');
    await until(() => sdk().session.muted, 'muted');
    await press(dialer, 'Mute');
    await until(() => !sdk().session.muted, 'unmuted');
    await press(dialer, 'Hold');
    expect(sdk().session.held).to.equal(true);
    expect(textOf(dialer)).to.include('On hold');
    await press(dialer, 'Hold');
    await press(dialer, 'Keys');
    await expect(dialer).to.be.accessible();
    await press(dialer, '5');
    await press(dialer, '#');
    expect(sdk().told.slice(1)).to.deep.equal(['sendDTMF 5', 'sendDTMF #']);
    expect(dialer.shadowRoot?.querySelector('output')?.textContent).to.equal('5#');
  });

  it('says so when the broker wants a sign-in, and connects once there is one', async () => {
    page = await openDialer({}, (broker) => broker.on('POST session', unauthorized()));
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
    page = await openDialer({}, (broker) => broker.on('POST session', () => first.promise));
    const { broker, dialer } = page;
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
    page = await openDialer({}, (broker) => broker.on('POST session', () => first.promise));
    const { broker, dialer } = page;
    await until(() => broker.count('POST session') === 1, 'the first request');
    broker.on('POST session', () => unauthorized());
    const connecting = codeOf(dialer.connect());
    first.resolve(unauthorized());
    expect(await settled(connecting)).to.equal('broker-unauthorized');
    expect(broker.count('POST session')).to.equal(2);
  });

  it('gives whoever helps the id under which the broker has logged the request', async () => {
    page = await openDialer({}, (broker) =>
      broker.on('POST session', json({ code: 'vendor-unreachable', requestId: 'req-7' }, 503)),
    );
    await reaches(page.dialer, 'failed');
    let copied = '';
    const clipboard = { writeText: async (text: string) => void (copied = text) };
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: clipboard });
    try {
      await press(page.dialer, 'Copy details');
      await until(() => copied !== '', 'the copied text');
    } finally {
      Reflect.deleteProperty(navigator, 'clipboard');
    }
    expect(copied).to.include('request: req-7').and.include('code: PD-VENDOR');
  });

  it('shows what the SDK refused, and a retry boots it anew', async () => {
    FakeVbot.onBoot = (vbot) => vbot.refuse();
    page = await openDialer();
    await reaches(page.dialer, 'failed');
    expect(textOf(page.dialer)).to.include('did not accept your sign-in');
    FakeVbot.onBoot = (vbot) => vbot.register();
    await press(page.dialer, 'Try again');
    await reaches(page.dialer, 'ready');
  });

  it('keeps the token out of reach of the page', async () => {
    page = await openDialer({}, (broker) =>
      broker.on('POST session', () => session({ token: 'secret-token' })),
    );
    await reaches(page.dialer, 'ready');
    expect(sdk().getAttribute('token')).to.equal('secret-token');
    expect(document.documentElement.getHTML({ serializableShadowRoots: true })).not.to.include(
      'secret-token',
    );
    expect(document.querySelector('vbot-widget')).to.equal(null);
    expect(JSON.stringify(page.dialer.state)).not.to.include('secret-token');
  });

  it('sends the headers the page wants the broker to see', async () => {
    page = await openDialer({ 'connect-mode': 'manual', 'broker-credentials': 'include' });
    page.dialer.brokerHeaders = async () => ({ Authorization: 'Bearer partner' });
    await page.dialer.connect();
    expect(page.broker.asked[0]?.headers.get('Authorization')).to.equal('Bearer partner');
    expect(page.broker.asked[0]?.credentials).to.equal('include');
  });

  it('asks the broker when the SDK gives no usable reason', async () => {
    page = await openDialer();
    await reaches(page.dialer, 'ready');
    page.broker.on('GET status', () => readiness({ blockers: ['insufficient-funds'] }));
    await page.dialer.call('0912345678');
    sdk().end('SIP Failure Code');
    await reaches(page.dialer, 'blocked');
    expect(page.details.get('callfail')?.detail.code).to.equal('insufficient-funds');
  });

  it('tells the balance after a call, and that it is used up', async () => {
    page = await openDialer();
    await reaches(page.dialer, 'ready');
    page.broker.on('GET status', () =>
      readiness({ member: { ...MEMBER, balance: -40 }, blockers: ['insufficient-funds'] }),
    );
    await page.dialer.call('0912345678');
    sdk().accept();
    await reaches(page.dialer, 'in-call');
    sdk().end();
    await reaches(page.dialer, 'blocked');
    expect(textOf(page.dialer)).to.include('Balance: -40 ₫');
    expect(page.details.get('callend')?.detail.call.outcome).to.equal('answered');
  });

  it('speaks Vietnamese, too', async () => {
    page = await openDialer({ lang: 'vi' });
    await reaches(page.dialer, 'ready');
    expect(textOf(page.dialer)).to.include('Sẵn sàng').and.include('Gọi');
    page.dialer.lang = 'en';
    await page.dialer.updateComplete;
    expect(textOf(page.dialer)).to.include('Ready');
  });
});

async function rejectsWith(promise: Promise<unknown>, code: string): Promise<void> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).to.have.property('code', code);
}

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
