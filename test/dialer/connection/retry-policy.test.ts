import { expect } from '@open-wc/testing';
import { RetryPolicy } from '../../../src/dialer/connection/retry-policy.ts';
import { DialerError, type DialerErrorCode } from '../../../src/errors.ts';

const error = (code: DialerErrorCode, retryAfter?: number) => new DialerError(code, 'no', { retryAfter });

describe('trying again by itself', () => {
  let policy: RetryPolicy;
  beforeEach(() => (policy = new RetryPolicy()));

  const waits = (count: number) =>
    Array.from({ length: count }, () => policy.waitAfter(error('sdk-auth-failed')) ?? Number.NaN);

  it('waits longer each time, half a minute at most, and leaves it to the agent after the tenth', () => {
    const [first = 0, second = 0, ...more] = waits(10);
    expect(first).to.be.within(2300, 3700);
    expect(second).to.be.within(4700, 7300);
    for (const wait of more) expect(wait).to.be.within(9500, 36_000);
    expect(policy.waitAfter(error('sdk-auth-failed'))).to.equal(undefined);
  });

  it('begins anew once the line was up', () => {
    waits(10);
    policy.reset();
    expect(waits(1)[0]).to.be.within(2300, 3700);
  });

  it('plans nothing for what does not pass by itself', () => {
    for (const code of [
      'broker-unauthorized',
      'insufficient-funds',
      'no-hotline',
      'configuration',
    ] as const) {
      expect(policy.waitAfter(error(code)), code).to.equal(undefined);
    }
  });

  it('waits as long as the broker asks it to, and a little longer', () => {
    expect(policy.waitAfter(error('broker-unreachable', 60_000))).to.be.within(60_000, 62_000);
    expect(policy.mustWait).to.equal(true);
    policy.reset();
    expect(policy.mustWait).to.equal(false);
  });
});
