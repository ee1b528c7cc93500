import { expect } from '@open-wc/testing';
import * as z from 'zod/mini';
import { TabLock, type TabListener } from '../../src/page/tabs.ts';

interface Status {
  readonly isBusy: boolean;
  readonly text: string;
}

/** One tab, played by a frame: a realm of its own with the browser's real locks and channels. */
interface Tab {
  readonly lock: TabLock<Status>;
  /** What its user was told, in order. */
  readonly told: string[];
  join(): Promise<string>;
  /** It answers nobody any more. */
  hang(): void;
  close(): void;
}

declare global {
  interface Window {
    openLock?: (name: string, listener: TabListener<Status>) => TabLock<Status>;
  }
}

const IDLE: Status = { isBusy: false, text: 'idle' };
const BUSY: Status = { isBusy: true, text: 'busy' };
const schema = z.object({ isBusy: z.boolean(), text: z.string() });

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

    const open = async (give: () => Promise<boolean> = async () => true): Promise<Tab> => {
      const tab = await openTab(name, give);
      tabs.push(tab);
      return tab;
    };
    const holders = () => tabs.filter(({ lock }) => lock.isHeld).length;

    it('is held by the first, and the others hear what it does', async () => {
      const [first, second] = [await open(), await open()];
      expect([await first.join(), await second.join()]).to.deep.equal(['here', 'elsewhere']);
      expect(second.told).to.deep.equal(['elsewhere idle']);
      first.lock.setStatus(BUSY);
      await until(() => second.told.at(-1) === 'elsewhere busy');
    });

    it('goes to the next when its tab is closed, or has ended all use of it', async () => {
      const [first, second, third] = [await open(), await open(), await open()];
      for (const tab of tabs) await tab.join();
      first.close();
      await until(() => second.told.at(-1) === 'held');
      const unused = latch();
      second.lock.end(unused.opened);
      await pause(100);
      expect(third.told, 'the second still uses it').not.to.include('held');
      unused.open();
      await until(() => third.told.at(-1) === 'held');
    });

    it('is passed to the tab that asks, past one that waits, once the holder has ended its use', async () => {
      const unused = latch();
      const [first, waiting, asking] = [
        await open(() => unused.opened.then(() => true)),
        await open(),
        await open(),
      ];
      for (const tab of tabs) await tab.join();
      const taken = asking.lock.take();
      await until(() => first.told.at(-1) === 'give');
      await pause(100);
      expect(holders(), 'nobody yet').to.equal(0);
      unused.open();
      expect(await taken).to.equal(true);
      expect([asking.told.at(-1), waiting.told.includes('held')]).to.deep.equal(['held', false]);
      await until(() => first.told.at(-1) === 'elsewhere idle');
      expect(first.told).not.to.include('robbed');
    });

    it('has one holder at most when two ask at once, and when each asks again', async () => {
      const [, second, third] = [await open(), await open(), await open()];
      for (const tab of tabs) await tab.join();
      let most = 0;
      const look = () => (most = Math.max(most, holders()));
      const looking = setInterval(look, 1);
      for (let round = 0; round < 5; round += 1) {
        const taken = await Promise.all([second.lock.take(), third.lock.take()]);
        expect(taken, 'somebody has it').to.include(true);
        look();
      }
      clearInterval(looking);
      // In the moment of a look it may be on its way from one to the other.
      expect(most).to.be.at.most(1);
    });

    it('stays where it is needed', async () => {
      const [first, second] = [await open(async () => false), await open()];
      for (const tab of tabs) await tab.join();
      expect(await second.lock.take(), 'refused by its user').to.equal(false);
      first.lock.setStatus(BUSY);
      expect(await second.lock.take(), 'busy').to.equal(false);
      expect(first.told, 'asked once').to.deep.equal(['give']);
      expect(first.lock.isHeld).to.equal(true);
    });

    it('is kept by a holder that gave it to a tab which was closed meanwhile', async () => {
      const [first, second] = [await open(), await open()];
      for (const tab of tabs) await tab.join();
      void second.lock.take();
      second.close();
      await until(() => first.told.at(-1) === 'held');
      expect(first.lock.isHeld).to.equal(true);
    });

    it('is taken from a tab that hangs, but not from one that was busy last', async () => {
      const [first, second] = [await open(), await open()];
      for (const tab of tabs) await tab.join();
      first.lock.setStatus(BUSY);
      await until(() => second.told.at(-1) === 'elsewhere busy');
      first.hang();
      // It has not heard that the first is busy.
      const third = await open();
      expect(await third.join()).to.equal('elsewhere');
      await until(() => third.told.at(-1) === 'held');
      expect(second.told, 'though it has heard nothing for longer').not.to.include('held');
      await until(() => first.told.includes('robbed'));
      expect([first.lock.isHeld, holders()]).to.deep.equal([false, 1]);
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
      post({ type: 'status', from: 'newer', status: { isBusy: 'perhaps' } });
      await until(() => second.told.at(-1) === 'elsewhere undefined');
      channel.close();
      expect([first.lock.isHeld, second.lock.isHeld]).to.deep.equal([true, false]);
    });

    it('is for one in each page', async () => {
      const [first, second] = [lockOf([], name), lockOf([], name)];
      expect([await first.join(), await second.join()]).to.deep.equal(['here', 'same-page']);
      first.end(Promise.resolve());
      expect(await second.join()).to.equal('here');
      second.end(Promise.resolve());
    });
  });
} else {
  window.openLock = (name, listener) => new TabLock(name, schema, IDLE, listener);
}

function lockOf(told: string[], name: string): TabLock<Status> {
  return new TabLock(
    name,
    schema,
    IDLE,
    listenerOf(told, async () => true),
  );
}

function listenerOf(told: string[], give: () => Promise<boolean>): TabListener<Status> {
  return {
    onHeld: () => told.push('held'),
    onElsewhere: (status) => {
      const text = `elsewhere ${status?.text}`;
      if (told.at(-1) !== text) told.push(text);
    },
    onRobbed: () => told.push('robbed'),
    give: () => {
      told.push('give');
      return give();
    },
  };
}

async function openTab(name: string, give: () => Promise<boolean>): Promise<Tab> {
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
  const lock = realm.openLock(name, listenerOf(told, give));
  return {
    lock,
    told,
    join: () => lock.join(),
    hang: () => {
      const { BroadcastChannel: channel } = realm as unknown as typeof globalThis;
      channel.prototype.postMessage = () => undefined;
    },
    close: () => frame.remove(),
  };
}

function latch(): { readonly opened: Promise<void>; readonly open: () => void } {
  const abort = new AbortController();
  const opened = new Promise<void>((resolve) => {
    abort.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  return { opened, open: () => abort.abort() };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

async function until(holds: () => boolean): Promise<void> {
  // Less than a test has.
  for (let tries = 0; !holds(); tries += 1) {
    if (tries > 1000) throw new Error('It never came.');
    await pause(10);
  }
}
