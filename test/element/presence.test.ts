import { expect } from '@open-wc/testing';
import { codeOf } from '../support/code-of.ts';
import { FakeVbot } from '../support/fake-vbot.ts';
import {
  button,
  nextTurn,
  openDesk,
  press,
  reaches,
  sdk,
  textOf,
  until,
  type DialerPage,
} from '../support/dialer.ts';

describe('a dialer and its place on the page', () => {
  let desk: DialerPage;
  afterEach(() => desk.close());

  it('waits for a sign of interest, or for connect(), where the page wants that', async () => {
    desk = await openDesk({ 'connect-mode': 'interaction' });
    await nextTurn();
    expect(desk.broker.asked).to.have.length(0);
    await expect(desk.dialer).to.be.accessible();
    desk.dialer.dispatchEvent(new PointerEvent('pointerenter'));
    await reaches(desk.dialer, 'ready');
    await desk.close();
    desk = await openDesk({ 'connect-mode': 'manual' });
    desk.dialer.dispatchEvent(new PointerEvent('pointerenter'));
    await nextTurn();
    expect(desk.broker.asked).to.have.length(0);
    await desk.dialer.connect();
    expect(desk.dialer.state.status).to.equal('ready');
  });

  it('shows a configuration error without a broker-url, and recovers when it is set', async () => {
    desk = await openDesk({ 'broker-url': '' });
    await reaches(desk.dialer, 'failed');
    await expect(desk.dialer).to.be.accessible();
    expect(textOf(desk.dialer)).to.include('not set up correctly');
    desk.dialer.brokerUrl = desk.broker.url;
    await reaches(desk.dialer, 'ready');
  });

  it('signs in anew with an attribute that needs it, though never at the cost of a call', async () => {
    desk = await openDesk();
    const { dialer } = desk;
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
    desk = await openDesk();
    const { dialer } = desk;
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
    const onEnd = ({ detail }: WindowEventMap['dialer-callend']) => ends.push(detail.call.outcome ?? '');
    document.addEventListener('dialer-callend', onEnd);
    elsewhere.remove();
    await until(() => dialer.state.status === 'idle', 'idle after removal');
    document.removeEventListener('dialer-callend', onEnd);
    expect(ends).to.deep.equal(['cancelled']);
    expect(sdk().isConnected).to.equal(false);
  });

  it('does not sign in while it is in no page', async () => {
    desk = await openDesk();
    const { dialer } = desk;
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
    desk = await openDesk({ floating: 'floating' });
    await until(() => FakeVbot.current !== undefined && desk.dialer.state.status === 'ready', 'ready');
    expect(textOf(desk.dialer)).to.equal('');
    await expect(desk.dialer).to.be.accessible();
    await press(desk.dialer, 'Open the dialer');
    expect(textOf(desk.dialer)).to.include('Ready');
    await press(desk.dialer, 'Close the dialer');
    sdk().ring('0987654321');
    await reaches(desk.dialer, 'incoming');
    expect(textOf(desk.dialer)).to.include('Incoming call');
  });

  it('takes the focus of an agent at the keyboard along, and never takes it from the page', async () => {
    desk = await openDesk();
    const { dialer } = desk;
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
