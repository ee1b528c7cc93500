import { expect } from '@open-wc/testing';
import { CallLog } from '../../../src/dialer/calls/call-log.ts';
import { until } from '../../support/dialer.ts';

const START = Date.now();
const DAY_MS = 24 * 3_600_000;

const call = (id: string, after: number) =>
  ({
    id,
    direction: 'incoming',
    number: '0912345678',
    startedAt: START + after,
    endedAt: START + after,
    outcome: 'missed',
  }) as const;

describe('the call log', () => {
  let owner = '';
  const here = new CallLog(() => undefined);
  const other = new CallLog(() => undefined);
  const ids = () => here.calls.map(({ id }) => id);
  const hereIs = (wanted: string) => here.calls.find(({ id }) => id === wanted);

  beforeEach(() => {
    owner = `agent-${crypto.randomUUID()}`;
    here.useOwner(owner);
    other.useOwner(owner);
  });
  afterEach(() => {
    here.close();
    other.close();
  });

  it('of an element that is moved in the page has what another dialer has written meanwhile, and hears it again', () => {
    other.record(call('first', 1));
    expect(ids()).to.deep.equal(['first']);
    here.close();
    other.record(call('second', 2));
    here.useOwner(owner);
    expect(ids()).to.deep.equal(['second', 'first']);
    other.record(call('third', 3));
    expect(ids()).to.deep.equal(['third', 'second', 'first']);
  });

  it('has the name and the cost that another dialer has learned after the end of a call', () => {
    const talked = { ...call('talked', 4), direction: 'outgoing', outcome: 'answered' } as const;
    other.record(talked);
    other.record({ ...talked, name: 'Nguyễn Thị Mai' });
    other.addCost({ ...talked, cost: 660 });
    expect(hereIs('talked')).to.include({ name: 'Nguyễn Thị Mai', cost: 660 });
  });

  it('hears of what another tab writes, and loses no call when both write at once', async () => {
    here.record(call('mine', 1));
    const tab = document.createElement('iframe');
    document.body.append(tab);
    const storage = (tab.contentWindow as Window).localStorage;
    const key = Object.keys(storage).find((name) => name.includes(owner)) ?? '';
    const theirs = [{ ...call('theirs', 2), isSeen: false }, ...JSON.parse(storage.getItem(key) ?? '[]')];
    storage.setItem(key, JSON.stringify(theirs));
    // Before this tab hears of it.
    here.record(call('again mine', 3));
    expect(ids()).to.deep.equal(['again mine', 'theirs', 'mine']);
    storage.setItem(key, JSON.stringify([{ ...call('alone', 4), isSeen: true }]));
    await until(() => ids().join(' ') === 'alone', 'what the other tab wrote');
    tab.remove();
  });

  it('keeps every call that it can read beside one of another version, also when the next call is written', () => {
    const own = { ...call('first', 1), isSeen: true };
    here.record(call('first', 1));
    const key = Object.keys(localStorage).find((name) => name.includes(owner)) ?? '';
    const others = [
      { ...own, id: 'later version', outcome: 'voicemail' },
      { ...own, id: 'garbled', number: 7 },
      { ...own, id: 'end of time', startedAt: 1e300 },
      { ...own, id: 'before time', endedAt: -1e300 },
      null,
    ];
    localStorage.setItem(key, JSON.stringify([own, ...others]));
    const reader = new CallLog(() => undefined);
    reader.useOwner(owner);
    expect(reader.calls.map(({ id, outcome }) => `${id}: ${outcome}`)).to.deep.equal([
      'first: missed',
      'later version: failed',
    ]);
    reader.record(call('next', 2));
    expect(reader.calls.map(({ id }) => id)).to.deep.equal(['next', 'first', 'later version']);
    reader.close();
  });

  it('forgets a call after 30 days, and deletes it from the storage', () => {
    here.record(call('older', -30 * DAY_MS - 1));
    here.record(call('old', -29 * DAY_MS));
    const reader = new CallLog(() => undefined);
    reader.useOwner(owner);
    expect(reader.calls.map(({ id }) => id)).to.deep.equal(['old']);
    expect(Object.entries(localStorage).find(([name]) => name.includes(owner))?.[1]).not.to.contain('older');
    reader.close();
  });

  it('is empty where the storage holds something else, and works from then on', () => {
    here.record(call('first', 1));
    const key = Object.keys(localStorage).find((name) => name.includes(owner)) ?? '';
    for (const garbled of ['{"a":', '[{"id":7}]', 'null']) {
      localStorage.setItem(key, garbled);
      const reader = new CallLog(() => undefined);
      reader.useOwner(owner);
      expect(reader.calls).to.deep.equal([]);
      reader.record(call('next', 2));
      expect(reader.calls).to.have.length(1);
      reader.close();
    }
  });
});
