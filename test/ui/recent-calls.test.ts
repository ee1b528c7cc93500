import { expect } from '@open-wc/testing';
import {
  button,
  findNamed,
  findPart,
  missOn,
  openReady,
  press,
  reaches,
  recentButton,
  ringOn,
  sdk,
  talkOn,
  textOf,
  until,
  useStorage,
  type DialerPage,
} from '../support/dialer.ts';
import { BROKE, MEMBER, memberWith, readiness } from '../support/fake-broker.ts';
import { centerOf, hesitate, pressAt } from '../support/pointer.ts';
import { Replacements } from '../support/replacements.ts';

const refuse = () => {
  throw new DOMException('refused', 'SecurityError');
};
const BROKEN_STORAGES: Record<string, () => Storage> = {
  forbidden: refuse,
  full: () => Object.assign(Object.create(null), { getItem: () => null, setItem: refuse }) as Storage,
  garbled: () => Object.assign(Object.create(null), { getItem: () => '{', setItem: refuse }) as Storage,
};

describe('the recent calls', () => {
  let member = '';
  let current: DialerPage | undefined;
  beforeEach(() => {
    member = `agent-${crypto.randomUUID()}`;
    current = undefined;
  });

  /** As after a reload: nothing is left in memory. */
  async function open(memberNo = member): Promise<DialerPage> {
    await current?.close();
    current = await openReady({}, memberWith({ member: { ...MEMBER, memberNo } }));
    return current;
  }

  it('are one press away, with name, number, outcome and time, and one press calls again', async () => {
    const page = await open();
    const { dialer } = page;
    await talk(page, '0912345678', 'Nguyễn Thị Mai');
    await ringOn(dialer);
    await dialer.reject();
    await openList(page);
    await expect(dialer).to.be.accessible();
    const lines = [...row(page, 1).querySelectorAll('.who, .what')];
    expect(lines.map((line) => getComputedStyle(line).textAlign)).to.deep.equal(['start', 'start']);
    const [declined, talked] = entries(page);
    expect(declined).to.match(/0987 654 321 ?\d\d:\d\d ?Declined/);
    expect(talked).to.match(/Nguyễn Thị Mai ?\d\d:\d\d ?0912 345 678 · Answered · \d s/);
    await hesitate();
    await pressAt(centerOf(row(page, 1)));
    await until(() => dialer.state.call.is === 'dialing', 'the call');
    expect(sdk().told.at(-1)).to.equal('makeCall 0912345678 842899990001');
    expect(textOf(dialer), 'who is called').to.include('Nguyễn Thị Mai');
    sdk().end();
    await reaches(dialer, 'ended');
    expect(entries(page), 'the list has made room for the call').to.have.length(0);
  });

  it('are opened and closed with the keyboard, and what is hidden by them is not called', async () => {
    const page = await open();
    const { dialer } = page;
    await talk(page, '0912345678');
    await press(dialer, '1');
    await openList(page);
    await hesitate();
    const card = findPart(dialer, 'card');
    card?.focus();
    const key = (name: string) =>
      card?.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, composed: true }));
    key('Enter');
    await dialer.updateComplete;
    expect(dialer.state.status).to.equal('ended');
    key('Escape');
    await dialer.updateComplete;
    expect(button(dialer, 'Recent calls').textContent).to.include('Recent calls');
  });

  it('give way to a guide that comes, and the focus goes to nothing that acts', async () => {
    const page = await open();
    const { dialer, broker } = page;
    await talk(page, '0912345678');
    await talk(page, '0987654321');
    await openList(page);
    row(page, 1).focus();
    expect(dialer.shadowRoot?.activeElement).to.equal(row(page, 1));
    broker.on('GET status', () => readiness({ ...BROKE, member: { ...MEMBER, memberNo: member } }));
    await dialer.recheck();
    await dialer.updateComplete;
    expect(entries(page)).to.have.length(0);
    expect(dialer.shadowRoot?.activeElement?.part.value).to.equal('card');
  });

  it('give way to the guide when one of them is pressed, and its number waits there', async () => {
    const page = await open();
    const { dialer, broker } = page;
    await talk(page, '0912345678');
    broker.on('GET status', () => readiness({ ...BROKE, member: { ...MEMBER, memberNo: member } }));
    await dialer.recheck();
    await dialer.updateComplete;
    await openList(page);
    row(page, 0).click();
    await until(() => textOf(dialer).includes('Then: call 0912 345 678'), 'the guide');
    expect(entries(page)).to.have.length(0);
  });

  it('leave the focus to the card and not to its field on a phone, where the screen’s keys would cover it', async () => {
    const page = await open();
    const { dialer } = page;
    await talk(page, '0912345678');
    const phone = new Replacements();
    const { matchMedia } = globalThis;
    phone.replace(globalThis, 'matchMedia', (query: string) =>
      query === '(pointer: coarse)' ? { matches: true } : matchMedia(query),
    );
    try {
      await openList(page);
      button(dialer, 'Close the list').focus();
      await press(dialer, 'Close the list');
      expect(dialer.shadowRoot?.activeElement?.localName).to.equal('section');
    } finally {
      phone.restore();
    }
  });

  it('are the last ten, after a reload, too, and leave no other trace in the browser', async () => {
    const page = await open();
    const before = storages();
    for (let count = 10; count < 22; count += 1) {
      await talk(page, `09123456${count}`);
    }
    const again = await open();
    await openList(again);
    await until(() => entries(again).length > 0, 'the list');
    expect(entries(again)).to.have.length(10);
    expect(entries(again)[0]).to.include('0912 345 621');
    expect(storages()).to.deep.equal(before);
  });

  it('show a missed call below the last ten, too: nobody may have seen it', async () => {
    const page = await open();
    await missOn(page.dialer, '0987654321', 'Lan');
    for (let count = 10; count < 21; count += 1) await talk(page, `09123456${count}`);
    await openList(page);
    expect(entries(page)).to.have.length(11);
    expect(entries(page).at(-1)).to.include('Lan').and.include('Missed call');
  });

  it('count missed calls until the list was opened, over a reload', async () => {
    const { dialer } = await open();
    for (const number of ['0912345678', '0987654321']) {
      await missOn(dialer, number, 'Lan');
    }
    expect(textOf(dialer)).to.include('2 missed calls Lan');
    await expect(dialer).to.be.accessible();
    const again = await open();
    await until(() => textOf(again.dialer).includes('2 missed calls'), 'what was missed before the reload');
    await openList(again);
    await press(again.dialer, 'Close the list');
    expect(textOf(again.dialer)).not.to.include('missed calls');
    const third = await open();
    await openList(third);
    await until(() => entries(third).length === 2, 'the list');
    expect(button(third.dialer, 'Close the list')).to.be.instanceOf(HTMLButtonElement);
  });

  it('still count a missed call from a withheld number after another withheld caller was answered', async () => {
    const { dialer } = await open();
    await missOn(dialer, 'anonymous');
    await ringOn(dialer, 'anonymous');
    await dialer.answer();
    sdk().end();
    await reaches(dialer, 'ended');
    await until(() => textOf(dialer).includes('Missed call'), 'the reminder');
  });

  it('call back who was missed with one press, and count them no more once the exchange has tried', async () => {
    const { dialer } = await open();
    await missOn(dialer, '0912345678', 'Lan');
    await press(dialer, 'Call back');
    await until(() => dialer.state.call.is === 'dialing', 'the call');
    expect(sdk().told.at(-1)).to.equal('makeCall 0912345678 842899990001');
    sdk().end('Busy');
    await reaches(dialer, 'ended');
    expect(textOf(dialer)).not.to.include('Missed call');
  });

  it('still remind of who was missed after a call back that went wrong', async () => {
    const { dialer } = await open();
    await missOn(dialer, '0912345678', 'Lan');
    await press(dialer, 'Call back');
    await until(() => dialer.state.call.is === 'dialing', 'the call');
    sdk().end('Internal Error');
    await reaches(dialer, 'ended');
    expect(dialer.state.call).to.have.nested.property('info.outcome', 'exchange-trouble');
    expect(textOf(dialer)).to.include('Missed call');
  });

  for (const [what, storage] of Object.entries(BROKEN_STORAGES)) {
    it(`are kept in memory, and nobody is disturbed, where the browser's storage is ${what}`, async () => {
      useStorage(storage);
      const shown: unknown[] = [];
      const fail = (event: Event) => shown.push(event);
      addEventListener('unhandledrejection', fail);
      addEventListener('error', fail);
      const page = await open();
      await talk(page, '0912345678');
      await openList(page);
      expect(entries(page)).to.have.length(1);
      await press(page.dialer, 'Close the list');
      removeEventListener('unhandledrejection', fail);
      removeEventListener('error', fail);
      expect(shown).to.deep.equal([]);
    });
  }
});

/** A call out that is answered, and ended by this side. */
async function talk({ dialer }: DialerPage, number: string, name?: string): Promise<void> {
  await talkOn(dialer, number, { name });
  sdk().end();
  await reaches(dialer, 'ended');
}

async function openList({ dialer }: DialerPage): Promise<void> {
  recentButton(dialer).click();
  await until(() => findNamed(dialer, 'Recent calls') !== null, 'the list');
}

function rows({ dialer }: DialerPage): HTMLElement[] {
  return [...(findNamed(dialer, 'Recent calls')?.querySelectorAll<HTMLElement>('li > *') ?? [])];
}

function row(page: DialerPage, index: number): HTMLElement {
  const found = rows(page)[index];
  if (!found) throw new Error(`no entry ${index}`);
  return found;
}

function entries(page: DialerPage): string[] {
  return rows(page).map((each) => each.textContent.replaceAll(/\s+/g, ' ').trim());
}

/** All that is kept in the browser but the calls. */
function storages(): string {
  const others = Object.entries(localStorage).filter(([key]) => !key.startsWith('partner-dialer calls '));
  return JSON.stringify([others, { ...sessionStorage }, document.cookie]);
}
