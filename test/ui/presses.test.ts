import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import { session } from '../support/fake-broker.ts';
import {
  button,
  nextTurn,
  openDialer,
  reaches,
  sdk,
  textOf,
  until,
  type DialerPage,
} from '../support/dialer.ts';
import { centerOf, hesitate, pressAt, pressTwiceAt } from '../support/pointer.ts';

/** How far apart the two presses of a fast hand are, in milliseconds. */
const PAUSES = [0, 90, 300];

describe('an agent who presses twice', () => {
  let page: DialerPage;
  afterEach(() => page.close());

  const open = async () => {
    page = await openDialer();
    await reaches(page.dialer, 'ready');
  };
  const talk = async () => {
    await open();
    await page.dialer.call('0912345678');
    sdk().accept();
    await reaches(page.dialer, 'in-call');
    await hesitate();
  };
  /** Twice at one place, whatever lies there the second time. */
  const pressTwice = async (name: string, pause: number) => {
    await pressTwiceAt(centerOf(button(page.dialer, name)), pause);
    await nextTurn();
    await page.dialer.updateComplete;
  };

  for (const pause of PAUSES) {
    it(`on "Call" calls, ${pause} ms apart`, async () => {
      await open();
      page.dialer.shadowRoot?.querySelector<HTMLInputElement>('input.number')?.focus();
      await sendKeys({ type: '0912345678' });
      await pressTwice('Call', pause);
      await until(() => page.dialer.state.call.is === 'dialing', 'the call');
      expect(calls()).to.equal(1);
    });

    it(`on "Hang up" ends the call and places none, ${pause} ms apart`, async () => {
      await open();
      await page.dialer.call('0912345678');
      await hesitate();
      await pressTwice('Hang up', pause);
      await reaches(page.dialer, 'ended');
      expect([calls(), page.dialer.state.call.is]).to.deep.equal([1, 'ended']);
    });

    it(`on "Answer" talks, and neither holds nor hangs up, ${pause} ms apart`, async () => {
      await open();
      sdk().ring('0987654321');
      await reaches(page.dialer, 'incoming');
      await hesitate();
      await pressTwice('Answer', pause);
      await reaches(page.dialer, 'in-call');
      const { call } = page.dialer.state;
      expect(call.is === 'active' && [call.held, call.muted]).to.deep.equal([false, false]);
    });

    it(`on "Decline" declines and calls nobody, ${pause} ms apart`, async () => {
      await open();
      page.dialer.shadowRoot?.querySelector<HTMLInputElement>('input.number')?.focus();
      await sendKeys({ type: '0912345678' });
      sdk().ring('0987654321');
      await reaches(page.dialer, 'incoming');
      await hesitate();
      await pressTwice('Decline', pause);
      await reaches(page.dialer, 'ended');
      expect(calls()).to.equal(0);
    });

    it(`on "Call again" calls once, ${pause} ms apart`, async () => {
      await talk();
      sdk().end();
      await reaches(page.dialer, 'ended');
      await hesitate();
      await pressTwice('Call again', pause);
      await until(() => page.dialer.state.call.is === 'dialing', 'the call');
      expect(calls()).to.equal(2);
    });

    it(`on "Mute" or "Hold" means it once, ${pause} ms apart`, async () => {
      await talk();
      await pressTwice('Mute', pause);
      await pressTwice('Hold', pause);
      const { call } = page.dialer.state;
      expect(call.is === 'active' && [call.muted, call.held]).to.deep.equal([true, true]);
    });
  }

  it('on "Keys" opens the keys, and does not close them again', async () => {
    await talk();
    await pressTwice('Keys', 90);
    expect(button(page.dialer, 'Keys').getAttribute('aria-expanded')).to.equal('true');
  });

  it('on "Recent calls", an entry of the list, or "Close the list" means it once', async () => {
    await talk();
    sdk().end();
    await reaches(page.dialer, 'ended');
    await hesitate();
    const isOpen = () => page.dialer.shadowRoot?.querySelector('.recent') !== null;
    await pressTwice('Recent calls', 90);
    await until(isOpen, 'the list');
    await hesitate();
    await pressTwice('Close the list', 90);
    expect(isOpen()).to.equal(false);
    await hesitate();
    await pressTwice('Recent calls', 90);
    await until(isOpen, 'the list again');
    await hesitate();
    const place = centerOf(page.dialer.shadowRoot?.querySelector('button.entry') ?? page.dialer);
    await pressTwiceAt(place, 0);
    await until(() => page.dialer.state.call.is === 'dialing', 'the call');
    expect([calls(), page.dialer.state.status]).to.deep.equal([2, 'dialing']);
  });

  it('on "Call back" calls whoever was missed, once', async () => {
    await open();
    sdk().ring('0987654321');
    await reaches(page.dialer, 'incoming');
    sdk().end('Cuộc gọi đã bị hủy');
    await reaches(page.dialer, 'ended');
    await hesitate();
    await pressTwice('Call back', 90);
    await until(() => page.dialer.state.call.is === 'dialing', 'the call');
    expect(calls()).to.equal(1);
  });

  it('on "Check again", and on the call that waited for it, means it once', async () => {
    page = await openDialer({}, (broker) =>
      broker.on('POST session', () => session({ blockers: ['insufficient-funds'] })),
    );
    await reaches(page.dialer, 'blocked');
    await page.dialer.call('0912345678').catch(() => undefined);
    await hesitate();
    const asked = page.broker.count('GET status');
    await pressTwice('Check again', 90);
    await reaches(page.dialer, 'ready');
    expect(page.broker.count('GET status') - asked).to.equal(1);
    await hesitate();
    await pressTwice('Call 0912 345 678', 90);
    await until(() => page.dialer.state.call.is === 'dialing', 'the call');
    expect([calls(), page.dialer.state.status]).to.deep.equal([1, 'dialing']);
  });

  it('may unmute soon after, and sends the same key twice at once', async () => {
    await talk();
    await pressAt(centerOf(button(page.dialer, 'Mute')));
    await hesitate();
    await pressAt(centerOf(button(page.dialer, 'Mute')));
    await until(() => !sdk().session.muted, 'unmuted');
    await pressAt(centerOf(button(page.dialer, 'Keys')));
    await page.dialer.updateComplete;
    await hesitate();
    await pressTwice('5', 0);
    expect(sdk().told.slice(1)).to.deep.equal(['sendDTMF 5', 'sendDTMF 5']);
  });

  it('asks for a top-up once', async () => {
    page = await openDialer({}, (broker) =>
      broker.on('POST session', () => session({ blockers: ['insufficient-funds'] })),
    );
    // Until the dialer of the test before has let go of the phone, it is this one's guide that it is in use elsewhere.
    await until(() => {
      const { block } = page.dialer.state;
      return block.is === 'blocked' && block.reason === 'insufficient-funds';
    }, 'the guide');
    // The keypad was there a moment ago.
    await hesitate();
    await pressTwice('Ask for a top-up', 90);
    expect(page.broker.count('POST top-up')).to.equal(1);
  });

  it('types a number as fast as the keys are pressed', async () => {
    await open();
    for (const key of '0911') {
      // oxlint-disable-next-line no-await-in-loop -- one key after the other
      await pressAt(centerOf(button(page.dialer, key)));
    }
    expect(page.dialer.shadowRoot?.querySelector<HTMLInputElement>('input.number')?.value).to.equal('0911');
  });

  it('cannot answer what rings in the moment of another press', async () => {
    await open();
    await hesitate();
    const place = centerOf(button(page.dialer, 'Call'));
    sdk().ring('0987654321');
    await reaches(page.dialer, 'incoming');
    await pressAt(place);
    await nextTurn();
    expect(page.dialer.state.status).to.equal('incoming');
    await hesitate();
    await pressAt(place);
    await reaches(page.dialer, 'in-call');
  });

  it('with Enter kept down calls once, and does not hang up', async () => {
    await open();
    page.dialer.shadowRoot?.querySelector<HTMLInputElement>('input.number')?.focus();
    await sendKeys({ type: '0912345678' });
    await sendKeys({ down: 'Enter' });
    await until(() => page.dialer.state.call.is === 'dialing', 'the call');
    await hesitate();
    for (let repeats = 0; repeats < 10; repeats += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await sendKeys({ down: 'Enter' });
    }
    await sendKeys({ up: 'Enter' });
    expect([calls(), page.dialer.state.call.is]).to.deep.equal([1, 'dialing']);
    await sendKeys({ press: 'Enter' });
    await reaches(page.dialer, 'ended');
    await sendKeys({ press: 'Enter' });
    await nextTurn();
    expect(calls(), 'a second Enter').to.equal(1);
  });

  it('finds no button that does the opposite where one was', async () => {
    await open();
    const { dialer } = page;
    const all = () =>
      [...(dialer.shadowRoot?.querySelectorAll('.card button') ?? [])].map((each) => ({
        name: (each.getAttribute('aria-label') ?? each.textContent).trim(),
        box: each.getBoundingClientRect(),
      }));
    const card = () => dialer.shadowRoot?.querySelector('.card')?.getBoundingClientRect().height;
    const seen: { view: string; buttons: ReturnType<typeof all> }[] = [];
    const height = card();
    const look = async (view: string) => {
      await dialer.updateComplete;
      seen.push({ view, buttons: all() });
      expect(card(), `the height of ${view}`).to.equal(height);
    };
    await look('the keypad');
    await dialer.call('0912345678', { name: 'Nguyễn Thị Mai' });
    await look('ringing out');
    sdk().accept();
    await reaches(dialer, 'in-call');
    await look('a call');
    button(dialer, 'Keys').click();
    await look('a call with keys');
    await dialer.hangUp();
    await look('the moment after');
    sdk().ring('0987654321');
    await reaches(dialer, 'incoming');
    await look('ringing in');
    await dialer.answer();
    await look('an answered call');
    expect(textOf(dialer)).to.include('Hang up');
    const begins = new Set(['Call', 'Answer', 'Call again']);
    const hinders = new Set(['Hang up', 'Decline', 'Mute', 'Hold']);
    for (const one of seen) {
      for (const other of seen) {
        for (const begin of one.buttons.filter(({ name }) => begins.has(name))) {
          for (const end of other.buttons.filter(({ name }) => hinders.has(name))) {
            const what = `${begin.name} of ${one.view} and ${end.name} of ${other.view}`;
            expect(areApart(begin.box, end.box), what).to.equal(true);
          }
        }
      }
    }
  });

  it('is told that somebody is on the line, and keeps what was typed', async () => {
    await open();
    const { dialer } = page;
    await dialer.call('0912345678');
    for (const status of ['dialing', 'in-call']) {
      if (status === 'in-call') sdk().accept();
      // oxlint-disable-next-line no-await-in-loop -- one status after the other
      await reaches(dialer, status);
      // oxlint-disable-next-line no-await-in-loop -- likewise
      const error = await dialer.call('0987654321').then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(error).to.have.property('code', 'busy');
      // oxlint-disable-next-line no-await-in-loop -- likewise
      await dialer.updateComplete;
      expect(textOf(dialer), status).to.include('You already have a call.');
    }
    await until(() => !textOf(dialer).includes('You already have a call.'), 'the end of the word');
    await dialer.hangUp();
    await dialer.updateComplete;
    expect(dialer.shadowRoot?.querySelector<HTMLInputElement>('input.number')?.value).to.equal('');
  });
});

/** How many calls were placed. */
function calls(): number {
  return sdk().told.filter((each) => each.startsWith('makeCall')).length;
}

function areApart(a: DOMRect, b: DOMRect): boolean {
  return a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
}
