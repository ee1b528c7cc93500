import { expect } from '@open-wc/testing';
import { FakeVbot } from '../../support/fake-vbot.ts';
import { codeOf, hurry, openSdk, rest, type SdkBench } from './sdk-bench.ts';

let bench: SdkBench;
let slowDown: () => void;
beforeEach(async () => {
  slowDown = hurry();
  bench = await openSdk();
  await bench.record.until('registered');
});
afterEach(() => {
  bench.sdk.close();
  FakeVbot.onBoot = (vbot) => vbot.register();
  slowDown();
});

const dial = () => bench.sdk.dial('0912345678', undefined, undefined);

describe('the registration', () => {
  it('told twice is one; lost and failed twice likewise', async () => {
    const { vbot, record } = bench;
    vbot.emit('onUserConnected');
    await rest();
    for (const name of ['onUserDisconnected', 'onUserConnectionFailed', 'onUserConnected']) {
      vbot.emit(name, { error: 'Kết nối thất bại' });
      vbot.emit(name, { error: 'Kết nối thất bại' });
      await rest();
    }
    expect(record.names).to.deep.equal(['registered', 'lost', 'failed', 'registered']);
  });

  it('that fails in a call leaves the call alone', async () => {
    const { vbot, record } = bench;
    await dial();
    vbot.accept();
    await record.until('answered');
    vbot.emit('onUserDisconnected');
    vbot.emit('onUserConnectionFailed', { error: 'Kết nối thất bại' });
    await record.until('failed');
    expect(record.names).to.deep.equal(['registered', 'dialing', 'answered', 'lost', 'failed']);
    bench.sdk.hangUp();
    await record.until('ended answered');
    expect(vbot.told).to.include('hangupCall');
  });

  it('is not reported when it was lost before its hotlines were known', async () => {
    const { vbot, record } = bench;
    vbot.emit('onUserDisconnected');
    await record.until('lost');
    let tell: ((hotlines: unknown) => void) | undefined;
    vbot.getHotlines = () => new Promise((resolve) => (tell = resolve));
    vbot.emit('onUserConnected');
    vbot.emit('onUserDisconnected');
    await rest();
    tell?.([]);
    await rest();
    expect(record.names).to.deep.equal(['registered', 'lost', 'lost']);
  });

  it('comes with the hotlines of the last event when the SDK does not tell them', async () => {
    const { vbot, record } = bench;
    for (const silence of [
      () => new Promise(() => undefined),
      () => Promise.reject(new Error('inside the SDK')),
    ]) {
      record.events.length = 0;
      vbot.getHotlines = silence;
      vbot.emit('onUserDisconnected');
      vbot.emit('onUserConnected');
      await record.until('registered');
      const hotlines = [{ name: 'Sales', number: '842899990001' }];
      expect(record.events.at(-1)).to.deep.equal({ type: 'registered', hotlines });
    }
  });

  it('is needed to dial', async () => {
    bench.vbot.emit('onUserDisconnected');
    await bench.record.until('lost');
    expect(await codeOf(dial())).to.equal('not-ready');
  });
});

describe('leaving and closing', () => {
  it('leave() takes the vendor’s element out of the page in the same task', () => {
    expect(bench.vbot.isConnected).to.equal(true);
    bench.sdk.leave();
    expect(bench.vbot.isConnected).to.equal(false);
  });

  for (const way of ['leave', 'close'] as const) {
    it(`nothing is reported after ${way}(), and no call can be placed`, async () => {
      const { sdk, vbot, record } = bench;
      await dial();
      const before = record.names;
      sdk[way]();
      sdk[way === 'leave' ? 'close' : 'leave']();
      vbot.end();
      vbot.emit('onUserDisconnected');
      await rest(1500);
      expect(record.names).to.deep.equal(before);
      expect(vbot.isConnected).to.equal(false);
      expect(await codeOf(dial())).to.equal('not-ready');
    });
  }

  it('a boot that is under way is waited for, else it would register unseen', async () => {
    bench.sdk.close();
    FakeVbot.onBoot = () => undefined;
    bench = await openSdk();
    const { sdk, vbot, record } = bench;
    sdk.leave();
    await rest(200);
    expect(vbot.isConnected).to.equal(true);
    vbot.register();
    await rest(200);
    expect(vbot.isConnected).to.equal(false);
    expect(record.names).to.deep.equal([]);
  });

  it('the place is free for the next one', async () => {
    const { sdk, vbot } = bench;
    sdk.leave();
    bench = await openSdk();
    await bench.record.until('registered');
    expect(bench.vbot).not.to.equal(vbot);
    expect(bench.vbot.isConnected).to.equal(true);
  });
});
