/** Two agents share a page: what the first one did is neither in sight nor in use for the second one. */
import { expect } from '@open-wc/testing';
import type { PartnerDialer } from '../../src/index.ts';
import {
  fieldOf,
  findIn,
  findNamed,
  missOn,
  nextTurn,
  openReady,
  passTime,
  press,
  reaches,
  recentButton,
  sdk,
  settled,
  stripsOf,
  talkOn,
  textOf,
  until,
  type DialerPage,
} from '../support/dialer.ts';
import { json, LINKS, MEMBER, memberWith, readiness, session } from '../support/fake-broker.ts';
import { FakeVbot } from '../support/fake-vbot.ts';

const MAI = '0912345678';
const BINH = '0987654321';
const OTHER = { ...MEMBER, memberNo: 'agent002', name: 'Trần Văn Bình', extension: '102' };
const TWO_HOTLINES = [
  { name: 'Sales', phoneNumber: '842899990001' },
  { name: 'Care', phoneNumber: '842899990003' },
];

/** From now on, this member is signed in at the page's broker. */
function nowIs({ broker }: DialerPage, member: object): void {
  for (const [what, answer] of Object.entries(memberWith({ member }))) broker.on(what, answer);
}

/** The first agent signs out, and this one signs in. */
async function next(page: DialerPage, member: object = OTHER): Promise<void> {
  await page.dialer.disconnect();
  nowIs(page, member);
  await settled(page.dialer.connect());
  await page.dialer.updateComplete;
}

async function talk({ dialer }: DialerPage): Promise<void> {
  await talkOn(dialer, MAI, { name: 'Nguyễn Thị Mai' });
  sdk().end();
  await reaches(dialer, 'ended');
}

/** As a press of the arrow key in the empty field. */
async function recall({ dialer }: DialerPage): Promise<string> {
  const field = fieldOf(dialer);
  field.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowUp', bubbles: true, composed: true }));
  await dialer.updateComplete;
  return field.value;
}

/** The first agent has chosen the second of two caller numbers. */
async function openWithSecondHotline(): Promise<DialerPage> {
  FakeVbot.onBoot = (vbot) => vbot.register(TWO_HOTLINES);
  const page = await openReady();
  const from = fromOf(page.dialer);
  from.value = '842899990003';
  from.dispatchEvent(new Event('change'));
  await nextTurn();
  expect(page.dialer.state.chosenHotline).to.equal('842899990003');
  return page;
}

const fromOf = (dialer: PartnerDialer) => findIn(dialer, '.hotline select') as HTMLSelectElement;

