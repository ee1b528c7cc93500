import { expect } from '@open-wc/testing';
import { RetryPolicy } from '../../src/dialer/retry.ts';

describe('trying again by itself', () => {
  let recovery: RetryPolicy;
  beforeEach(() => {
    recovery = new RetryPolicy(() => undefined);
  });
  afterEach(() => recovery.forget());

  const waits = (count: number) =>
    Array.from({ length: count }, () => (recovery.plan('sdk-auth-failed') ?? Number.NaN) - Date.now());

  it('waits longer each time, half a minute at most, and leaves it to the agent after the tenth', () => {
    const [first = 0, second = 0, ...more] = waits(10);
    expect(first).to.be.within(2300, 3700);
    expect(second).to.be.within(4700, 7300);
    for (const wait of more) expect(wait).to.be.within(9500, 36_000);
    expect(recovery.plan('sdk-auth-failed')).to.equal(undefined);
  });

  it('begins anew once the line was up', () => {
    waits(10);
    recovery.succeed();
    expect(waits(1)[0]).to.be.within(2300, 3700);
  });

  it('plans nothing for what does not pass by itself', () => {
    for (const code of [
      'broker-unauthorized',
      'insufficient-funds',
      'no-hotline',
      'configuration',
    ] as const) {
      expect(recovery.plan(code), code).to.equal(undefined);
    }
  });
});
