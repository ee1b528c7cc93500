import { expect } from '@open-wc/testing';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { createApp, h } from 'vue';
import { PartnerDialer as ReactDialer } from '../../src/react.ts';
import { PartnerDialer as VueDialer } from '../../src/vue.ts';
import { FakeBroker } from '../support/fake-broker.ts';
import { FakeVbot } from '../support/fake-vbot.ts';
import { nextTurn, reaches, until } from '../support/dialer.ts';

const ATTRIBUTES = { sdkUrl: '/sdk.js', lang: 'en' } as const;

describe('a component that is unmounted in the middle of a call', () => {
  let broker: FakeBroker;
  let place: HTMLElement;
  let outcomes: string[];
  beforeEach(() => {
    broker = new FakeBroker();
    outcomes = [];
    FakeVbot.onBoot = (vbot) => vbot.register();
    place = document.createElement('div');
    document.body.append(place);
  });
  afterEach(async () => {
    place.remove();
    broker.close();
    await nextTurn();
  });

  const onDialerCallEnd = ({ detail }: HTMLElementEventMap['dialer-callend']) =>
    outcomes.push(detail.call.outcome);

  async function call(): Promise<void> {
    await until(() => place.querySelector('partner-dialer') !== null, 'the tag');
    const dialer = place.querySelector('partner-dialer');
    if (!dialer) throw new Error('there is no dialer');
    await reaches(dialer, 'ready');
    await dialer.call('0900000200');
  }

  it('still tells React how the call ended, once', async () => {
    const root = createRoot(place);
    root.render(createElement(ReactDialer, { ...ATTRIBUTES, brokerUrl: broker.url, onDialerCallEnd }));
    await call();
    root.unmount();
    await until(() => outcomes.length > 0, 'the end of the call');
    await nextTurn();
    expect(outcomes).to.deep.equal(['cancelled']);
  });

  it('still tells Vue how the call ended, once', async () => {
    const onDialerCallend = onDialerCallEnd;
    const app = createApp({
      render: () => h(VueDialer, { ...ATTRIBUTES, brokerUrl: broker.url, onDialerCallend }),
    });
    app.mount(place);
    await call();
    app.unmount();
    await until(() => outcomes.length > 0, 'the end of the call');
    await nextTurn();
    expect(outcomes).to.deep.equal(['cancelled']);
  });
});
