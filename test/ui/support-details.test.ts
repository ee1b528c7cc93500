import { expect } from '@open-wc/testing';
import { DialerError } from '../../src/errors.ts';
import { supportDetails } from '../../src/ui/support-details.ts';
import { INITIAL_STATE } from '../../src/dialer/state/state.ts';
import { openDialer, openReady, press, reaches, sdk, until } from '../support/dialer.ts';
import { json, MEMBER, readiness, session } from '../support/fake-broker.ts';

const SECRET = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZ2VudDAwMSJ9.c2lnbmF0dXJl';

describe('the details that an agent sends to support', () => {
  it('hold versions, browser, network, what was in the way, and the last five calls', async () => {
    const { dialer, broker } = await openReady({}, { 'POST session': () => session({ token: SECRET }) });
    for (const [index, number] of [
      '0912345670',
      '0912345671',
      '0912345672',
      '0912345673',
      '0912345674',
    ].entries()) {
      await dialer.call(number, { name: 'Nguyễn Thị Mai' });
      if (index < 4) sdk().accept();
      else sdk().end('SIP Failure Code');
      await until(() => ['active', 'ended'].includes(dialer.state.call.is), 'the answer');
      if (index < 4) sdk().end();
      await reaches(dialer, 'ended');
    }
    broker.on('GET status', () =>
      readiness({ member: { ...MEMBER, balance: 0 }, blockers: ['insufficient-funds'] }),
    );
    await dialer.call('0912345679');
    sdk().accept();
    await reaches(dialer, 'in-call');
    sdk().end();
    await reaches(dialer, 'blocked');
    const details = dialer.supportDetails();
    expect(details).to.match(/^status: blocked\nversion: \d+\.\d+\.\d+\nat: /);
    expect(details)
      .to.include(`browser: ${navigator.userAgent}`)
      .and.match(/\nnetwork: online/);
    expect(details)
      .to.include(`broker: ${broker.url}`)
      .and.include('member: agent001')
      .and.include('balance: 0');
    const [, history = '', calls = ''] = /readiness:\n([^]*)\ncalls:\n([^]*)$/.exec(details) ?? [];
    expect(history.replaceAll(/- \S+ · /g, '')).to.equal('connecting\nup\nup · insufficient-funds (broker)');
    expect(calls.split('\n')).to.have.length(5);
    expect(calls).to.match(
      /^- \S+Z · outgoing · 0912…79 · answered · \d s\n- \S+Z · outgoing · 0912…74 · failed\n/,
    );
    expect(details).not.to.include(SECRET).and.not.include('Mai').and.not.include('0912345');
  });

  it('hide the customer in the path of the page', async () => {
    const { dialer } = await openReady();
    const { href } = location;
    const paths = {
      '/crm/customers/0912345678': '/crm/…/…',
      '/customers/Nguyễn Văn An/calls/': '/customers/…/…/',
      '/nguyen-van-an': '/…',
      '/index.html': '/index.html',
      '/': '/',
    };
    try {
      for (const [path, shown] of Object.entries(paths)) {
        history.replaceState(history.state, '', `${path}?q=0912345678#Mai`);
        expect(dialer.supportDetails().split('\n')).to.include(`page: ${location.origin}${shown}`);
      }
    } finally {
      history.replaceState(history.state, '', href);
    }
  });

  it('can be had in a browser that is too old for the dialer, from the page and by "Copy details"', async () => {
    const { canParse } = URL;
    Reflect.deleteProperty(URL, 'canParse');
    try {
      const { dialer } = await openDialer();
      await reaches(dialer, 'failed');
      expect(dialer.supportDetails()).to.include('unsupported-browser').and.include('broker: http');
    } finally {
      URL.canParse = canParse;
    }
  });

  it('hold why there is no connection, with the cause and the id of the request', async () => {
    const page = await openDialer(
      {},
      { 'POST session': () => json({ code: 'vendor-unreachable', requestId: 'req-7' }, 503) },
    );
    await reaches(page.dialer, 'failed');
    expect(page.dialer.supportDetails()).to.match(
      /failed · vendor-unreachable · The broker refused the request: .* · request: req-7/,
    );
    page.broker.on(
      'POST session',
      new TypeError(`Failed to fetch https://partner.example/session?token=${SECRET}`),
    );
    await press(page.dialer, 'Try again');
    await until(() => page.dialer.supportDetails().includes('TypeError'), 'the next failure');
    expect(page.dialer.supportDetails())
      .to.match(/broker-unreachable · .* · TypeError: Failed to fetch https:\/\/partner.example\/session/)
      .and.not.include(SECRET);
  });

  it('leave out what looks like a secret or a number, wherever it stands', () => {
    for (const text of [
      `token ${SECRET}`,
      `Bearer ${SECRET}.`,
      `https://a.example/x?key=short-key`,
      `https://a.example/x#short-key`,
      `call to 0912345678 failed`,
      `external-call-id="0912 345 678" is ignored`,
      `(091) 234-5678 or 0912.345.678`,
      `sip:+84912345678@pbx`,
      `{"password":"${'p'.repeat(40)}"}`,
    ]) {
      const cause = new Error(text);
      const details = supportDetails({
        state: INITIAL_STATE,
        readiness: [
          {
            at: 0,
            block: { is: 'none' },
            line: {
              is: 'failed',
              error: new DialerError('network-lost', text, { cause }),
              retryAt: undefined,
            },
          },
        ],
        calls: [],
        brokerUrl: `https://user:short-key@partner.example/session?key=short-key`,
        sdkUrl: '',
      });
      expect(details, text).not.to.match(/short-key|eyJ|912345|ppp|912.345|234.5678/);
      expect(details, text).to.include('broker: https://partner.example/session\n');
    }
  });

  it('say of a call what is known of it', () => {
    const details = supportDetails({
      state: INITIAL_STATE,
      readiness: [],
      calls: [
        {
          id: '2',
          direction: 'outgoing',
          number: '0900000402',
          startedAt: 5000,
          outcome: 'insufficient-funds',
          status: 402,
          isSeen: false,
        },
        {
          id: '1',
          direction: 'outgoing',
          number: '113',
          startedAt: 0,
          answeredAt: 1000,
          endedAt: 61_000,
          outcome: 'answered',
          cost: 800,
          quality: { mos: 3.9, worstMos: 2.4, lossPercent: 4.8, jitterMs: 8, roundTripMs: 30 },
          isSeen: false,
        },
      ],
      brokerUrl: '',
      sdkUrl: '',
    });
    expect(details).to.match(
      /calls:\n- 1970-01-01T00:00:05.000Z · outgoing · 0900…02 · insufficient-funds · SIP 402\n- 1970-01-01T00:00:00.000Z · outgoing · 113 · answered · 60 s · 800 VND · MOS 3.9, worst 2.4, loss 4.8 % · jitter 8 ms · round trip 30 ms$/,
    );
  });

  it('are a text before the dialer has ever connected, too', async () => {
    const page = await openDialer({ 'connect-mode': 'manual' });
    expect(page.dialer.supportDetails()).to.include('status: idle').and.include('calls:');
    expect(document.createElement('partner-dialer').supportDetails()).to.include('status: idle');
  });
});
