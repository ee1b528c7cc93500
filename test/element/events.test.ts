/** Every event of the reference with all that its `detail` holds, as a listener on `document` gets it. */
import { expect } from '@open-wc/testing';
import { EVENTS } from '../../src/element/public-names.ts';
import type { CallInfo, DialerEventMap } from '../../src/index.ts';
import type { FakeSession } from '../support/fake-vbot.ts';
import { HOTLINES, MEMBER, json, memberWith, readiness } from '../support/fake-broker.ts';
import { FakeVbot } from '../support/fake-vbot.ts';
import { openDialer, openReady, passTime, press, reaches, ringOn, sdk, until } from '../support/dialer.ts';

const CUSTOMER = { code: 'KH-7', name: 'Lê Văn Hùng', context: 'Đơn 42' };
const TALK_MS = 61_000;

/** Both directions without a loss, as the browser's counters say it. */
function clearAudio(): RTCPeerConnection {
  let seconds = 0;
  const getStats = async () => {
    seconds += 2;
    const packets = seconds * 50;
    const audio = { kind: 'audio', codecId: 'codec' };
    const entries = [
      { id: 'codec', type: 'codec', mimeType: 'audio/PCMU' },
      { id: 'in', type: 'inbound-rtp', ...audio, packetsReceived: packets, packetsLost: 0, jitter: 0.002 },
      { id: 'out', type: 'outbound-rtp', ...audio, packetsSent: packets },
      { id: 'mic', type: 'media-source', ...audio, totalAudioEnergy: seconds, totalSamplesDuration: seconds },
      {
        id: 'remote',
        type: 'remote-inbound-rtp',
        ...audio,
        timestamp: seconds,
        packetsLost: 0,
        jitter: 0.002,
        roundTripTime: 0.04,
      },
    ];
    return new Map(entries.map((entry) => [entry.id, entry]));
  };
  const connection = new EventTarget();
  const parts = { getStats, getSenders: () => [], getReceivers: () => [], connectionState: 'connected' };
  return Object.assign(connection, parts) as unknown as RTCPeerConnection;
}

const QUALITY = { mos: 4.4, worstMos: 4.4, lossPercent: 0, jitterMs: 2, roundTripMs: 40 };

