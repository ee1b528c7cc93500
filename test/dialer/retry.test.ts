import { expect } from '@open-wc/testing';
import { DialerError, type DialerErrorCode } from '../../src/errors.ts';
import { RetryPolicy } from '../../src/dialer/retry.ts';
import { passTime } from '../support/clock.ts';

const error = (code: DialerErrorCode, retryAfter?: number) => new DialerError(code, 'no', { retryAfter });

describe('trying again by itself', () => {
  let retry: RetryPolicy;
  let renewals = 0;
  beforeEach(() => {
    retry = new RetryPolicy(
      () => undefined,
      () => (renewals += 1),
    );
  });
  afterEach(() => retry.reset());

  const waits = (count: number) =>
    Array.from({ length: count }, () => (retry.plan(error('sdk-auth-failed')) ?? Number.NaN) - Date.now());

  it('waits longer each time, half a minute at most, and leaves it to the agent after the tenth', () => {
    const [first = 0, second = 0, ...more] = waits(10);
    expect(first).to.be.within(2300, 3700);
    expect(second).to.be.within(4700, 7300);
    for (const wait of more) expect(wait).to.be.within(9500, 36_000);
    expect(retry.plan(error('sdk-auth-failed'))).to.equal(undefined);
  });

  it('begins anew once the line was up', () => {
    waits(10);
    retry.succeed();
    expect(waits(1)[0]).to.be.within(2300, 3700);
  });

  it('plans nothing for what does not pass by itself', () => {
    for (const code of [
      'broker-unauthorized',
      'insufficient-funds',
      'no-hotline',
      'configuration',
    ] as const) {
      expect(retry.plan(error(code)), code).to.equal(undefined);
    }
  });

  it('waits as long as the broker asks it to, and a little longer', () => {
    const at = retry.plan(error('broker-unreachable', 60_000)) ?? Number.NaN;
    expect(at - Date.now()).to.be.within(60_000, 62_000);
    expect(retry.mustWait).to.equal(true);
    retry.succeed();
    expect(retry.mustWait).to.equal(false);
  });

  it('asks for the next token after four fifths of the life of this one', async () => {
    retry.planRenewal(new Date(Date.now() + 1500).toISOString());
    await passTime(900);
    expect(renewals).to.equal(0);
    await passTime(600);
    expect(renewals).to.equal(1);
  });
});
