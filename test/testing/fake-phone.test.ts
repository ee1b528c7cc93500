import { expect } from '@open-wc/testing';
import { BLOCKERS } from '../../src/broker/contract.ts';
import { DIALER_ERROR_CODES } from '../../src/errors.ts';
import '../../src/index.ts';
import type { PartnerDialer } from '../../src/index.ts';
import { fakePhone, type FakePhone, type FakePhoneOptions } from '../../src/testing/fake-phone.ts';
import { passTime, settled, until } from '../support/clock.ts';
import { codeOf } from '../support/code-of.ts';
import { playLocks } from '../support/locks.ts';

playLocks();

const NUMBER = '0900000200';

/** What a test could find changed. */
const page = () => ({
  fetch: globalThis.fetch,
  socket: globalThis.WebSocket,
  query: navigator.permissions.query,
  devices: navigator.mediaDevices.enumerateDevices,
  microphone: navigator.mediaDevices.getUserMedia,
  globals: Object.keys(globalThis).join(),
  scripts: document.scripts.length,
});

describe('a fake phone in a test of a partner', () => {
  let phone: FakePhone;
  let dialer: PartnerDialer;
  let ended: string[];
  let found: ReturnType<typeof page>;
  before(async () => {
    // Lit and zod come with it, and have globals of their own.
    await import('../../src/element/phone.ts');
    found = page();
  });

  function expectUnchanged(): void {
    const now = page();
    const changed = Object.entries(found).filter(([name, value]) => Reflect.get(now, name) !== value);
    expect(changed.map(([name]) => name).join()).to.equal('');
  }

  function open(options?: FakePhoneOptions): void {
    phone = fakePhone(options);
    dialer = insert(phone);
  }

  function insert({ brokerUrl, sdkUrl }: FakePhone): PartnerDialer {
    const element = document.createElement('partner-dialer');
    Object.assign(element, { brokerUrl, sdkUrl });
    ended = [];
    element.addEventListener('dialer-callend', ({ detail }) => ended.push(detail.call.outcome ?? ''));
    document.body.append(element);
    return element;
  }

  const reaches = (status: string) =>
    until(() => dialer.state.status === status, `${status} instead of ${dialer.state.status}`);

  afterEach(async () => {
    dialer.remove();
    phone.restore();
    await passTime(1500);
    expectUnchanged();
  });

  it('has a dialer that is ready, with nothing loaded', async () => {
    open();
    await reaches('ready');
    expect(phone.requests).to.deep.equal(['session']);
    expect(dialer.member?.memberNo).to.equal('agent001');
    expect(dialer.hotlines.map(({ number }) => number)).to.deep.equal(['842899990001']);
    expect(
      performance
        .getEntriesByType('resource')
        .filter(({ name }) => name.includes('partner-dialer-fake-phone')),
    ).to.deep.equal([]);
  });

  it('is called by the agent, answered, held, muted, given keys, and hung up', async () => {
    open();
    await reaches('ready');
    await settled(dialer.call(NUMBER, { name: 'An', externalCallId: 'deal1' }));
    expect(phone.calls.at(-1)).to.include({
      direction: 'outgoing',
      state: 'ringing',
      externalCallId: 'deal1',
    });
    expect(phone.calls.at(-1)?.number).to.match(/900000200$/);
    phone.answer();
    await reaches('in-call');
    await settled(dialer.setHeld(true));
    expect(phone.calls.at(-1)?.isHeld).to.equal(true);
    await settled(dialer.setHeld(false));
    await settled(dialer.setMuted(true));
    expect(phone.calls.at(-1)?.isMuted).to.equal(true);
    await settled(dialer.sendDtmf('12#'));
    expect(phone.calls.at(-1)?.dtmf).to.equal('12#');
    phone.hangUp();
    await until(() => ended.length === 1, 'the end of the call');
    expect(ended).to.deep.equal(['answered']);
    expect(phone.calls.at(-1)).to.include({ state: 'ended', endedBy: 'far-end' });
  });

  it('rings, and the agent answers and hangs up', async () => {
    open();
    await reaches('ready');
    phone.ring('84901234567', { name: 'Trần Văn Bình' });
    await reaches('incoming');
    expect(dialer.state.call).to.have.nested.property('info.name', 'Trần Văn Bình');
    await settled(dialer.answer());
    expect(phone.calls.at(-1)?.state).to.equal('answered');
    await settled(dialer.hangUp());
    expect(phone.calls.at(-1)).to.include({ state: 'ended', endedBy: 'agent' });
    expect(ended).to.deep.equal(['answered']);
  });

  it('rings in vain: missed, and declined', async () => {
    open();
    await reaches('ready');
    phone.ring('84901234567');
    await reaches('incoming');
    phone.hangUp();
    await until(() => ended.length === 1, 'the missed call');
    phone.ring('84901234567');
    await reaches('incoming');
    await settled(dialer.reject());
    expect(ended).to.deep.equal(['missed', 'declined']);
  });

  for (const [status, outcome] of [
    [486, 'busy'],
    [480, 'no-answer'],
    [404, 'wrong-number'],
    [503, 'exchange-trouble'],
  ] as const) {
    it(`refuses with ${status}: ${outcome}`, async () => {
      open();
      await reaches('ready');
      await settled(dialer.call(NUMBER));
      phone.refuse(status);
      await until(() => ended.length === 1, 'the end of the call');
      expect(ended).to.deep.equal([outcome]);
      expect(phone.calls.at(-1)?.status).to.equal(status);
    });
  }

  it('refuses with 402, and the member is without money until the phone is ready again', async () => {
    open();
    await reaches('ready');
    await settled(dialer.call(NUMBER));
    phone.refuse(402);
    await reaches('blocked');
    expect(ended).to.deep.equal(['insufficient-funds']);
    await passTime(5000);
    expect(dialer.state.block).to.include({ is: 'blocked', reason: 'insufficient-funds' });
    await settled(phone.setReady());
    await reaches('ready');
    await settled(dialer.call(NUMBER));
  });

  for (const reason of BLOCKERS) {
    it(`has a member who cannot call: ${reason}, until it is ready`, async () => {
      open({ blockers: [reason] });
      // The browser may take a moment to free the phone of the test before.
      const isBlocked = ({ block }: PartnerDialer['state']) =>
        block.is === 'blocked' && block.reason === reason;
      await until(() => isBlocked(dialer.state), reason);
      const code = DIALER_ERROR_CODES.find((one) => one === reason) ?? 'not-ready';
      expect(await codeOf(settled(dialer.call(NUMBER)))).to.equal(code);
      await settled(phone.setReady());
      await reaches('ready');
      await settled(dialer.call(NUMBER));
      phone.hangUp();
      await until(() => ended.length === 1, 'the end of the call');
      await settled(phone.setBlocked(reason));
      await reaches('blocked');
    });
  }

  it('loses its connection and gets it back', async () => {
    open();
    await reaches('ready');
    phone.loseSocket();
    await until(() => dialer.state.line.is === 'lost', 'a lost connection');
    expect(() => phone.ring('84901234567')).to.throw('lost');
    await settled(phone.setReady());
    await reaches('ready');
  });

  for (const [microphone, code] of [
    ['denied', 'microphone-denied'],
    ['missing', 'microphone-missing'],
  ] as const) {
    it(`has a microphone that is ${microphone}`, async () => {
      open({ microphone });
      await until(() => dialer.state.line.is === 'up', 'the connection');
      expect(await codeOf(settled(dialer.call(NUMBER)))).to.equal(code);
    });
  }

  it('is restored in the middle of a call: the call ends, and so does the phone', async () => {
    open();
    await reaches('ready');
    await settled(dialer.call(NUMBER));
    phone.answer();
    await reaches('in-call');
    phone.restore();
    phone.restore();
    await until(() => ended.length === 1, 'the end of the call');
    expect(() => phone.ring('84901234567')).to.throw('create a new one');
    expectUnchanged();
  });

  it('follows another one, again and again', async () => {
    for (let round = 0; round < 3; round += 1) {
      open();
      await reaches('ready');
      phone.ring('84901234567');
      await reaches('incoming');
      dialer.remove();
      phone.restore();
    }
  });

  it('stands beside another one, and each is restored in any order', async () => {
    open();
    await reaches('ready');
    const other = fakePhone({ blockers: ['no-hotline'] });
    expect(other.brokerUrl).not.to.equal(phone.brokerUrl);
    const answer = await (await fetch(other.brokerUrl, { method: 'POST' })).json();
    expect(answer.blockers).to.deep.equal(['no-hotline']);
    phone.restore();
    expect((await fetch(other.brokerUrl, { method: 'POST' })).status).to.equal(200);
    other.restore();
    expect(globalThis.fetch).to.equal(found.fetch);
  });

  it('has two dialers on one page as the SDK has: the second one is refused, until the first is gone', async () => {
    open();
    await reaches('ready');
    const second = insert(phone);
    const third = insert(phone);
    await until(() => hasFailed(second) && hasFailed(third), 'the refusals');
    expect(second.state.line).to.have.nested.property('error.code', 'active-elsewhere');
    expect(dialer.state.status).to.equal('ready');
    second.remove();
    await passTime(5000);
    expect(hasFailed(third), 'while the phone is taken').to.equal(true);
    dialer.remove();
    await until(() => third.state.status === 'ready', 'the phone');
    third.remove();
    await passTime(5000);
    expect(second.state.status, 'what is not in the page').to.equal('idle');
  });

  it('leaves the requests of the page alone', async () => {
    open();
    expect((await fetch(location.href)).url).to.equal(location.href);
    const refused = await fetch('http://').then(
      () => '',
      (error: unknown) => (error instanceof TypeError ? 'TypeError' : ''),
    );
    expect(refused).to.equal('TypeError');
  });

  it('says what a test does too early', async () => {
    open();
    expect(() => phone.ring('84901234567')).to.throw('dialer-ready');
    await reaches('ready');
    expect(() => phone.answer()).to.throw('no outgoing call');
    expect(() => phone.hangUp()).to.throw('no call');
  });
});

function hasFailed({ state }: PartnerDialer): boolean {
  return state.line.is === 'failed';
}
