/** A call that waits for the connection: it is in sight, can be cancelled, and gives way to what the agent types or clicks next. */
import { expect, nextFrame } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import { chooseWords } from '../../src/i18n/words.ts';
import { setClock } from '../support/clock.ts';
import { codeOf } from '../support/code-of.ts';
import {
  announcementOf,
  button,
  fieldOf,
  openBlocked,
  openDialer,
  openReady,
  passTime,
  press,
  reaches,
  sdk,
  stripsOf,
  textOf,
  until,
  type DialerPage,
} from '../support/dialer.ts';
import { FakeVbot } from '../support/fake-vbot.ts';
import { MEMBER, memberWith, session } from '../support/fake-broker.ts';
import { openOtherTab } from '../support/other-tab.ts';
import { centerOf, hesitate, pressAt } from '../support/pointer.ts';

const FIRST = '0912345678';
const SECOND = '0987654321';
const { callsOnceConnected } = chooseWords('en');

describe('a call that waits for the connection', () => {
  let page: DialerPage;
  /** The broker answers: the dialer connects. */
  let connect: () => void;

  const open = async (attributes: Readonly<Record<string, string>> = {}) => {
    page = await openDialer(attributes, { 'POST session': later() });
    await reaches(page.dialer, 'connecting');
  };
  const later = () => {
    const answers: ((answer: Response) => void)[] = [];
    connect = () => answers.splice(0).forEach((answer) => answer(session()));
    return () => new Promise<Response>((resolve) => answers.push(resolve));
  };
  /** A setting needs another connection. */
  const connectAgain = async () => {
    page.broker.on('POST session', later());
    page.dialer.setAttribute('sdk-base-url', 'https://other.example');
    await reaches(page.dialer, 'connecting');
  };
  /** The agent types the number and presses "Call". */
  const ask = async (number = FIRST) => {
    fieldOf(page.dialer).select();
    await sendKeys({ type: number });
    await hesitate();
    await sendKeys({ press: 'Enter' });
    await page.dialer.updateComplete;
  };
  const strips = () =>
    stripsOf(page.dialer).map(({ textContent }) => textContent.replaceAll(/\s+/g, ' ').trim());
  /** What the SDK was asked to dial, once the dialer has connected. */
  const dialled = async () => {
    connect();
    await until(() => page.dialer.state.line.is === 'up', 'the connection');
    await passTime(100);
    await until(() => page.dialer.state.call.is !== 'placing', 'the call');
    return (FakeVbot.current?.told ?? [])
      .filter((each) => each.startsWith('makeCall'))
      .map((each) => each.split(' ')[1]);
  };
  const callerNumbers = () => {
    const list = page.dialer.shadowRoot?.querySelector<HTMLSelectElement>('[part~=hotline] select');
    if (!list) throw new Error('no list of caller numbers');
    return list;
  };
  const alert = () => page.dialer.shadowRoot?.querySelector('[role=alert]')?.textContent;

  it('is in sight, is announced, and is placed once', async () => {
    await open();
    await ask();
    expect(strips()).to.deep.equal([`${callsOnceConnected} 0912 345 678 Cancel`]);
    expect(announcementOf(page.dialer)?.textContent).to.equal(`${callsOnceConnected}: 0912 345 678`);
    await sendKeys({ press: 'Enter' });
    expect(alert(), 'a second press').to.equal('');
    expect(await dialled()).to.deep.equal([FIRST]);
    expect(strips()).to.deep.equal([]);
  });

  it('is cancelled by a press of "Cancel" or Escape, without a word', async () => {
    await open();
    await ask();
    await hesitate();
    await pressAt(centerOf(button(page.dialer, 'Cancel')));
    await page.dialer.updateComplete;
    expect(strips()).to.deep.equal([]);
    await ask();
    await sendKeys({ press: 'Escape' });
    await page.dialer.updateComplete;
    expect([strips(), alert()]).to.deep.equal([[], '']);
    expect(await dialled()).to.deep.equal([]);
    expect([fieldOf(page.dialer).value, alert()]).to.deep.equal([FIRST, '']);
  });

  it('is not placed when the machine wakes after two hours: the agent reads so, and has the number', async () => {
    await open();
    await ask();
    setClock(7_200_000);
    expect(await dialled()).to.deep.equal([]);
    await page.dialer.updateComplete;
    expect([strips(), alert()]).to.deep.equal([[], chooseWords('en').error['call-rejected']]);
    expect(fieldOf(page.dialer).value).to.equal(FIRST);
  });

  it('gives way to the number that the agent corrects it to', async () => {
    await open();
    await ask();
    await ask(SECOND);
    expect(textOf(page.dialer)).to.include('0987 654 321').and.not.include('0912');
    expect(await dialled()).to.deep.equal([SECOND]);
    expect(alert()).to.equal('');
  });

  it('stays in sight, and can be cancelled, while the recent calls or the devices are open', async () => {
    await open();
    await ask();
    for (const name of ['Recent calls', 'Sound devices']) {
      await press(page.dialer, name);
      expect(strips(), name).to.deep.equal([`${callsOnceConnected} 0912 345 678 Cancel`]);
    }
    await press(page.dialer, 'Cancel');
    expect(strips()).to.deep.equal([]);
    expect(await dialled()).to.deep.equal([]);
  });

  it('stays also when its number has a zero in brackets, where the page allows any', async () => {
    await open({ 'number-plan': 'any' });
    await ask('+44 (0)20 7946 0958');
    await press(page.dialer, 'Sound devices');
    await nextFrame();
    expect(strips()).to.have.length(1);
    await press(page.dialer, 'Close the sound devices');
    expect(await dialled()).to.deep.equal(['+4402079460958']);
  });

  it('is not cancelled by a press that was meant for the one before', async () => {
    await open();
    const first = codeOf(page.dialer.call(FIRST));
    await page.dialer.updateComplete;
    await hesitate();
    const place = centerOf(button(page.dialer, 'Cancel'));
    const second = codeOf(page.dialer.call(SECOND));
    expect(await first).to.equal('call-rejected');
    await page.dialer.updateComplete;
    await nextFrame();
    await pressAt(place);
    await hesitate();
    expect(strips()).to.deep.equal([`${callsOnceConnected} 0987 654 321 Cancel`]);
    await pressAt(place);
    expect(await second).to.equal('call-rejected');
  });

  it('for the phone of another tab is in sight with the guide, is announced, and can be cancelled', async () => {
    const tab = await openOtherTab({ is: 'idle' });
    try {
      page = await openBlocked();
      tab.answers = false;
      const call = codeOf(page.dialer.call(FIRST));
      await page.dialer.updateComplete;
      expect(strips()).to.deep.equal([`${callsOnceConnected} 0912 345 678 Cancel`]);
      expect(announcementOf(page.dialer)?.textContent).to.equal(`${callsOnceConnected}: 0912 345 678`);
      await press(page.dialer, 'Cancel');
      expect(await call).to.equal('call-rejected');
      expect(strips()).to.deep.equal([]);
    } finally {
      tab.close();
    }
  });

  it('is given up for the next member, who reads nothing of it', async () => {
    page = await openReady();
    await connectAgain();
    await ask();
    const member = { ...MEMBER, memberNo: 'agent002', name: 'Bình' };
    for (const [what, answer] of Object.entries(memberWith({ member }))) page.broker.on(what, answer);
    await page.dialer.disconnect();
    await page.dialer.connect();
    await page.dialer.updateComplete;
    expect(page.dialer.member?.memberNo).to.equal('agent002');
    expect([strips(), alert(), fieldOf(page.dialer).value]).to.deep.equal([[], '', '']);
  });

  for (const [what, correct] of Object.entries({
    'types on': () => sendKeys({ type: '9' }),
    erases: () => sendKeys({ press: 'Backspace' }),
    'presses a key of the keypad': () => press(page.dialer, '9'),
  })) {
    it(`is not placed when the agent ${what}`, async () => {
      await open();
      await ask();
      await correct();
      await page.dialer.updateComplete;
      expect(strips()).to.deep.equal([]);
      expect(await dialled()).to.deep.equal([]);
      expect(alert()).to.equal('');
    });
  }

  it('gives way to a link that is clicked next, with its name', async () => {
    await open({ 'click-to-call': 'true' });
    const [first, second] = [FIRST, SECOND].map((number, index) =>
      link(number, ['Mai', 'Bình'][index] ?? ''),
    );
    first?.click();
    await page.dialer.updateComplete;
    expect(strips()).to.deep.equal([`${callsOnceConnected} Mai Cancel`]);
    second?.click();
    await page.dialer.updateComplete;
    expect(strips()).to.deep.equal([`${callsOnceConnected} Bình Cancel`]);
    expect(await dialled()).to.deep.equal([SECOND]);
    const { call } = page.dialer.state;
    expect('info' in call && call.info.name).to.equal('Bình');
    sdk().end('Busy');
    await reaches(page.dialer, 'ended');
    await hesitate();
    await pressAt(centerOf(button(page.dialer, 'Call again')));
    await reaches(page.dialer, 'dialing');
    expect(textOf(page.dialer)).to.include('Bình');
  });

  it('gives way to what the page asks for next, and its promise says so', async () => {
    await open();
    const first = codeOf(page.dialer.call(FIRST));
    const second = page.dialer.call(SECOND);
    expect(await first).to.equal('call-rejected');
    await page.dialer.updateComplete;
    expect([strips(), alert()]).to.deep.equal([[`${callsOnceConnected} 0987 654 321 Cancel`], '']);
    const third = codeOf(second);
    await page.dialer.prefill('0900000200');
    expect(await third).to.equal('call-rejected');
    expect(await dialled()).to.deep.equal([]);
  });

  it('is given up by the page’s hangUp(), also while it waits for the phone', async () => {
    await open();
    const call = codeOf(page.dialer.call(FIRST));
    await page.dialer.hangUp();
    expect(await call).to.equal('call-rejected');
    await page.dialer.updateComplete;
    expect([strips(), alert()]).to.deep.equal([[], '']);
  });

  it('goes out with the caller number that the agent chooses while it waits', async () => {
    FakeVbot.onBoot = (vbot) => vbot.register(TWO_HOTLINES);
    page = await openReady();
    const { dialer } = page;
    await connectAgain();
    void dialer.call(FIRST, { hotline: '842899990003' });
    await dialer.updateComplete;
    expect(callerNumbers().value).to.equal('842899990003');
    callerNumbers().value = '842899990001';
    callerNumbers().dispatchEvent(new Event('change'));
    expect(await dialled()).to.deep.equal([FIRST]);
    expect(sdk().told).to.deep.equal([`makeCall ${FIRST} 842899990001`]);
  });

  it('goes out from the page’s caller number if the one that the agent has chosen is gone by then', async () => {
    FakeVbot.onBoot = (vbot) => vbot.register(TWO_HOTLINES);
    page = await openReady({ hotline: '842899990003' });
    await connectAgain();
    FakeVbot.onBoot = (vbot) =>
      vbot.register([{ name: 'New', phoneNumber: '842899990002' }, ...TWO_HOTLINES.slice(1)]);
    await ask();
    callerNumbers().value = '842899990001';
    callerNumbers().dispatchEvent(new Event('change'));
    expect(await dialled()).to.deep.equal([FIRST]);
    expect(sdk().told).to.deep.equal([`makeCall ${FIRST} 842899990003`]);
  });

  it('goes out with the ID and the caller number of its own customer, when the page goes on to the next one', async () => {
    FakeVbot.onBoot = (vbot) => vbot.register(TWO_HOTLINES);
    page = await openReady({ hotline: '842899990003', 'external-call-id': 'deal1' });
    const { dialer } = page;
    await connectAgain();
    await ask();
    dialer.setAttribute('hotline', '842899990001');
    dialer.setAttribute('external-call-id', 'deal2');
    await passTime(100);
    expect(callerNumbers().value).to.equal('842899990003');
    expect(await dialled()).to.deep.equal([FIRST]);
    sdk().end('Busy');
    await reaches(dialer, 'ended');
    await dialer.call(SECOND);
    expect(sdk().told).to.deep.equal([
      `makeCall ${FIRST} 842899990003 deal1`,
      `makeCall ${SECOND} 842899990001 deal2`,
    ]);
  });

  it('for settings that connect again gives way likewise', async () => {
    page = await openReady();
    await connectAgain();
    await ask();
    expect(strips()).to.deep.equal([`${callsOnceConnected} 0912 345 678 Cancel`]);
    await ask(SECOND);
    expect(await dialled()).to.deep.equal([SECOND]);
  });
});

const TWO_HOTLINES = [
  { name: 'Sales', phoneNumber: '842899990001' },
  { name: 'Care', phoneNumber: '842899990003' },
];

function link(number: string, name: string): HTMLElement {
  const made = document.createElement('a');
  made.href = `tel:${number}`;
  made.textContent = name;
  document.body.append(made);
  after(() => made.remove());
  return made;
}
