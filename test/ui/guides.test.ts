import { expect } from '@open-wc/testing';
import { FakeVbot } from '../support/fake-vbot.ts';
import { MEMBER, json, readiness, session } from '../support/fake-broker.ts';
import {
  codeOf,
  openDesk,
  passTime,
  press,
  reaches,
  sdk,
  textOf,
  until,
  type DialerPage,
} from '../support/dialer.ts';

const FUNDS = 'Your call balance is used up. An admin has to add money before you can call.';
const HOTLINE = 'You have no caller number yet. An admin has to assign one.';
const BROKE = { member: { ...MEMBER, balance: 0 }, blockers: ['insufficient-funds'] };

const problem = (code: string, status: number) => json({ code }, status, 'application/problem+json');

describe('the guide of an agent without money', () => {
  let desk: DialerPage;
  afterEach(() => desk.close());

  it('says what is wrong, who can fix it and what to press', async () => {
    desk = await openDesk({}, (broker) => broker.on('POST session', () => session(BROKE)));
    await reaches(desk.dialer, 'blocked');
    await expect(desk.dialer).to.be.accessible();
    const text = textOf(desk.dialer);
    expect(text).to.include(FUNDS).and.include('Who can fix it: your admin').and.include('Balance: 0 ₫');
    expect(text).to.include('Ask for a top-up').and.include('Check again').and.include('PD-402');
    expect(desk.details.get('blocked')?.detail).to.deep.equal({
      reason: 'insufficient-funds',
      source: 'broker',
    });
  });

  const SOURCES: readonly (readonly [string, () => Response])[] = [
    ['a blocker with the token', () => session(BROKE)],
    ['HTTP 402', () => new Response('', { status: 402 })],
    ['HTTP 402 with a problem', () => problem('insufficient-funds', 402)],
    ['the vendor envelope with error 402', () => json({ error: 402, message: 'Hết tiền', data: null })],
    ['a problem with the code', () => problem('insufficient-funds', 403)],
  ];
  for (const [source, answer] of SOURCES) {
    it(`comes when the broker says so by ${source}, and leads to the call once it is fixed`, async () => {
      desk = await openDesk({}, (broker) => broker.on('POST session', answer));
      await reaches(desk.dialer, 'blocked');
      expect(textOf(desk.dialer)).to.include(FUNDS);
      expect(await codeOf(desk.dialer.call('0912345678'))).to.equal('insufficient-funds');
      await desk.dialer.updateComplete;
      expect(textOf(desk.dialer)).to.include('Then: call 0912 345 678');
      desk.broker.on('POST session', () => session());
      await press(desk.dialer, 'Check again');
      await until(() => textOf(desk.dialer).includes('You can call again'), 'the way out');
      await until(() => desk.dialer.state.line.is === 'up', 'a line');
      await press(desk.dialer, 'Call 0912 345 678');
      await until(() => desk.dialer.state.call.is === 'dialing', 'the call');
      expect(sdk().told.at(-1)).to.include('makeCall 0912345678');
    });
  }

  for (const text of ['Payment Required', 'Tài khoản không đủ số dư', 'tai khoan het tien']) {
    it(`comes when a call ends with "${text}", and keeps the number`, async () => {
      desk = await openDesk();
      const { dialer, broker } = desk;
      await reaches(dialer, 'ready');
      await dialer.call('0912345678');
      sdk().end(text);
      await reaches(dialer, 'blocked');
      await expect(dialer).to.be.accessible();
      expect(desk.heard.slice(-3)).to.deep.equal(['callfail', 'callend', 'blocked']);
      expect(desk.details.get('callfail')?.detail).to.include({ code: 'insufficient-funds', reason: text });
      expect(desk.details.get('blocked')?.detail.source).to.equal('call');
      await press(dialer, 'Ask for a top-up');
      await until(() => textOf(dialer).includes('You can call again'), 'the way out');
      expect(broker.count('POST top-up')).to.equal(1);
      await expect(dialer).to.be.accessible();
      await press(dialer, 'Check again');
      expect(textOf(dialer)).to.include('You can call again · 12.500 ₫');
      await press(dialer, 'Call 0912 345 678');
      await reaches(dialer, 'dialing');
    });
  }

  it('recognises 402 by the status of a call that had rung, whatever the words', async () => {
    desk = await openDesk();
    await reaches(desk.dialer, 'ready');
    await desk.dialer.call('0912345678');
    sdk().getCallData = () => ({
      id: 'out-1',
      phoneNumber: '0912345678',
      direction: 'outgoing',
      session: sdk().session,
    });
    await passTime(120);
    const { session: live } = sdk();
    sdk().end('Xin vui lòng liên hệ tổng đài');
    live.emit('failed', { message: { status_code: 402 } });
    await reaches(desk.dialer, 'blocked');
    expect(textOf(desk.dialer)).to.include(FUNDS);
  });

  it('says what came of the request: a reached limit, or nothing changed', async () => {
    desk = await openDesk({}, (broker) => {
      broker.on('POST session', () => session(BROKE));
      broker.on('POST top-up', () => problem('top-up-limit', 429));
      broker.on('GET status', () => readiness(BROKE));
    });
    const { dialer, broker } = desk;
    await reaches(dialer, 'blocked');
    await until(() => dialer.state.line.is === 'up', 'a line');
    await press(dialer, 'Ask for a top-up');
    await until(() => textOf(dialer).includes('Today’s top-up limit is reached'), 'the limit');
    await press(dialer, 'Check again');
    await until(() => textOf(dialer).includes('Nothing has changed yet'), 'no change');
    broker.on('GET status', new TypeError('network down'));
    await press(dialer, 'Check again');
    await until(() => textOf(dialer).includes('The check did not get through'), 'a failed check');
    broker.on('GET status', () => readiness());
    await press(dialer, 'Check again');
    await until(() => textOf(dialer).includes('You can call again'), 'the way out');
    expect(textOf(dialer)).to.include('Back to the keypad');
    await press(dialer, 'Back to the keypad');
    await reaches(dialer, 'ready');
  });

  for (const [code, sentence] of [
    ['top-up-off', 'Top-ups are switched off here'],
    ['top-up-later', 'The top-up cannot be made right now'],
    ['top-up-refused', 'The phone service refused the top-up'],
    ['top-up-admin-short', 'The company account is short of money'],
  ]) {
    it(`tells an agent whose request comes back as ${code} why`, async () => {
      desk = await openDesk({}, (broker) => {
        broker.on('POST session', () => session(BROKE));
        broker.on('POST top-up', () => problem(code ?? '', 503));
        broker.on('GET status', () => readiness(BROKE));
      });
      await reaches(desk.dialer, 'blocked');
      await press(desk.dialer, 'Ask for a top-up');
      await until(() => textOf(desk.dialer).includes(sentence ?? ''), code ?? '');
    });
  }

  it('lets the page handle the request', async () => {
    desk = await openDesk({}, (broker) => broker.on('POST session', () => session(BROKE)));
    await reaches(desk.dialer, 'blocked');
    desk.dialer.addEventListener('dialer-topuprequest', (event) => event.preventDefault());
    await press(desk.dialer, 'Ask for a top-up');
    await until(() => textOf(desk.dialer).includes('Your request is on its way'), 'the notice');
    expect(desk.broker.count('POST top-up')).to.equal(0);
    expect(desk.details.get('topuprequest')?.detail).to.deep.equal({ memberNo: 'agent001' });
  });

  it('leaves the drawing to a page that takes the guide over', async () => {
    desk = await openDesk({ 'connect-mode': 'manual' }, (broker) =>
      broker.on('POST session', () => session(BROKE)),
    );
    desk.dialer.addEventListener('dialer-blocked', (event) => event.preventDefault());
    await desk.dialer.connect();
    await desk.dialer.updateComplete;
    expect(desk.dialer.state.status).to.equal('blocked');
    expect(textOf(desk.dialer)).not.to.include(FUNDS);
    expect(textOf(desk.dialer)).to.include('You cannot call out yet');
  });

  it('still rings when somebody calls in', async () => {
    desk = await openDesk({}, (broker) => broker.on('POST session', () => session(BROKE)));
    await until(() => desk.dialer.state.line.is === 'up', 'a line');
    sdk().ring('0987654321');
    await reaches(desk.dialer, 'incoming');
    await press(desk.dialer, 'Decline');
    await reaches(desk.dialer, 'blocked');
  });
});

