/** The page shows a number and calls nobody; what it gives for the call belongs to that number. */
import { expect } from '@open-wc/testing';
import type { PartnerDialer } from '../../src/index.ts';
import {
  button,
  fieldOf,
  findIn,
  findNamed,
  nextTurn,
  openBlocked,
  openDialer,
  openReady,
  press,
  reaches,
  ringOn,
  sdk,
  talkOn,
  textOf,
  until,
} from '../support/dialer.ts';
import { session } from '../support/fake-broker.ts';

const OPTIONS = { name: 'Trần Văn Bình', hotline: '842899990003', externalCallId: 'deal7' };
const TWO_HOTLINES = [
  { name: 'Sales', phoneNumber: '842899990002' },
  { name: 'Care', phoneNumber: '842899990003' },
];

const fromOf = (dialer: PartnerDialer) => findIn(dialer, '.hotline select') as HTMLSelectElement;

describe('prefill()', () => {
  it('shows the number, opens the card and calls nobody', async () => {
    const { dialer, events } = await openReady({ floating: 'bottom-right' });
    await dialer.prefill('0912 345 678');
    expect(dialer.open).to.equal(true);
    expect(fieldOf(dialer).value).to.equal('0912 345 678');
    await nextTurn();
    expect(dialer.state.call.is).to.equal('none');
    expect(events).to.not.include('beforecall');
  });

  it('takes the address of a tel: link, and clears the display with an empty number', async () => {
    const { dialer } = await openReady();
    await dialer.prefill('tel:+84-912-345-678');
    expect(fieldOf(dialer).value).to.equal('0912345678');
    await dialer.prefill('');
    expect(fieldOf(dialer).value).to.equal('');
  });

  it('leaves the sound devices open under the hand of an agent in a call', async () => {
    const { dialer } = await openReady();
    await talkOn(dialer);
    await press(dialer, 'Sound devices');
    const devices = findNamed(dialer, 'Sound devices');
    expect(devices).to.not.equal(null);
    await dialer.prefill('0987654321');
    await dialer.updateComplete;
    expect(findNamed(dialer, 'Sound devices') === devices).to.equal(true);
  });

  it('calls with its options when the agent presses Call', async () => {
    const { dialer, details } = await openReady();
    sdk().register(TWO_HOTLINES);
    await until(() => dialer.hotlines.length === 2, 'the caller numbers');
    await dialer.prefill('0912345678', OPTIONS);
    expect(fromOf(dialer).value).to.equal(OPTIONS.hotline);
    await press(dialer, 'Call');
    await until(() => details.has('callstart'), 'the call');
    expect(details.get('callstart')?.detail.call).to.include(OPTIONS);
  });

  it('calls from the number that the agent chooses after it', async () => {
    const { dialer, details } = await openReady();
    sdk().register(TWO_HOTLINES);
    await until(() => dialer.hotlines.length === 2, 'the caller numbers');
    await dialer.prefill('0912345678', OPTIONS);
    const from = fromOf(dialer);
    from.value = '842899990002';
    from.dispatchEvent(new Event('change'));
    await press(dialer, 'Call');
    await until(() => details.has('callstart'), 'the call');
    expect(details.get('callstart')?.detail.call).to.include({ ...OPTIONS, hotline: '842899990002' });
  });

  it('shows a number that cannot be called with what is wrong with it', async () => {
    const { dialer } = await openReady();
    await dialer.prefill('0912345678 or 0912345679');
    expect(textOf(dialer)).to.include('More than one number: keep one.');
    await dialer.prefill('0912');
    expect(textOf(dialer)).to.include('Not a full number yet.');
  });

  it('refuses an external call id that is none, and shows nothing', async () => {
    const { dialer } = await openReady();
    const error: unknown = await dialer.prefill('0912345678', { externalCallId: 'A B' }).catch((e) => e);
    expect(error).to.include({ name: 'DialerError', code: 'configuration' });
    expect(fieldOf(dialer).value).to.equal('');
  });

  it('is refused outside of a page', async () => {
    const dialer = document.createElement('partner-dialer');
    const error: unknown = await dialer.prefill('0912345678').catch((e) => e);
    expect(error).to.include({ name: 'DialerError', code: 'not-ready' });
  });

  it('works before the sign-in, which it does not begin', async () => {
    const { dialer, broker } = await openDialer({ 'connect-mode': 'manual' });
    await dialer.prefill('0912345678', OPTIONS);
    expect(fieldOf(dialer).value).to.equal('0912345678');
    await nextTurn();
    expect([dialer.state.status, broker.count('POST session')]).to.deep.equal(['idle', 0]);
  });

  it('waits in a guide, and keeps its options until the member can call', async () => {
    const { dialer, broker, details } = await openBlocked({
      'POST session': () => session({ blockers: ['insufficient-funds'] }),
    });
    await dialer.prefill('0912345678', OPTIONS);
    expect(textOf(dialer)).to.include('Then: call 0912 345 678');
    broker.on('GET status', () => session({}));
    await press(dialer, 'Check again');
    await until(() => textOf(dialer).includes('You can call again'), 'the way back');
    await press(dialer, 'Call 0912 345 678');
    await until(() => details.has('callstart'), 'the call');
    expect(details.get('callstart')?.detail.call.externalCallId).to.equal('deal7');
  });

  it('in a call leaves the keys open, which cover nothing that is typed', async () => {
    const { dialer } = await openReady();
    await talkOn(dialer);
    await press(dialer, 'Keys');
    await dialer.prefill('0912345678');
    expect(button(dialer, 'Keys').ariaExpanded).to.equal('true');
  });

  it('in a call shows its number once the call is over, whoever has called whom', async () => {
    const { dialer } = await openReady();
    await dialer.call('0911111111');
    await dialer.prefill('0912345678', OPTIONS);
    expect(dialer.state.status).to.equal('dialing');
    sdk().accept();
    await reaches(dialer, 'in-call');
    sdk().end();
    await reaches(dialer, 'ended');
    expect(fieldOf(dialer).value).to.equal('0912345678');
    await ringOn(dialer);
    await dialer.prefill('0913333333');
    sdk().end();
    await reaches(dialer, 'ended');
    expect(fieldOf(dialer).value).to.equal('0913333333');
    await talkOn(dialer, '0913333333');
    sdk().end();
    await reaches(dialer, 'ended');
    expect(fieldOf(dialer).value).to.equal('');
  });

  it('closes what is open in the place of the display', async () => {
    const { dialer } = await openReady();
    button(dialer, 'Recent calls').click();
    await nextTurn();
    await dialer.prefill('0912345678');
    expect(fieldOf(dialer).value).to.equal('0912345678');
  });
});
