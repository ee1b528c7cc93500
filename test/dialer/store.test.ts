import { expect } from '@open-wc/testing';
import type { DialerState } from '../../src/dialer/state/state.ts';
import { DialerStore } from '../../src/dialer/store.ts';
import { openDialer, reaches, sdk, talkOn, until } from '../support/dialer.ts';
import { BROKE, memberWith } from '../support/fake-broker.ts';

describe('a change of the state that a subscriber makes', () => {
  it('counts at once, and is told after the one that it answers, to all subscribers in the same order', () => {
    const store = new DialerStore();
    const told: string[] = [];
    const note = (who: string) => (state: DialerState, previous: DialerState) => {
      told.push(`${who}: ${previous.line.is} > ${state.line.is} ${state.block.is}`);
      expect(store.told, 'what is told').to.equal(state);
    };
    store.subscribe(note('first'));
    store.subscribe(({ line }, previous) => {
      if (line.is !== 'connecting' || previous.line.is !== 'off') return;
      store.apply({ type: 'registered', hotlines: [{ name: 'Sales', number: '1' }] });
      store.apply({ type: 'blocked', reason: 'no-hotline', source: 'broker' });
      expect(store.state.status).to.equal('blocked');
    });
    store.subscribe(note('last'));
    store.apply({ type: 'connect' });
    const steps = ['off > connecting none', 'connecting > up none', 'up > up blocked'];
    expect(told).to.deep.equal(steps.flatMap((step) => [`first: ${step}`, `last: ${step}`]));
    expect(store.told).to.equal(store.state);
  });

  it('is told with the next one where a subscriber has thrown', () => {
    const store = new DialerStore();
    const told: string[] = [];
    store.subscribe(({ line }) => {
      told.push(line.is);
      if (line.is !== 'connecting') return;
      store.apply({ type: 'registered', hotlines: [] });
      throw new Error('of a subscriber');
    });
    expect(() => store.apply({ type: 'connect' })).to.throw('of a subscriber');
    store.apply({ type: 'lost' });
    expect(told).to.deep.equal(['connecting', 'up', 'lost']);
  });

  it('is never shown to the page before its turn: `state` is the state of the event', async () => {
    const { dialer, broker } = await openDialer({}, memberWith(BROKE));
    const differ: string[] = [];
    let before: DialerState | undefined;
    dialer.addEventListener('dialer-statechange', ({ detail: { state, previous } }) => {
      if (dialer.state !== state || (before && previous !== before)) differ.push(state.status);
      before = state;
    });
    dialer.addEventListener('dialer-blocked', (event) => event.preventDefault());
    await reaches(dialer, 'blocked');
    for (const [what, answer] of Object.entries(memberWith({}))) broker.on(what, answer);
    await dialer.recheck();
    await reaches(dialer, 'ready');
    await talkOn(dialer);
    dialer.brokerUrl += '?changed';
    await dialer.updateComplete;
    sdk().end();
    await until(() => broker.count('POST session') === 2, 'the new connection');
    await reaches(dialer, 'ready');
    expect(differ).to.deep.equal([]);
  });
});
