/** What only a call needs is fetched when the phone is ready. A call may come, or be asked for, before it is there. */
import { expect } from '@open-wc/testing';
import * as dialerCalls from '../../src/dialer/calls.ts';
import { chunks as dialerChunks } from '../../src/dialer/late-calls.ts';
import { Chunk } from '../../src/page/chunk.ts';
import { codeOf } from '../support/code-of.ts';
import { nextTurn, openDialer, reaches, sdk, until, type DialerPage } from '../support/dialer.ts';

const known = { dialer: dialerChunks.calls };

describe('a dialer whose code for calls is still on its way', () => {
  let page: DialerPage;
  const waiting: (() => void)[] = [];
  const come = () => {
    for (const resolve of waiting.splice(0)) resolve();
  };
  const late = <T>(code: T) =>
    new Chunk<T>(
      () =>
        new Promise((resolve) => {
          waiting.push(() => resolve(code));
        }),
    );

  beforeEach(async () => {
    dialerChunks.calls = late(dialerCalls);
    page = await openDialer();
    await reaches(page.dialer, 'ready');
    page.events.length = 0;
  });
  afterEach(async () => {
    await page.close();
    dialerChunks.calls = known.dialer;
  });

  it('rings once it has come', async () => {
    sdk().ring('0912345678', 'An');
    await nextTurn();
    expect(page.dialer.state.status).to.equal('ready');
    come();
    await until(() => {
      come();
      return page.dialer.state.status === 'incoming';
    }, 'the call');
    expect(page.events).to.deep.equal(['callincoming']);
  });

  it('tells of a call that was missed meanwhile', async () => {
    sdk().ring('0912345678', 'An');
    await nextTurn();
    sdk().end();
    await nextTurn();
    await until(() => {
      come();
      return page.events.includes('callend');
    }, 'its end');
    expect(page.events).to.deep.equal(['callincoming', 'callend']);
    expect(page.details.get('callend')?.detail.call.outcome).to.equal('missed');
  });

  it('places a call then, and one call of two', async () => {
    const calls = [page.dialer.call('0912345678'), page.dialer.call('0912345679')].map(codeOf);
    await until(() => {
      come();
      return page.dialer.state.call.is === 'dialing';
    }, 'the call');
    expect(await Promise.all(calls)).to.deep.equal([undefined, 'busy']);
    expect(sdk().told.filter((line) => line.startsWith('makeCall'))).to.have.length(1);
  });

  for (const [name, end] of [
    ['hung up', () => page.dialer.hangUp()],
    ['disconnected', () => page.dialer.disconnect()],
  ] as const) {
    it(`places no call that was ${name} before`, async () => {
      const vbot = sdk();
      const call = codeOf(page.dialer.call('0912345678'));
      await nextTurn();
      const ended = end();
      let isSettled = false;
      const both = Promise.all([call, ended]).then(([code]) => {
        isSettled = true;
        return code;
      });
      await until(() => {
        come();
        return isSettled;
      }, 'both settle');
      expect(await both).to.be.a('string');
      expect(vbot.told.filter((line) => line.startsWith('makeCall'))).to.have.length(0);
      expect(page.dialer.state.call.is).to.equal('none');
    });
  }
});
