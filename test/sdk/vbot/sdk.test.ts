import { expect } from '@open-wc/testing';
import { until } from '../../support/clock.ts';
import { FakeVbot } from '../../support/fake-vbot.ts';
import { Replacements } from '../../support/replacements.ts';
import { codeOf, openSdk, rest, type SdkBench } from './sdk-bench.ts';

let bench: SdkBench;
beforeEach(async () => {
  bench = await openSdk();
  await bench.record.until('registered');
});
afterEach(() => {
  bench.sdk.close();
  FakeVbot.onBoot = (vbot) => vbot.register();
});

const Observer = PerformanceObserver;
/** Tells of a request a moment later, as Firefox does. */
class LateObserver extends Observer {
  constructor(tell: PerformanceObserverCallback) {
    super((list, observer) => void setTimeout(() => tell(list, observer), 50));
  }

  override takeRecords(): PerformanceEntryList {
    return [];
  }
}

const dial = () => bench.sdk.dial('0912345678', undefined, undefined);

/** @returns the codes of the failures when a boot at that API ends */
async function failuresAt(baseUrl: string): Promise<string[]> {
  await bench.sdk.close();
  FakeVbot.onBoot = async (vbot) => {
    const info = `${vbot.getAttribute('base-url')}/api/sdk/info`;
    const measured = new Promise<void>((resolve) => {
      const read: PerformanceObserverCallback = (list) => list.getEntriesByName(info).length > 0 && resolve();
      new Observer(read).observe({ type: 'resource' });
    });
    await fetch(info, { method: 'POST' }).catch(() => undefined);
    await measured;
    vbot.refuse();
  };
  bench = await openSdk(new AbortController().signal, baseUrl);
  await bench.record.until('failed');
  return bench.record.events.flatMap((event) => (event.type === 'failed' ? [event.error.code] : []));
}

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

  it('has not failed if its socket is away when the time of the boot is over', async () => {
    bench.vbot.emit('onUserDisconnected');
    await rest(25_000);
    expect(bench.record.names).to.deep.equal(['registered', 'lost']);
  });

  it('comes with the hotlines that the SDK told last, also when it comes again', async () => {
    const { vbot, record } = bench;
    const hotlines = [{ name: 'Sales', number: '842899990001' }];
    expect(record.events).to.deep.equal([{ type: 'registered', hotlines }]);
    vbot.emit('onUserDisconnected');
    vbot.emit('onUserConnected');
    await until(() => record.events.length === 3, 'the next registration');
    expect(record.events.at(-1)).to.deep.equal({ type: 'registered', hotlines });
  });

  it('is needed to dial', async () => {
    bench.vbot.emit('onUserDisconnected');
    await bench.record.until('lost');
    expect(await codeOf(dial())).to.equal('not-ready');
  });
});

describe('an SDK that cannot sign in', () => {
  it('says that its API is out of reach, where it is', async () => {
    expect(await failuresAt('http://127.0.0.1:8/v3.0')).to.deep.equal(['vendor-unreachable']);
  });

  it('says so, too, where the browser learns it a moment later than the SDK', async () => {
    const browser = new Replacements();
    browser.replace(globalThis, 'PerformanceObserver', LateObserver);
    try {
      expect(await failuresAt('http://127.0.0.1:8/v3.0')).to.deep.equal(['vendor-unreachable']);
    } finally {
      browser.restore();
    }
  });

  it('says that its token was refused, where the API has responded', async () => {
    expect(await failuresAt(location.origin)).to.deep.equal(['sdk-auth-failed']);
  });
});

describe('leaving and closing', () => {
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

  it('ends with its lease', async () => {
    bench.sdk.close();
    const lease = new AbortController();
    bench = await openSdk(lease.signal);
    await bench.record.until('registered');
    const calling = dial();
    await calling;
    lease.abort();
    await rest();
    expect(bench.vbot.isConnected).to.equal(false);
    expect(await codeOf(dial())).to.equal('not-ready');
    await bench.sdk.close();
  });
});