describe('what an event tells', () => {
  let heard: CustomEvent[];
  let listening: AbortController;
  beforeEach(() => {
    heard = [];
    listening = new AbortController();
    const note = (event: Event) => heard.push(event as CustomEvent);
    for (const name of Object.keys(EVENTS))
      document.addEventListener(name, note, { signal: listening.signal });
  });
  afterEach(() => listening.abort());

  const named = <Name extends keyof DialerEventMap>(name: Name) =>
    heard.filter(({ type }) => type === name) as DialerEventMap[Name][];
  /** Of the only one of that name; as a page logs it, without what is not known. */
  const detailOf = <Name extends keyof DialerEventMap>(name: Name) => {
    const [event, ...more] = named(name);
    if (!event || more.length > 0) throw new Error(`${more.length + (event ? 1 : 0)} times ${name}`);
    return JSON.parse(JSON.stringify(event.detail)) as DialerEventMap[Name]['detail'];
  };
  const order = () =>
    heard.map(({ type }) => type.replace('dialer-', '')).filter((name) => name !== 'statechange');

  it('of an answered call out is all of it, in each event, and in each state', async () => {
    FakeVbot.onBoot = (vbot) =>
      vbot.register(HOTLINES.map(({ name, number }) => ({ name, phoneNumber: number })));
    const { dialer } = await openReady({ hotline: HOTLINES[1].number });
    dialer.lookup = () => [CUSTOMER];
    expect(detailOf('dialer-ready')).to.deep.equal({ hotlines: HOTLINES });
    const startedAt = Date.now();
    dialer.externalCallId = 'deal42';
    await dialer.call('0912 345 678', { hotline: HOTLINES[0].number });
    await until(() => named('dialer-customer').length > 0, 'the customer');
    expect(detailOf('dialer-beforecall')).to.deep.equal({
      number: '0912345678',
      hotline: HOTLINES[0].number,
      externalCallId: 'deal42',
    });
    const { call } = detailOf('dialer-callstart');
    expect(call.startedAt - startedAt).to.be.within(0, 2000);
    const begun: CallInfo = {
      id: 'out-1',
      direction: 'outgoing',
      number: '0912345678',
      hotline: HOTLINES[0].number,
      externalCallId: 'deal42',
      startedAt: call.startedAt,
    };
    expect(call).to.deep.equal(begun);
    const known = { ...begun, name: CUSTOMER.name, customer: CUSTOMER, customers: [CUSTOMER] };
    expect(detailOf('dialer-customer')).to.deep.equal({ call: known, customers: [CUSTOMER] });
    (sdk().session as { connection: FakeSession['connection'] | RTCPeerConnection }).connection =
      clearAudio();
    sdk().accept();
    await reaches(dialer, 'in-call');
    const { answeredAt = 0 } = detailOf('dialer-callconnect').call;
    expect(answeredAt - call.startedAt).to.be.within(0, 3000);
    expect(detailOf('dialer-callconnect')).to.deep.equal({ call: { ...known, answeredAt } });
    await passTime(TALK_MS);
    expect(detailOf('dialer-quality')).to.deep.equal({ mos: 4.4, level: 'good', warnings: [] });
    await dialer.hangUp();
    const { call: ended } = detailOf('dialer-callend');
    expect(ended.durationMs).to.be.within(TALK_MS, TALK_MS + 3000);
    expect(ended).to.deep.equal({
      ...known,
      answeredAt,
      outcome: 'answered',
      endedAt: answeredAt + ended.durationMs,
      durationMs: ended.durationMs,
      quality: QUALITY,
    });
    expect(order()).to.deep.equal([
      'ready',
      'beforecall',
      'callstart',
      'customer',
      'callconnect',
      'quality',
      'callend',
    ]);
    const states = named('dialer-statechange');
    for (const [index, { detail }] of states.entries()) {
      expect(Object.keys(detail)).to.deep.equal(['state', 'previous']);
      if (index > 0) expect(detail.previous).to.equal(states[index - 1]?.detail.state);
    }
    expect(states.at(-1)?.detail.state).to.equal(dialer.state);
    expect(states[0]?.detail.previous.status).to.equal('idle');
  });

  it('cannot be written to: the card and the call log show the same call', async () => {
    const { dialer } = await openReady();
    const refused: string[] = [];
    dialer.addEventListener('dialer-callincoming', ({ detail: { call } }) => {
      if (!Reflect.set(call, 'name', 'Nobody')) refused.push('name');
    });
    await ringOn(dialer, '0987654321', 'Lan');
    expect(refused).to.deep.equal(['name']);
    expect(dialer.state.call.is === 'incoming' && dialer.state.call.info.name).to.equal('Lan');
  });

  it('of a call that rings and is missed is who called, and no time of an answer', async () => {
    const { dialer } = await openReady();
    await ringOn(dialer, '0987654321', 'Lan');
    const { call } = detailOf('dialer-callincoming');
    const rings = { id: 'in-1', direction: 'incoming', number: '0987654321', name: 'Lan' } as const;
    expect(call).to.deep.include({ ...rings, startedAt: call.startedAt });
    expect([call.answeredAt, call.outcome, call.hotline]).to.deep.equal([undefined, undefined, undefined]);
    sdk().end('Cuộc gọi đã bị hủy');
    await reaches(dialer, 'ended');
    const { call: ended } = detailOf('dialer-callend');
    const { endedAt } = ended;
    expect(ended).to.deep.equal({ ...call, outcome: 'missed', endedAt, durationMs: 0 });
    expect(endedAt).to.be.at.least(call.startedAt);
    expect(order()).to.deep.equal(['ready', 'callincoming', 'callend']);
  });

  it('of a call that failed is the code, the vendor’s words, and how sure that is', async () => {
    const { dialer } = await openReady();
    for (const [words, code, outcome, confidence] of [
      ['Thuê bao đang bận', 'call-rejected', 'busy', 'likely'],
      ['Nobody has seen these words', 'call-rejected', 'failed', 'unknown'],
    ] as const) {
      heard = [];
      await dialer.call('0912345678');
      sdk().end(words);
      await until(() => named('dialer-callend').length > 0, 'the end');
      const { call, ...detail } = detailOf('dialer-callfail');
      expect(detail, words).to.deep.equal({ code, reason: words, confidence });
      expect(call.outcome, words).to.equal(outcome);
      expect(detailOf('dialer-callend').call).to.deep.equal({ ...call, durationMs: 0 });
    }
  });

  it('of a block is the reason and who said it; of a request for help, who asks, and a way to answer', async () => {
    const answers = { 'insufficient-funds': 'topuprequest', 'no-hotline': 'hotlinerequest' } as const;
    for (const [reason, name] of Object.entries(answers)) {
      heard = [];
      const page = await openDialer({}, memberWith({ blockers: [reason] }));
      await reaches(page.dialer, 'blocked');
      expect(detailOf('dialer-blocked')).to.deep.equal({ reason, source: 'broker' });
      page.dialer.addEventListener(`dialer-${name}`, (event) => event.preventDefault());
      await press(page.dialer, name === 'topuprequest' ? 'Ask for a top-up' : 'Ask for a caller number');
      expect(detailOf(`dialer-${name}`), reason).to.deep.equal({ memberNo: MEMBER.memberNo });
      named(`dialer-${name}`)[0]?.detail.done('ask-admin');
      const notice = () =>
        page.dialer.state.block.is === 'blocked' ? page.dialer.state.block.notice : undefined;
      await until(() => notice() === 'ask-admin', 'what came of it');
      await page.close();
    }
  });

  it('of the broker, where only it knows why a call failed, is likely', async () => {
    const page = await openReady();
    page.broker.on('GET status', () =>
      readiness({ member: { ...MEMBER, balance: 0 }, blockers: ['insufficient-funds'] }),
    );
    await page.dialer.call('0912345678');
    sdk().end('Cuộc gọi thất bại');
    await reaches(page.dialer, 'blocked');
    const { call, ...detail } = detailOf('dialer-callfail');
    expect(detail).to.deep.equal({
      code: 'insufficient-funds',
      reason: 'Cuộc gọi thất bại',
      confidence: 'likely',
    });
    expect(call.outcome).to.equal('insufficient-funds');
  });

  it('of a failure is a DialerError with its code, which the page can switch by', async () => {
    const { dialer } = await openDialer({}, { 'POST session': () => json({}, 403) });
    await reaches(dialer, 'failed');
    const [event] = named('dialer-error');
    const { line } = dialer.state;
    expect(Object.keys(event?.detail ?? {})).to.deep.equal(['error']);
    const error = event?.detail.error;
    expect([error?.name, error?.code]).to.deep.equal(['DialerError', 'broker-unauthorized']);
    expect(line.is === 'failed' && line.error).to.equal(error);
  });

  it('leaves the shadow root of a page around the dialer, too', async () => {
    const page = await openDialer({ 'connect-mode': 'manual' });
    const box = document.createElement('div');
    document.body.append(box);
    box.attachShadow({ mode: 'open' }).append(page.dialer);
    await page.dialer.connect().catch(() => undefined);
    await reaches(page.dialer, 'ready');
    await page.dialer.call('0912345678');
    sdk().end();
    await until(() => named('dialer-callend').length > 0, 'the end');
    expect(order()).to.deep.equal(['ready', 'beforecall', 'callstart', 'callfail', 'callend']);
    for (const event of heard) {
      expect([event.type, event.bubbles, event.composed]).to.deep.equal([event.type, true, true]);
    }
    box.remove();
  });
});
