/** The page of a CRM turns: it replaces the markup around the dialer, or fails while it does. */
import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import type { PartnerDialer } from '../../src/index.ts';
import {
  button,
  fieldOf,
  openDialer,
  openReady,
  passTime,
  press,
  reaches,
  ringOn,
  sdk,
  stripsOf,
  until,
  type DialerPage,
} from '../support/dialer.ts';
import { session } from '../support/fake-broker.ts';
import { FakeVbot } from '../support/fake-vbot.ts';
import { centerOf, hesitate, pressAt, pressTwiceAt } from '../support/pointer.ts';

const MAI = '0912345678';

/** The markup of a page, with a button that turns it. */
function draw(title: string): HTMLElement {
  const main = document.createElement('main');
  main.innerHTML = `<button>Next after ${title}</button>`;
  return main;
}

type Turn = (next: HTMLElement, dialer: PartnerDialer, old: HTMLElement) => unknown;

/** How applications keep a part of the old page. */
const TURNS: Readonly<Record<string, Turn>> = {
  'that takes the dialer over': (next, dialer, old) => {
    next.append(dialer);
    old.replaceWith(next);
  },
  'that empties the old one first': (next, dialer, old) => {
    old.innerHTML = '';
    old.replaceWith(next);
    next.append(dialer);
  },
  'that waits for promises in between, as Turbo does': async (next, dialer, old) => {
    old.remove();
    for (let promises = 0; promises < 10; promises += 1) await Promise.resolve();
    document.body.append(next);
    next.prepend(dialer);
  },
  'in a transition of the view': (next, dialer, old) =>
    document.startViewTransition(() => {
      old.replaceWith(next);
      next.append(dialer);
    }).finished,
};

/** The application throws when the old page has gone and the next one is not there. */
const fail: Turn = (_next, _dialer, old) => old.remove();

function dialled(): readonly string[] {
  return (FakeVbot.current?.told ?? []).filter((each) => each.startsWith('makeCall'));
}

describe('a page that turns', () => {
  let page: DialerPage;
  let main: HTMLElement;
  let connect: (() => void) | undefined;

  afterEach(() => {
    connect = undefined;
    document.querySelector('main')?.remove();
  });

  const open = (dialer: PartnerDialer) => {
    main = draw('Page 1');
    document.body.append(main);
    main.append(dialer);
  };
  const typeNumber = async () => {
    fieldOf(page.dialer).focus();
    await sendKeys({ type: MAI });
    await hesitate();
  };
  /** A number was typed and called while the broker takes its time. */
  const callEarly = async () => {
    page = await openDialer({}, {});
    await reaches(page.dialer, 'ready');
    page.broker.on('POST session', () => new Promise((resolve) => (connect = () => resolve(session()))));
    page.dialer.setAttribute('sdk-base-url', 'https://other.example');
    await until(() => connect !== undefined, 'the request');
    open(page.dialer);
    await passTime(1000);
    await typeNumber();
    await sendKeys({ press: 'Enter' });
    await page.dialer.updateComplete;
    expect(stripsOf(page.dialer)).to.have.length(1);
  };
  const talk = async () => {
    page = await openReady();
    open(page.dialer);
    await passTime(1000);
    await typeNumber();
    await sendKeys({ press: 'Enter' });
    await until(() => page.dialer.state.call.is === 'dialing', 'the call');
    sdk().accept();
    await reaches(page.dialer, 'in-call');
  };
  /** By a click on the page's own button. */
  const turn = async (how: Turn) => {
    const next = draw('Page 2');
    let work: unknown;
    const link = main.querySelector('button') as HTMLButtonElement;
    link.addEventListener('click', () => {
      work = how(next, page.dialer, main);
    });
    await pressAt(centerOf(link));
    await work;
    main = next;
    await page.dialer.updateComplete;
    await passTime(1000);
  };
  for (const [name, how] of Object.entries(TURNS)) {
    it(`keeps the call that waits, and calls once it is connected: a page ${name}`, async () => {
      await callEarly();
      await turn(how);
      expect(stripsOf(page.dialer)).to.have.length(1);
      expect(fieldOf(page.dialer).value).to.equal(MAI);
      connect?.();
      await until(() => page.dialer.state.call.is === 'dialing', 'the call');
      expect(dialled()).to.have.length(1);
    });

    it(`keeps the call, its tones and its buttons: a page ${name}`, async () => {
      await talk();
      await press(page.dialer, 'Keys');
      await turn(how);
      expect(page.dialer.state.status).to.equal('in-call');
      await hesitate();
      await pressAt(centerOf(button(page.dialer, '5')));
      await pressAt(centerOf(button(page.dialer, 'Mute')));
      await until(() => page.dialer.state.call.is === 'active' && page.dialer.state.call.muted, 'mute');
      expect(sdk().told).to.include('sendDTMF 5');
      await pressAt(centerOf(button(page.dialer, 'Hang up')));
      await reaches(page.dialer, 'ended');
    });
  }

  it('dials nothing when it has failed, also when it puts the dialer back, until the agent calls', async () => {
    await callEarly();
    const { dialer } = page;
    await turn(fail);
    connect?.();
    await passTime(5000);
    page.broker.on('POST session', () => session());
    document.body.append(main);
    main.append(dialer);
    await reaches(dialer, 'ready');
    await passTime(5000);
    expect(dialled()).to.deep.equal([]);
    expect(fieldOf(dialer).value).to.equal(MAI);
    fieldOf(dialer).focus();
    await hesitate();
    await sendKeys({ press: 'Enter' });
    await until(() => dialer.state.call.is === 'dialing', 'the call');
  });

  it('ends the call when it has failed, tells the document, and can call again', async () => {
    await talk();
    const { dialer } = page;
    const ends: string[] = [];
    const over = new AbortController();
    document.addEventListener('dialer-callend', ({ detail }) => ends.push(detail.call.number), over);
    await turn(fail);
    await until(() => ends.length > 0, 'the end');
    over.abort();
    expect(ends).to.deep.equal([MAI]);
    document.body.append(main);
    main.append(dialer);
    await reaches(dialer, 'ready');
    await ringOn(dialer);
    await hesitate();
    await pressAt(centerOf(button(dialer, 'Answer')));
    await reaches(dialer, 'in-call');
  });

  it('brings no button of the dialer under the second press of a double press', async () => {
    page = await openReady();
    const { dialer } = page;
    open(dialer);
    await typeNumber();
    const call = button(dialer, 'Call');
    const link = main.querySelector('button') as HTMLButtonElement;
    // The page's own button lies where "Call" is once it has gone.
    const { x, y } = call.getBoundingClientRect();
    link.style.cssText = `position: absolute; z-index: 1; left: ${x}px; top: ${y + scrollY}px; width: 100px; height: 40px`;
    link.addEventListener('click', () => link.remove());
    await pressTwiceAt(centerOf(link), 120);
    expect(link.isConnected).to.equal(false);
    await passTime(500);
    expect([dialer.state.call.is, ...dialled()]).to.deep.equal(['none']);
    await hesitate();
    await pressAt(centerOf(call));
    await until(() => dialer.state.call.is === 'dialing', 'the call');
  });
});
