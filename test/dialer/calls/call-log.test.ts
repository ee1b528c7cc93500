import { expect } from '@open-wc/testing';
import { CallLog } from '../../../src/dialer/calls/call-log.ts';
import { until, useDatabases } from '../../support/dialer.ts';

const call = (id: string, startedAt: number) =>
  ({
    id,
    direction: 'incoming',
    number: '0912345678',
    startedAt,
    endedAt: startedAt,
    outcome: 'missed',
  }) as const;

describe('the call log of an element that is moved in the page', () => {
  const owner = `agent-${crypto.randomUUID()}`;
  const here = new CallLog(() => undefined);
  const otherTab = new CallLog(() => undefined);
  const ids = () => here.calls.map(({ id }) => id);
  const hereIs = (wanted: string) => here.calls.find(({ id }) => id === wanted);

  before(async () => {
    useDatabases();
    await here.useOwner(owner);
    await otherTab.useOwner(owner);
  });
  after(() => {
    here.close();
    otherTab.close();
    useDatabases(null);
  });

  it('has what another tab has written meanwhile, and hears the other tab again', async () => {
    otherTab.record(call('first', 1));
    await until(() => ids().includes('first'), 'the call of the other tab');
    here.close();
    otherTab.record(call('second', 2));
    await isStored('second');
    await here.useOwner(owner);
    expect(ids()).to.deep.equal(['second', 'first']);
    otherTab.record(call('third', 3));
    await until(() => ids().includes('third'), 'the next call of the other tab');
  });

  it('hears of the name and the cost that another tab has learned after the end of a call', async () => {
    const talked = { ...call('talked', 4), direction: 'outgoing', outcome: 'answered' } as const;
    otherTab.record(talked);
    await until(() => ids().includes('talked'), 'the call of the other tab');
    otherTab.record({ ...talked, name: 'Nguyễn Thị Mai' });
    otherTab.addCost({ ...talked, cost: 660 });
    await until(() => hereIs('talked')?.cost !== undefined, 'the cost');
    expect(hereIs('talked')).to.include({ name: 'Nguyễn Thị Mai', cost: 660 });
  });

  async function isStored(id: string): Promise<void> {
    const reader = new CallLog(() => undefined);
    await reader.useOwner(owner);
    reader.close();
    if (!reader.calls.some((each) => each.id === id)) await isStored(id);
  }
});