describe('the guide of an agent without a hotline', () => {
  let desk: DialerPage;
  afterEach(() => desk.close());

  it('says what is wrong, who can fix it and what to press', async () => {
    const none = { hotlines: [], blockers: ['no-hotline'] };
    desk = await openDesk({}, (broker) => broker.on('POST session', () => session(none)));
    await reaches(desk.dialer, 'blocked');
    await expect(desk.dialer).to.be.accessible();
    expect(textOf(desk.dialer)).to.include(HOTLINE).and.include('Ask for a caller number');
  });

  it('comes when the SDK finds no hotline; the request brings one, the SDK is booted anew, the number is called', async () => {
    FakeVbot.onBoot = (vbot) => vbot.register([]);
    desk = await openDesk();
    const { dialer } = desk;
    await reaches(dialer, 'blocked');
    expect(desk.details.get('blocked')?.detail).to.deep.equal({ reason: 'no-hotline', source: 'sdk' });
    expect(await codeOf(dialer.call('0912345678'))).to.equal('no-hotline');
    FakeVbot.onBoot = (vbot) => vbot.register();
    const boots = FakeVbot.boots;
    await press(dialer, 'Ask for a caller number');
    await until(() => textOf(dialer).includes('You can call again'), 'the way out');
    expect(FakeVbot.boots).to.equal(boots + 1);
    expect(desk.broker.count('POST hotline')).to.equal(1);
    await press(dialer, 'Call 0912 345 678');
    await until(() => dialer.state.call.is === 'dialing', 'the call');
    expect(sdk().told).to.deep.equal(['makeCall 0912345678 842899990001']);
  });

  it('stays while the SDK still finds none', async () => {
    FakeVbot.onBoot = (vbot) => vbot.register([]);
    desk = await openDesk();
    await reaches(desk.dialer, 'blocked');
    await press(desk.dialer, 'Check again');
    await until(() => textOf(desk.dialer).includes('Nothing has changed yet'), 'no change');
    expect(textOf(desk.dialer)).to.include(HOTLINE);
  });
});

