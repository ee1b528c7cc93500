import { expect } from '@open-wc/testing';
import { TabLock, type TabListener } from '../../../src/dialer/connection/tab-lock.ts';
import { aborted } from '../../../src/wait.ts';
import { passTime, settled, until } from '../../support/clock.ts';

/** One tab, played by a frame: a realm of its own with the browser's real locks and channels. */
interface Tab {
  readonly lock: TabLock;
  /** What its user was told, in order. */
  readonly told: string[];
  join(): Promise<boolean>;
  close(): void;
}

declare global {
  interface Window {
    openLock?: (name: string, listener: TabListener) => TabLock;
  }
}

if ('describe' in globalThis) {
  describe('something that one tab can hold', () => {
    let tabs: Tab[] = [];
    let name = '';
    beforeEach(() => {
      name = `test ${crypto.randomUUID()}`;
    });
    afterEach(() => {
      for (const tab of tabs) tab.close();
      tabs = [];
    });

    /** @param released when the tab has ended all use */
    const open = async (released: () => Promise<void> = async () => undefined): Promise<Tab> => {
      const tab = await openTab(name, released);
      tabs.push(tab);
      return tab;
    };

    /** With a lock of their own; the first one has it, and never ends its use. */
    const openPair = async () => {
      name = `test ${crypto.randomUUID()}`;
      const pair = [await open(() => new Promise(() => undefined)), await open()] as const;
      for (const tab of pair) await tab.join();
      return pair;
    };

    it('is kept by a holder that passed it to a tab which was closed meanwhile', async () => {
      const [first, second] = [await open(), await open()];
      for (const tab of tabs) await tab.join();
      void second.lock.take(Date.now());
      second.close();
      await until(
        () => first.told.includes('ended') && first.told.at(-1) === 'held',
        'the end and the return',
      );
      expect(first.lock.isHeld).to.equal(true);
    });

    it('comes back to a holder that wants it while the tab that was to take it dies', async () => {
      const unused = new AbortController();
      const [first, second] = [await open(() => aborted(unused.signal)), await open()];
      for (const tab of tabs) await tab.join();
      void second.lock.take(Date.now());
      await until(() => first.told.at(-1) === 'ended', 'the end');
      const taken = first.lock.take(Date.now());
      second.close();
      unused.abort();
      expect(await taken).to.equal(true);
    });

    it('is not taken by a tab that reads too late that it was passed on', async () => {
      const unused = new AbortController();
      const [first, second] = [await open(() => aborted(unused.signal)), await open()];
      for (const tab of tabs) await tab.join();
      const channel = new BroadcastChannel(name);
      const asked = new Promise<{ from: string; at: number }>((resolve) => {
        channel.addEventListener('message', ({ data }) => data.type === 'want' && resolve(data));
      });
      const taken = second.lock.take(Date.now());
      const { from, at } = await asked;
      const post: (message: unknown) => void = channel.postMessage.bind(channel);
      post({ type: 'passed', from: 'first', to: from, at: at - 2000 });
      await passTime(1000);
      expect([first.lock.isHeld, second.lock.isHeld]).to.deep.equal([false, false]);
      unused.abort();
      expect(await settled(taken)).to.equal(true);
      channel.close();
    });

    it('is taken from a tab that froze as it ended, but not if it had a call', async () => {
      const [[calling, waiting], [frozen, next]] = [await openPair(), await openPair()];
      void calling.lock.end(true);
      void frozen.lock.end(false);
      await until(() => next.lock.isHeld, 'the lock of the frozen tab');
      await passTime(500);
      expect(waiting.lock.isHeld).to.equal(false);
    });

    it('does not mind what else is said on its channel', async () => {
      const [first, second] = [await open(), await open()];
      for (const tab of tabs) await tab.join();
      const channel = new BroadcastChannel(name);
      const post: (message: unknown) => void = channel.postMessage.bind(channel);
      for (const message of [
        null,
        'want',
        { type: 'want' },
        { type: 'x', from: 'a' },
        { type: 'passed', from: 'a' },
      ])
        post(message);
      post({ type: 'status', from: 'newer', status: { is: 'idle', since: 'long' } });
      await until(() => second.told.at(-1) === 'elsewhere undefined', 'what the other tab does');
      channel.close();
      expect([first.lock.isHeld, second.lock.isHeld]).to.deep.equal([true, false]);
    });
  });
} else {
  window.openLock = (name, listener) => new TabLock(name, { is: 'idle' }, listener);
}

function listenerOf(told: string[], released: () => Promise<void>): TabListener {
  return {
    onElsewhere: (activity) => {
      const text = `elsewhere ${activity?.is}`;
      if (told.at(-1) !== text) told.push(text);
    },
    released,
  };
}

/** Tells each time that the tab gets the use of it, and that the use ends. */
async function watchLeases(lock: TabLock, told: string[]): Promise<void> {
  const { signal } = new AbortController();
  const lease = await lock.lease(signal);
  told.push('held');
  lease.addEventListener('abort', () => {
    told.push('ended');
    void watchLeases(lock, told);
  });
}

async function openTab(name: string, released: () => Promise<void>): Promise<Tab> {
  const frame = document.createElement('iframe');
  frame.srcdoc = `<!doctype html><script type="module" src="${import.meta.url}"></script>`;
  const loaded = new Promise((resolve) => {
    frame.addEventListener('load', resolve, { once: true });
  });
  document.body.append(frame);
  await loaded;
  const realm = frame.contentWindow;
  if (!realm?.openLock) throw new Error('The frame did not load.');
  const told: string[] = [];
  const lock = realm.openLock(name, listenerOf(told, released));
  void watchLeases(lock, told);
  return {
    lock,
    told,
    join: () => lock.join(),
    close: () => frame.remove(),
  };
}