describe('the next agent on the same page', () => {
  it('is not told how the last call of the one before ended, nor offered to call again', async () => {
    const page = await openReady();
    await talk(page);
    expect(textOf(page.dialer)).to.include('Call again');
    await next(page);
    expect(stripsOf(page.dialer).map(({ textContent }) => textContent)).to.deep.equal([]);
    expect(textOf(page.dialer)).to.not.match(/Mai|0912|Call again/);
  });

  it('does not get the number of that call by the arrow key', async () => {
    const page = await openReady();
    await talk(page);
    await next(page);
    expect(await recall(page)).to.equal('');
  });

  it('finds an empty display: what was typed, and given for it, went with the one before', async () => {
    const page = await openReady();
    await page.dialer.prefill(MAI, { name: 'Nguyễn Thị Mai', externalCallId: 'deal7' });
    await next(page);
    expect(fieldOf(page.dialer).value).to.equal('');
    await page.dialer.prefill(MAI);
    await press(page.dialer, 'Call');
    await until(() => page.details.has('callstart'), 'the call');
    const { call } = page.details.get('callstart')?.detail ?? {};
    expect([call.name, call.externalCallId]).to.deep.equal([undefined, undefined]);
  });

  it('finds it empty, too, where the broker did not name the one before', async () => {
    const page = await openReady({}, { 'POST session': () => json({ token: 'header.payload.signature' }) });
    await page.dialer.prefill(MAI);
    await next(page);
    expect([page.dialer.member?.memberNo, fieldOf(page.dialer).value]).to.deep.equal([OTHER.memberNo, '']);
  });

  it('calls from the page’s caller number, not from the one that the agent before has chosen', async () => {
    const page = await openWithSecondHotline();
    await next(page);
    await reaches(page.dialer, 'ready');
    expect(fromOf(page.dialer).value).to.equal('842899990001');
    await page.dialer.call(MAI);
    expect(sdk().told).to.deep.equal([`makeCall ${MAI} 842899990001`]);
  });

  for (const [who, member, number] of [
    ['calls from that number also when the call is what signs them in', OTHER, '842899990001'],
    ['is the same one, and calls from the number that they have chosen', MEMBER, '842899990003'],
  ] as const)
    it(who, async () => {
      const page = await openWithSecondHotline();
      await page.dialer.disconnect();
      nowIs(page, member);
      await settled(page.dialer.call(MAI));
      expect(sdk().told).to.deep.equal([`makeCall ${MAI} ${number}`]);
    });

  it('can ask for money, whatever came of the request of the one before', async () => {
    const low = { balance: 100 };
    const page = await openReady({}, memberWith({ member: { ...MEMBER, ...low } }));
    page.broker.on('POST top-up', () => readiness({ member: { ...MEMBER, ...low } }));
    await press(page.dialer, 'Ask for a top-up');
    await until(() => textOf(page.dialer).includes('Top-up requested'), 'the answer');
    await next(page, { ...OTHER, ...low });
    expect(findIn(page.dialer, '.low-balance').textContent).to.include('Ask for a top-up');
  });

  it('is not told what the page has done about the request of the one before', async () => {
    const low = { balance: 100 };
    const page = await openReady({}, memberWith({ member: { ...MEMBER, ...low } }));
    let done: ((notice: 'help-requested') => void) | undefined;
    page.dialer.addEventListener('dialer-topuprequest', (event) => {
      event.preventDefault();
      ({ done } = event.detail);
    });
    await press(page.dialer, 'Ask for a top-up');
    await next(page, { ...OTHER, ...low });
    done?.('help-requested');
    await nextTurn();
    expect(findIn(page.dialer, '.low-balance').textContent).to.include('Ask for a top-up');
  });

  it('has recent calls and missed callers of their own, and the one before has theirs again', async () => {
    const [one, other] = [newMember(MEMBER), newMember(OTHER)];
    const page = await openReady({}, memberWith({ member: one }));
    await missOn(page.dialer, BINH);
    expect(textOf(page.dialer)).to.include('Missed call');
    await next(page, other);
    expect(textOf(page.dialer)).to.not.include('Missed call');
    expect(await listOf(page)).to.include('No calls yet');
    await talk(page);
    await next(page, one);
    await until(() => textOf(page.dialer).includes('Missed call'), 'the missed call');
    const listed = await listOf(page);
    expect(listed).to.include('0987 654 321');
    expect(listed).to.not.include('Mai');
  });

  it('that the broker does not name has a list that is empty, and kept for nobody', async () => {
    const one = newMember(MEMBER);
    const page = await openReady({}, memberWith({ member: one }));
    await talk(page);
    await page.dialer.disconnect();
    page.broker.on('POST next', () => json({ token: 'header.payload.signature' }));
    page.dialer.setAttribute('broker-url', '/broker/next');
    await settled(page.dialer.connect());
    expect(await listOf(page)).to.include('No calls yet');
    await page.dialer.call(BINH);
    sdk().end();
    await reaches(page.dialer, 'ended');
    await page.dialer.disconnect();
    page.dialer.setAttribute('broker-url', '/broker/session');
    await settled(page.dialer.connect());
    await press(page.dialer, 'Recent calls');
    await until(() => calls(page).includes('Mai'), 'the calls of the first one');
    expect(calls(page)).to.not.include('0987 654 321');
  });

  it('reads nothing of it while nobody is signed in', async () => {
    const page = await openReady({}, memberWith({ member: newMember(MEMBER) }));
    await talk(page);
    await page.dialer.prefill('0913333333');
    await page.dialer.disconnect();
    await page.dialer.updateComplete;
    expect(await recall(page)).to.equal('');
    expect(textOf(page.dialer)).to.not.match(/Mai|0912|0913/);
    expect(await listOf(page)).to.include('No calls yet');
    expect(page.dialer.supportDetails()).to.not.include('outgoing');
  });

  it('gets what the page has shown since the sign-out', async () => {
    const page = await openReady();
    await page.dialer.prefill(MAI);
    await page.dialer.disconnect();
    nowIs(page, OTHER);
    await page.dialer.prefill(BINH, { externalCallId: 'deal8' });
    await settled(page.dialer.connect());
    await page.dialer.updateComplete;
    expect(fieldOf(page.dialer).value).to.equal(BINH);
    await press(page.dialer, 'Call');
    await until(() => page.details.has('callstart'), 'the call');
    expect(page.details.get('callstart')?.detail.call.externalCallId).to.equal('deal8');
  });

  it('is met without a sign-out, too: the renewed token is another member’s', async () => {
    const page = await openReady({}, { 'POST session': dueSoon });
    await talk(page);
    await page.dialer.prefill(BINH);
    nowIs(page, OTHER);
    await until(() => page.dialer.member?.memberNo === OTHER.memberNo, 'the next member');
    await reaches(page.dialer, 'ready');
    expect(await recall(page)).to.equal('');
    expect(textOf(page.dialer)).to.not.match(/Mai|0912|Call again/);
  });
});

