import { expect } from '@open-wc/testing';
import { codeOf } from '../support/code-of.ts';
import { FakeVbot } from '../support/fake-vbot.ts';
import {
  button,
  nextTurn,
  openDialer,
  press,
  reaches,
  sdk,
  textOf,
  until,
  type DialerPage,
} from '../support/dialer.ts';

describe('a dialer and its place on the page', () => {
  let page: DialerPage;
  afterEach(() => page.close());

  it('waits for a sign of interest, or for connect(), where the page wants that', async () => {
    page = await openDialer({ 'connect-mode': 'interaction' });
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
    await page.dialer.connect();
    expect(page.dialer.state.status).to.equal('ready');
  });

  it('shows a configuration error without a broker-url, and recovers when it is set', async () => {
    page = await openDialer({ 'broker-url': '' });
    await reaches(page.dialer, 'failed');
    await expect(page.dialer).to.be.accessible();
    expect(textOf(page.dialer)).to.include('not set up correctly');
    page.dialer.brokerUrl = page.broker.url;
    await reaches(page.dialer, 'ready');
  });

  it('signs in anew with an attribute that needs it, though never at the cost of a call', async () => {
    page = await openDialer();
    const { dialer } = page;
    await reaches(dialer, 'ready');
    const boots = FakeVbot.boots;
    dialer.sdkBaseUrl = 'https://staging.example';
    await until(() => FakeVbot.boots === boots + 1, 'a new boot');
    await reaches(dialer, 'ready');
    await dialer.call('0912345678');
    dialer.sdkBaseUrl = '';
    await dialer.updateComplete;
    await nextTurn();
    expect(dialer.state.status).to.equal('dialing');
    expect(FakeVbot.boots).to.equal(boots + 1);
  });

  it('keeps its connection and its call while it is moved in the page', async () => {
    page = await openDialer();
    const { dialer } = page;
    await reaches(dialer, 'ready');
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
    expect(sdk().isConnected).to.equal(false);
  });

  it('does not sign in while it is in no page', async () => {
    page = await openDialer();
    const { dialer } = page;
    await reaches(dialer, 'ready');
    dialer.remove();
    const codes = await Promise.all(
      [dialer.connect(), dialer.recheck(), dialer.call('0912345678')].map(codeOf),
    );
    await nextTurn();
    expect(codes).to.deep.equal(['not-ready', 'not-ready', 'not-ready']);
    expect([dialer.state.status, sdk().isConnected]).to.deep.equal(['idle', false]);
  });

  it('opens from its bubble, and by itself when somebody calls', async () => {
    page = await openDialer({ floating: 'floating' });
    await until(() => FakeVbot.current !== undefined && page.dialer.state.status === 'ready', 'ready');
    expect(textOf(page.dialer)).to.equal('');
    await expect(page.dialer).to.be.accessible();
    await press(page.dialer, 'Open the dialer');
    expect(textOf(page.dialer)).to.include('Ready');
    await press(page.dialer, 'Close the dialer');
    sdk().ring('0987654321');
    await reaches(page.dialer, 'incoming');
    expect(textOf(page.dialer)).to.include('Incoming call');
  });

  it('takes the focus of an agent at the keyboard along, and never takes it from the page', async () => {
    page = await openDialer();
    const { dialer } = page;
    await reaches(dialer, 'ready');
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
    sdk().ring('0987654321');
    await reaches(dialer, 'incoming');
    expect(focused()).to.equal(undefined);
  });
});
