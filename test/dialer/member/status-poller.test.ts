import { expect } from '@open-wc/testing';
import { StatusPoller } from '../../../src/dialer/member/status-poller.ts';
import { DialerError } from '../../../src/errors.ts';
import { BROKE, MEMBER, memberWith, readiness, session, type Answer } from '../../support/fake-broker.ts';
import {
  openBlocked,
  openReady,
  passTime,
  press,
  reaches,
  sdk,
  textOf,
  until,
  type DialerPage,
} from '../../support/dialer.ts';

/** The first look comes after 5 s, give or take a fifth. */
const LOOK_MS = 7000;

const holding = (balance: number) => memberWith({ member: { ...MEMBER, balance } });

describe('an agent who waits for an admin', () => {
  let page: DialerPage;

  const questions = () => page.broker.asked.filter(({ path }) => path === 'status').length;

  it('can call again without pressing anything, once the broker says so', async () => {
    page = await openBlocked(memberWith(BROKE));
    const { dialer, broker } = page;
    await until(() => dialer.state.line.is === 'up', 'a line');
    await until(() => questions() === 1, 'the first look');
    expect(textOf(dialer)).to.include('Ask for a top-up').and.not.include('Nothing has changed yet');
    broker.on('GET status', () => readiness());
    await until(() => textOf(dialer).includes('You can call again'), 'the way out');
    await expect(dialer).to.be.accessible();
    await press(dialer, 'Back to the keypad');
    await reaches(dialer, 'ready');
  });

  it('keeps a guide that the call brought up and the broker knows nothing of', async () => {
    page = await openReady();
    const { dialer } = page;
    await dialer.call('0912345678');
    sdk().end('Payment Required');
    await reaches(dialer, 'blocked');
    const before = questions();
    await until(() => questions() > before, 'the first look');
    await dialer.updateComplete;
    expect(dialer.state.status).to.equal('blocked');
  });

  it('can call again when money has come after a call that the exchange refused, though the broker never blocked them', async () => {
    page = await openReady({}, holding(50));
    const { dialer, broker } = page;
    await dialer.call('0912345678');
    sdk().end('Payment Required');
    await reaches(dialer, 'blocked');
    await passTime(LOOK_MS);
    expect([dialer.state.status, questions() > 0]).to.deep.equal(['blocked', true]);
    broker.on('GET status', holding(5050)['GET status'] as Answer);
    await until(() => textOf(dialer).includes('You can call again'), 'the way out');
    expect(textOf(dialer)).to.match(/5,050\s₫/);
  });

  it('is not looked for any more when the dialer is gone', async () => {
    page = await openBlocked({ 'POST session': () => session(BROKE) });
    page.dialer.remove();
    await passTime(LOOK_MS);
    expect(questions()).to.equal(0);
  });
});

describe('polling a broker that asks for time', () => {
  it('leaves it alone for that long, and no longer once it has answered', async () => {
    const looks: number[] = [];
    const poller = new StatusPoller(async () => {
      looks.push(Date.now());
      if (looks.length === 1) throw new DialerError('broker-unreachable', 'Busy.', { retryAfter: 90_000 });
      return looks.length < 3;
    });
    const end = new AbortController();
    poller.begin(end.signal);
    await passTime(160_000);
    end.abort();
    expect(looks).to.have.length(3);
    const [first = 0, second = 0, third = 0] = looks;
    expect(second - first).to.be.at.least(90_000);
    expect(third - second).to.be.below(60_000);
  });
});