describe('the next agent, whom the broker names before the dialer has asked for a token', () => {
  it('gets a phone of their own', async () => {
    const page = await openReady();
    await talk(page);
    const boots = FakeVbot.boots;
    nowIs(page, OTHER);
    await page.dialer.recheck();
    await until(() => page.dialer.member?.memberNo === OTHER.memberNo, 'the next member');
    await reaches(page.dialer, 'ready');
    expect(FakeVbot.boots).to.equal(boots + 1);
    expect(textOf(page.dialer)).to.not.match(/Mai|0912|Call again/);
  });

  it('waits for the end of the call, which is of the one before', async () => {
    const [one, other] = [newMember(MEMBER), newMember(OTHER)];
    const page = await openReady({}, memberWith({ member: one }));
    await talkOn(page.dialer, MAI);
    nowIs(page, other);
    await page.dialer.recheck();
    await passTime(1000);
    expect(page.dialer.member).to.include(one);
    sdk().end();
    await until(() => page.dialer.member?.name === OTHER.name, 'the next member');
    await reaches(page.dialer, 'ready');
    expect(await listOf(page)).to.include('No calls yet');
  });

  it('is asked for once where the broker names one at the sign-in and another one later', async () => {
    const page = await openReady();
    page.broker.on('GET status', () => readiness({ member: { ...OTHER, balance: 700 } }));
    for (let count = 0; count < 3; count += 1) {
      await page.dialer.recheck();
      await passTime(1000);
      await reaches(page.dialer, 'ready');
    }
    expect(page.broker.count('POST session')).to.equal(2);
    expect(page.dialer.member).to.include({ memberNo: MEMBER.memberNo, balance: 700 });
  });
});

describe('the same agent, signed in again', () => {
  it('finds the display as it was, and the arrow key gives the last number', async () => {
    const page = await openReady();
    await talk(page);
    await page.dialer.prefill(BINH, { externalCallId: 'deal8' });
    await next(page, MEMBER);
    await reaches(page.dialer, 'ready');
    expect(fieldOf(page.dialer).value).to.equal(BINH);
    await page.dialer.prefill('');
    expect(await recall(page)).to.equal(MAI);
  });

  it('calls from the number chosen before', async () => {
    FakeVbot.onBoot = (vbot) => vbot.register(TWO_HOTLINES);
    const page = await openReady();
    const from = fromOf(page.dialer);
    from.value = '842899990003';
    from.dispatchEvent(new Event('change'));
    await next(page, MEMBER);
    await reaches(page.dialer, 'ready');
    expect(fromOf(page.dialer).value).to.equal('842899990003');
  });

  it('is the same for a broker that names the member at the first sign-in only', async () => {
    const page = await openReady();
    await talk(page);
    page.broker.on('POST session', () => json({ token: 'second', links: LINKS }));
    sdk().emit('onUserConnectionFailed', { error: 'Kết nối thất bại' });
    await passTime(10_000);
    await reaches(page.dialer, 'ready');
    expect(textOf(page.dialer)).to.include('Call again');
  });
});

/** The token is renewed in four seconds. */
function dueSoon(): Response {
  return session({ token: 'first', expiresAt: new Date(Date.now() + 5000).toISOString() });
}

/** Nobody has called as this one before. */
function newMember(member: object): object {
  return { ...member, memberNo: `agent-${crypto.randomUUID()}` };
}

function calls({ dialer }: DialerPage): string {
  return findNamed(dialer, 'Recent calls')?.textContent ?? '';
}

/** What the list of recent calls shows; it is closed again. */
async function listOf(page: DialerPage): Promise<string> {
  recentButton(page.dialer).click();
  await passTime(200);
  const text = calls(page);
  await press(page.dialer, 'Close the list');
  return text;
}