describe('the guide of an agent whose microphone is blocked', () => {
  let desk: DialerPage;
  const { query } = navigator.permissions;
  afterEach(() => {
    navigator.permissions.query = query;
    return desk.close();
  });

  it('tells how to allow it, and calls the number once it is allowed', async () => {
    desk = await openDesk();
    const { dialer } = desk;
    await reaches(dialer, 'ready');
    navigator.permissions.query = async () => ({ state: 'denied' }) as PermissionStatus;
    expect(await codeOf(dialer.call('0912345678'))).to.equal('microphone-denied');
    await reaches(dialer, 'blocked');
    await expect(dialer).to.be.accessible();
    expect(textOf(dialer)).to.include('Allow it in the address bar').and.include('Who can fix it: you');
    navigator.permissions.query = query;
    await press(dialer, 'Check again');
    await until(() => textOf(dialer).includes('You can call again'), 'the way out');
    await press(dialer, 'Call 0912 345 678');
    await reaches(dialer, 'dialing');
  });

  it('understands what the SDK says of it, too', async () => {
    desk = await openDesk();
    await reaches(desk.dialer, 'ready');
    sdk().onMakeCall = () =>
      sdk().say('onError', { message: 'Trình duyệt đang chặn quyền microphone. Hãy cấp quyền.' });
    expect(await codeOf(desk.dialer.call('0912345678'))).to.equal('microphone-denied');
    await reaches(desk.dialer, 'blocked');
    sdk().onMakeCall = () => sdk().say('onError', { message: 'Không tìm thấy thiết bị microphone nào' });
    expect(await codeOf(desk.dialer.call('0912345678'))).to.equal('microphone-missing');
    await until(() => textOf(desk.dialer).includes('No working microphone was found'), 'the other guide');
  });
});

describe('the guide for a reason nobody knows', () => {
  let desk: DialerPage;
  afterEach(() => desk.close());

  for (const reason of ['constructor', 'toString', '__proto__', 'hasOwnProperty', 'no-such-reason']) {
    it(`is the general one for ${reason}`, async () => {
      desk = await openDesk({}, (broker) => broker.on('POST session', () => session({ blockers: [reason] })));
      await reaches(desk.dialer, 'blocked');
      const text = textOf(desk.dialer);
      expect(text).to.include('Your account cannot place calls right now.').and.include('Check again');
      expect(text).to.include(`Code PD-BLOCKED · ${reason}`).and.include('Who can fix it: your admin');
    });
  }
});

describe('a dialer that cannot connect', () => {
  let desk: DialerPage;
  afterEach(() => desk.close());

  it('says that the phone service is down, and that it is the phone service that can fix it', async () => {
    desk = await openDesk({}, (broker) =>
      broker.on('POST session', () => problem('vendor-unreachable', 502)),
    );
    await reaches(desk.dialer, 'failed');
    await expect(desk.dialer).to.be.accessible();
    const text = textOf(desk.dialer);
    expect(text).to.include('The phone service does not answer right now.');
    expect(text).to.include('Who can fix it: the phone service').and.include('PD-vendor-unreachable');
    expect(text).not.to.include('sign-in server');
  });

  it('puts the id of the broker’s request into the copied details, and never a token', async () => {
    const { clipboard } = navigator;
    let copied = '';
    Object.defineProperty(navigator, 'clipboard', {
      configurable: true,
      value: { writeText: async (text: string) => (copied = text) },
    });
    try {
      desk = await openDesk({}, (broker) =>
        broker.on('POST session', () => {
          const refused = problem('vendor-unreachable', 502);
          refused.headers.set('X-Request-Id', 'req-42');
          return refused;
        }),
      );
      await reaches(desk.dialer, 'failed');
      await press(desk.dialer, 'Copy details');
      await until(() => copied !== '', 'the details');
      expect(copied).to.include('code: PD-vendor-unreachable').and.include('request: req-42');
      await until(() => textOf(desk.dialer).includes('Copied'), 'a word about it');
    } finally {
      Object.defineProperty(navigator, 'clipboard', { configurable: true, value: clipboard });
    }
  });
});
