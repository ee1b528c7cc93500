import { expect } from '@open-wc/testing';
import { codeOf } from '../support/code-of.ts';
import { FakeVbot } from '../support/fake-vbot.ts';
import {
  button,
  nextTurn,
  openDialer,
  openReady,
  passTime,
  reaches,
  ringOn,
  sdk,
  textOf,
  until,
  settled,
  useStorage,
} from '../support/dialer.ts';
import { session } from '../support/fake-broker.ts';

describe('a dialer and its place on the page', () => {
  it('waits for a sign of interest, or for connect(), where the page wants that', async () => {
    let page = await openDialer({ 'connect-mode': 'interaction' });
    await nextTurn();
    expect(page.broker.asked).to.have.length(0);
    await expect(page.dialer).to.be.accessible();
    page.dialer.dispatchEvent(new PointerEvent('pointerenter'));
    await reaches(page.dialer, 'ready');
    await page.close();
    page = await openDialer({ 'connect-mode': 'manual' });
    page.dialer.dispatchEvent(new PointerEvent('pointerenter'));
    await nextTurn();
    expect(page.broker.asked).to.have.length(0);
    await settled(page.dialer.connect());
    expect(page.dialer.state.status).to.equal('ready');
  });

  it('does not sign in on a page that the browser has loaded in advance, until somebody opens it', async () => {
    let isPrerendering = true;
    Object.defineProperty(document, 'prerendering', { configurable: true, get: () => isPrerendering });
    try {
      const { boots } = FakeVbot;
      const { dialer, broker } = await openDialer();
      await passTime(60_000);
      expect([dialer.state.status, broker.asked.length, FakeVbot.boots]).to.deep.equal(['idle', 0, boots]);
      isPrerendering = false;
      document.dispatchEvent(new Event('prerenderingchange'));
      await reaches(dialer, 'ready');
      expect(broker.count('POST session')).to.equal(1);
    } finally {
      Reflect.deleteProperty(document, 'prerendering');
    }
  });

  it('signs in when the page changes its mind before, not once the page has signed out', async () => {
    const { dialer, broker } = await openDialer({ 'connect-mode': 'manual' });
    dialer.setAttribute('connect-mode', 'auto');
    await reaches(dialer, 'ready');
    await dialer.disconnect();
    for (const mode of ['manual', 'auto']) {
      dialer.setAttribute('connect-mode', mode);
      await nextTurn();
    }
    expect([dialer.state.status, broker.count('POST session')]).to.deep.equal(['idle', 1]);
  });

  it('reads nothing of the storage before it is ready, but the chosen devices before a call can come', async () => {
    const order: string[] = [];
    const listen = globalThis.addEventListener;
    globalThis.addEventListener = (...given: Parameters<typeof listen>) => {
      if (given[0] === 'storage') order.push('listener');
      listen.apply(globalThis, given);
    };
    document.addEventListener('dialer-ready', () => order.push('ready'), { once: true });
    const { localStorage } = globalThis;
    useStorage(() => {
      order.push('storage');
      return localStorage;
    });
    const answer = () => {
      order.push('session');
      return session();
    };
    const { dialer } = await openDialer({}, { 'POST session': answer });
    await reaches(dialer, 'ready');
    globalThis.addEventListener = listen;
    expect(order.slice(0, 2)).to.deep.equal(['session', 'ready']);
    expect(order).to.include.members(['listener', 'storage']);
  });

  it('shows a configuration error without a broker-url, and recovers when it is set', async () => {
    const { dialer, broker } = await openDialer({ 'broker-url': '' });
    await reaches(dialer, 'failed');
    await expect(dialer).to.be.accessible();
    expect(textOf(dialer)).to.include('not set up correctly');
    dialer.brokerUrl = broker.url;
    await reaches(dialer, 'ready');
  });

  it('keeps its connection and its call while it is moved in the page', async () => {
    const { dialer } = await openReady();
    await dialer.call('0900000200');
    const boots = FakeVbot.boots;
    const elsewhere = document.createElement('div');
    document.body.append(elsewhere);
    elsewhere.append(dialer);
    await nextTurn();
    expect(dialer.state.status).to.equal('dialing');
    expect(FakeVbot.boots).to.equal(boots);
    const ends: string[] = [];
    const onEnd = ({ detail }: WindowEventMap['dialer-callend']) => ends.push(detail.call.outcome);
    document.addEventListener('dialer-callend', onEnd);
    elsewhere.remove();
    await until(() => dialer.state.status === 'idle', 'idle after removal');
    document.removeEventListener('dialer-callend', onEnd);
    expect(ends).to.deep.equal(['cancelled']);
    await until(() => !sdk().isConnected, 'the end of the SDK');
  });

  it('does not sign in while it is in no page', async () => {
    const { dialer } = await openReady();
    dialer.remove();
    const codes = await Promise.all(
      [dialer.connect(), dialer.recheck(), dialer.call('0912345678')].map(codeOf),
    );
    await nextTurn();
    expect(codes).to.deep.equal(['not-ready', 'not-ready', 'not-ready']);
    expect([dialer.state.status, sdk().isConnected]).to.deep.equal(['idle', false]);
  });

  it('takes the focus of an agent at the keyboard along, and never takes it from the page', async () => {
    const { dialer } = await openReady();
    const focused = () => dialer.shadowRoot?.activeElement?.textContent.trim();
    button(dialer, 'Call').focus();
    await dialer.call('0912345678');
    await dialer.updateComplete;
    expect(focused()).to.equal('Hang up');
    await dialer.hangUp();
    await dialer.updateComplete;
    const field = dialer.shadowRoot?.querySelector<HTMLInputElement>('input.number');
    expect(dialer.shadowRoot?.activeElement, 'the number field').to.equal(field);
    field?.blur();
    await ringOn(dialer);
    expect(focused()).to.equal(undefined);
  });
});
