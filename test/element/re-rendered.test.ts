/** Frameworks set properties anew at each render: what holds the same changes nothing, what differs counts. */
import { expect } from '@open-wc/testing';
import type { HeadersSource } from '../../src/index.ts';
import { nextTurn, openDialer, openReady, reaches, ringOn, textOf, until } from '../support/dialer.ts';
import { session } from '../support/fake-broker.ts';
import { FakeVbot } from '../support/fake-vbot.ts';

const RENDERS = 40;
const slowly = () =>
  new Promise<Response>((resolve) => {
    setTimeout(() => resolve(session()), 500);
  });

describe('a page that renders forty times while the dialer connects', () => {
  const SOURCES: Readonly<Record<string, (asked: () => void) => HeadersSource>> = {
    'an inline function': (asked) => () => (asked(), { 'X-Page': 'mine' }),
    'an inline async function': (asked) => async () => (asked(), { 'X-Page': 'mine' }),
    'an inline object': () => ({ 'X-Page': 'mine' }),
  };
  for (const [what, source] of Object.entries(SOURCES)) {
    it(`with ${what} as brokerHeaders signs in once`, async () => {
      let asks = 0;
      const render = () => {
        dialer.brokerHeaders = source(() => (asks += 1));
        dialer.lookup = () => [];
      };
      const { dialer, broker } = await openDialer({ 'connect-mode': 'manual' }, { 'POST session': slowly });
      const boots = FakeVbot.boots;
      render();
      dialer.setAttribute('connect-mode', 'auto');
      for (let count = 0; count < RENDERS; count += 1) {
        render();
        await nextTurn();
      }
      await reaches(dialer, 'ready');
      render();
      await nextTurn();
      expect([broker.count('POST session'), FakeVbot.boots - boots]).to.deep.equal([1, 1]);
      expect(asks).to.be.at.most(1);
      expect(broker.asked.at(-1)?.headers.get('X-Page')).to.equal('mine');
    });
  }

  it('asks the lookup of the last render, once for each call', async () => {
    const { dialer } = await openReady();
    const asked: number[] = [];
    for (let count = 0; count < RENDERS; count += 1) {
      dialer.lookup = () => (asked.push(count), [{ code: '1', name: 'Mai' }]);
      if (count === 20) await ringOn(dialer);
    }
    await until(() => textOf(dialer).includes('Mai'), 'the name');
    expect(asked).to.have.length(1);
  });
});

describe('headers that differ', () => {
  it('count at once where they are another object', async () => {
    const { dialer, broker } = await openDialer({ 'connect-mode': 'manual' }, { 'POST session': slowly });
    dialer.brokerHeaders = { 'X-Page': 'early' };
    void dialer.connect();
    await until(() => broker.count('POST session') === 1, 'the first request');
    dialer.brokerHeaders = { 'X-Page': 'late' };
    await reaches(dialer, 'ready');
    expect(broker.asked.map(({ headers }) => headers.get('X-Page'))).to.deep.equal(['early', 'late']);
  });

  it('of a page that signs in meanwhile count where the broker has refused the earlier ones', async () => {
    const { dialer, broker } = await openDialer({ 'connect-mode': 'manual' });
    broker.on('POST session', async () => {
      const { headers } = broker.asked.at(-1) ?? {};
      await nextTurn();
      await nextTurn();
      const isGood = headers?.get('Authorization') === 'Bearer good';
      return isGood ? session() : new Response('', { status: 401 });
    });
    dialer.brokerHeaders = () => ({ Authorization: 'Bearer none' });
    void dialer.connect().catch(() => undefined);
    await until(() => broker.count('POST session') === 1, 'the first request');
    dialer.brokerHeaders = () => ({ Authorization: 'Bearer good' });
    await reaches(dialer, 'ready');
    expect(broker.count('POST session')).to.equal(2);
    expect(textOf(dialer)).not.to.include('not signed in');
  });

  it('are asked for again once only: who is refused reads so', async () => {
    const { dialer, broker } = await openDialer({ 'connect-mode': 'manual' });
    broker.on('POST session', async () => {
      dialer.brokerHeaders = () => ({ 'X-Page': 'new at each render' });
      await nextTurn();
      return new Response('', { status: 401 });
    });
    dialer.brokerHeaders = () => ({});
    await dialer.connect().catch(() => undefined);
    await reaches(dialer, 'failed');
    expect(broker.count('POST session')).to.equal(2);
  });
});
