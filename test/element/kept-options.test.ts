/** What the page gave for a call belongs to its number until a call to it was answered, or another number is in its place. */
import { expect } from '@open-wc/testing';
import type { PartnerDialer } from '../../src/index.ts';
import { codeOf } from '../support/code-of.ts';
import {
  fieldOf,
  nextTurn,
  openBlocked,
  openDialer,
  openReady,
  press,
  reaches,
  sdk,
  textOf,
  until,
  type DialerPage,
} from '../support/dialer.ts';
import { FakeVbot } from '../support/fake-vbot.ts';
import { BROKE, session } from '../support/fake-broker.ts';

const NUMBER = '0912345678';
const OPTIONS = { name: 'Trần Văn Bình', hotline: '842899990003', externalCallId: 'deal7' };
const TWO_HOTLINES = [
  { name: 'Sales', phoneNumber: '842899990002' },
  { name: 'Care', phoneNumber: '842899990003' },
];

async function openWithTwoHotlines(): Promise<DialerPage> {
  const page = await openReady();
  sdk().register(TWO_HOTLINES);
  await until(() => page.dialer.hotlines.length === 2, 'the caller numbers');
  return page;
}

/** The call that a press begins. */
async function pressToCall({ dialer, details }: DialerPage, name: string): Promise<unknown> {
  details.delete('callstart');
  await press(dialer, name);
  await until(() => details.has('callstart'), 'the call');
  return details.get('callstart')?.detail.call;
}

async function end(dialer: PartnerDialer, reason?: string): Promise<void> {
  sdk().end(reason);
  await reaches(dialer, 'ended');
}

describe('what the page gave for a call', () => {
  it('counts for "Call" after the guide that the call met', async () => {
    const page = await openBlocked({ 'POST session': () => session(BROKE) });
    expect(await codeOf(page.dialer.call(NUMBER, OPTIONS))).to.equal('insufficient-funds');
    page.broker.on('GET status', () => session());
    await press(page.dialer, 'Check again');
    await until(() => textOf(page.dialer).includes('You can call again'), 'the way back');
    const { name, externalCallId } = OPTIONS;
    expect(await pressToCall(page, 'Call 0912 345 678')).to.include({ name, externalCallId });
  });

  it('counts for "Call again" after a call that nobody answered', async () => {
    const page = await openWithTwoHotlines();
    await page.dialer.call(NUMBER, OPTIONS);
    await end(page.dialer, 'Busy');
    expect(await pressToCall(page, 'Call again')).to.include(OPTIONS);
  });

  it('is over once the call was answered: "Call again" knows the name alone', async () => {
    const page = await openWithTwoHotlines();
    await page.dialer.call(NUMBER, OPTIONS);
    sdk().accept();
    await reaches(page.dialer, 'in-call');
    await end(page.dialer);
    const call = await pressToCall(page, 'Call again');
    expect(call).to.include({ name: OPTIONS.name, hotline: '842899990002' });
    expect(call).to.include({ externalCallId: undefined });
  });

  it('is over once the agent has changed the number, or the page calls it with something else', async () => {
    const page = await openWithTwoHotlines();
    await page.dialer.call(NUMBER, OPTIONS);
    await end(page.dialer, 'Busy');
    await press(page.dialer, 'Erase the last digit');
    await press(page.dialer, '8');
    expect(fieldOf(page.dialer).value).to.equal(NUMBER);
    expect(await pressToCall(page, 'Call')).to.include({ name: undefined, externalCallId: undefined });
    await end(page.dialer, 'Busy');
    await page.dialer.call(NUMBER, { externalCallId: 'deal8' });
    await end(page.dialer, 'Busy');
    expect(await pressToCall(page, 'Call')).to.include({ name: undefined, externalCallId: 'deal8' });
  });

  it('counts for the same number in whatever spelling', async () => {
    const page = await openWithTwoHotlines();
    await page.dialer.call(NUMBER, OPTIONS);
    await end(page.dialer, 'Busy');
    const field = fieldOf(page.dialer);
    field.value = `${NUMBER} `;
    field.dispatchEvent(new InputEvent('input'));
    expect(await pressToCall(page, 'Call')).to.include(OPTIONS);
  });

  it('for a number that is refused during a call does not count for the number in the display', async () => {
    const page = await openWithTwoHotlines();
    await page.dialer.call(NUMBER, OPTIONS);
    expect(await codeOf(page.dialer.call('0987654321', { externalCallId: 'deal8' }))).to.equal('busy');
    await end(page.dialer, 'Busy');
    await nextTurn();
    expect(await pressToCall(page, 'Call')).to.include(OPTIONS);
  });

  it('does not count for a call on the SDK’s own screen while that call waits', async () => {
    FakeVbot.onBoot = (vbot) => {
      vbot.register();
      vbot.dial('0987654321');
    };
    const page = await openDialer({ 'vendor-ui': 'true' });
    const waiting = codeOf(page.dialer.call(NUMBER, OPTIONS));
    await until(() => page.details.has('callstart'), 'the call');
    const call: unknown = page.details.get('callstart')?.detail.call;
    expect(call).to.include({ number: '0987654321', name: undefined, externalCallId: undefined });
    FakeVbot.onBoot = (vbot) => vbot.register();
    await page.dialer.disconnect();
    await waiting;
  });

  it('for the next number shows no other caller number on the call that is being placed', async () => {
    const { dialer } = await openWithTwoHotlines();
    const calling = dialer.call(NUMBER, { hotline: '842899990002' });
    await dialer.prefill('0987654321', { hotline: '842899990003' });
    await dialer.updateComplete;
    expect(dialer.state.call).to.include({ is: 'placing', hotline: '842899990002' });
    expect(dialer.shadowRoot?.querySelector('[part=hotline]')?.textContent).to.contain('028 9999 0002');
    await calling;
    await dialer.disconnect();
  });

  it('does not count for a call on the SDK’s own screen just before that call is dialled', async () => {
    const page = await openReady({ 'vendor-ui': 'true' });
    const refused = codeOf(page.dialer.call(NUMBER, OPTIONS));
    expect(page.dialer.state.call.is).to.equal('placing');
    sdk().dial('0987654321');
    await until(() => page.details.has('callstart'), 'the call');
    const call: unknown = page.details.get('callstart')?.detail.call;
    expect(call).to.include({ number: '0987654321', name: undefined, externalCallId: undefined });
    expect(await refused).to.equal('busy');
    await page.dialer.disconnect();
  });
});
