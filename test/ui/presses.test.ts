/** Presses that were meant for something else, by name; `presses-generated` has every button of every view. */
import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import type { PartnerDialer } from '../../src/index.ts';
import {
  button,
  fieldOf,
  findNamed,
  findPart,
  nextTurn,
  openBlocked,
  openReady,
  part,
  reaches,
  ringOn,
  sdk,
  talkOn,
  textOf,
  until,
  type DialerPage,
} from '../support/dialer.ts';
import { FakeBrowser } from '../support/fake-browser.ts';
import { openOtherTab } from '../support/other-tab.ts';
import { centerOf, hesitate, pressAt, pressTwiceAt } from '../support/pointer.ts';

describe('an agent with a fast hand', () => {
  let page: DialerPage;

  const open = async () => {
    page = await openReady();
  };
  const talk = async () => {
    await open();
    await talkOn(page.dialer);
    await hesitate();
  };

  it('may unmute soon after, and sends the same key twice at once', async () => {
    await talk();
    const isMuted = () => page.dialer.state.call.is === 'active' && page.dialer.state.call.muted;
    await pressAt(centerOf(button(page.dialer, 'Mute')));
    await until(isMuted, 'muted');
    await hesitate();
    await pressAt(centerOf(button(page.dialer, 'Mute')));
    await until(() => !isMuted(), 'unmuted');
    await pressAt(centerOf(button(page.dialer, 'Keys')));
    await page.dialer.updateComplete;
    await hesitate();
    await pressTwiceAt(centerOf(button(page.dialer, '5')), 0);
    expect(sdk().told.slice(1)).to.deep.equal(['sendDTMF 5', 'sendDTMF 5']);
  });

  it('types a number as fast as the keys are pressed', async () => {
    await open();
    for (const key of '0911') {
      await pressAt(centerOf(button(page.dialer, key)));
    }
    expect(fieldOf(page.dialer).value).to.equal('0911');
  });

  it('types where the page hides the dialer in a closed shadow root', async () => {
    await open();
    const host = document.createElement('div');
    document.body.append(host);
    host.attachShadow({ mode: 'closed' }).append(page.dialer);
    try {
      await hesitate();
      for (const key of '0911') await pressAt(centerOf(button(page.dialer, key)));
      expect(fieldOf(page.dialer).value).to.equal('0911');
    } finally {
      host.remove();
    }
  });

  it('cannot answer what rings in the moment of another press', async () => {
    await open();
    await hesitate();
    const place = centerOf(button(page.dialer, 'Call'));
    await ringOn(page.dialer);
    await pressAt(place);
    await hesitate();
    expect(page.dialer.state.status).to.equal('incoming');
    await pressAt(place);
    await reaches(page.dialer, 'in-call');
  });

  it('with Enter kept down calls once, and does not hang up', async () => {
    await open();
    fieldOf(page.dialer).focus();
    await sendKeys({ type: '0912345678' });
    await sendKeys({ down: 'Enter' });
    await until(() => page.dialer.state.call.is === 'dialing', 'the call');
    await hesitate();
    for (let repeats = 0; repeats < 10; repeats += 1) {
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
});

describe('a press that was meant for another call', () => {
  let page: DialerPage;

  const open = async (attributes: Readonly<Record<string, string>> = {}) => {
    page = await openReady(attributes);
  };
  const ring = async (number: string) => {
    sdk().ring(number);
    await until(() => {
      const { call } = page.dialer.state;
      return call.is === 'incoming' && call.info.number === number;
    }, number);
    await page.dialer.updateComplete;
  };
  /** One caller gives up, and the next is there before anything else could be drawn. */
  const ringAnother = async () => {
    const { dialer } = page;
    const pending = new Promise<void>((resolve) => {
      const next = () => (sdk().ring('0909090909'), resolve());
      dialer.addEventListener('dialer-callend', next, { once: true });
    });
    sdk().end('Cuộc gọi đã bị hủy');
    await pending;
    await until(() => dialer.state.call.is === 'incoming', 'the next caller');
    await dialer.updateComplete;
  };

  for (const name of ['Answer', 'Decline']) {
    for (const floating of ['', 'bottom-right']) {
      it(`does not ${name.toLowerCase()} the next one${floating && ', beside a bubble'}`, async () => {
        await open(floating ? { floating } : {});
        await ring('0987654321');
        // What rings is in sight: only once its card is closed, it is answered beside the bubble.
        if (floating) button(page.dialer, 'Close the dialer').click();
        await page.dialer.updateComplete;
        await hesitate();
        const place = centerOf(button(page.dialer, name));
        await ringAnother();
        if (floating) button(page.dialer, 'Close the dialer').click();
        await page.dialer.updateComplete;
        await pressAt(place);
        await hesitate();
        expect([page.dialer.state.call.is, ...sdk().told]).to.deep.equal(['incoming']);
        await pressAt(place);
        await until(() => page.dialer.state.call.is !== 'incoming', 'what was meant');
      });
    }
  }

  it('does not answer the next one when both withhold their number', async () => {
    await open();
    const { dialer } = page;
    await ring('anonymous');
    await hesitate();
    const place = centerOf(button(dialer, 'Answer'));
    sdk().end('Cuộc gọi đã bị hủy');
    sdk().ring('anonymous', undefined, 'in-2');
    await until(
      () => dialer.state.call.is === 'incoming' && dialer.state.call.info.id === 'in-2',
      'the next',
    );
    await dialer.updateComplete;
    await pressAt(place);
    await hesitate();
    expect([dialer.state.call.is, ...sdk().told]).to.deep.equal(['incoming']);
  });

  it('does not close the card that has just opened for it', async () => {
    await open({ floating: 'bottom-right' });
    await hesitate();
    const place = centerOf(part(page.dialer, 'bubble'));
    await ring('0987654321');
    await pressAt(place);
    await nextTurn();
    await page.dialer.updateComplete;
    expect(findPart(page.dialer, 'card'), 'the card').not.to.equal(null);
    await hesitate();
    await pressAt(place);
    await until(() => findPart(page.dialer, 'card') === null, 'what was meant');
  });

  it('does not end the one that the page has begun since', async () => {
    await open();
    const { dialer } = page;
    await dialer.call('0912345678');
    await hesitate();
    const place = centerOf(button(dialer, 'Hang up'));
    dialer.addEventListener('dialer-callend', () => void dialer.call('0987654321'), { once: true });
    sdk().end('Busy');
    await until(() => sdk().told.length === 2, 'the next call');
    await dialer.updateComplete;
    await pressAt(place);
    await hesitate();
    expect(sdk().told.filter((each) => each === 'hangupCall')).to.deep.equal([]);
    await pressAt(place);
    await reaches(dialer, 'ended');
  });
});

describe('a dialer that comes back from a window closed before it has painted', () => {
  it('answers', async () => {
    const { dialer } = await openReady();
    await comeBack(dialer, async () => {
      const rings = heard(dialer, 'dialer-callincoming');
      sdk().ring('0987654321');
      await rings;
    });
    await pressAt(centerOf(button(dialer, 'Answer')));
    await reaches(dialer, 'in-call');
  });

  it('calls', async () => {
    const { dialer } = await openReady();
    await comeBack(dialer, async () => {
      await talkOn(dialer);
      await hesitate();
      const ends = heard(dialer, 'dialer-callend');
      sdk().end();
      await ends;
    });
    fieldOf(dialer).focus();
    await sendKeys({ type: '0987654321' });
    await hesitate();
    await sendKeys({ press: 'Enter' });
    await reaches(dialer, 'dialing');
  });
});

describe('keys that a page keeps to itself', () => {
  const over = new AbortController();
  after(() => over.abort());

  it('press what has the focus, also after a key whose release the dialer has not heard of', async () => {
    const { dialer } = await openReady();
    part(dialer, 'card').focus();
    await sendKeys({ down: 'Shift' });
    for (const name of ['keydown', 'keypress', 'keyup'])
      addEventListener(name, keepFromOthers, { capture: true, signal: over.signal });
    await sendKeys({ up: 'Shift' });
    await ringOn(dialer);
    await hesitate();
    button(dialer, 'Answer').focus();
    await sendKeys({ press: 'Enter' });
    await reaches(dialer, 'in-call');
    sdk().end();
    await reaches(dialer, 'ended');
    button(dialer, 'Recent calls').focus();
    await sendKeys({ press: 'Enter' });
    await nextTurn();
    await dialer.updateComplete;
    expect(findNamed(dialer, 'Recent calls'), 'not aimed at').to.equal(null);
  });
});

describe('an agent who presses twice on what goes away', () => {
  let page: DialerPage;
  let browser: FakeBrowser;
  beforeEach(() => {
    browser = new FakeBrowser();
  });

  const pressTwice = async (name: string, pause: number) => {
    const place = centerOf(button(page.dialer, name));
    await pressTwiceAt(place, pause);
    await page.dialer.updateComplete;
  };
  const draft = () => fieldOf(page.dialer).value;

  it('on the offer to show calls on the desktop is asked once', async () => {
    let asked = 0;
    const offered = {
      permission: 'default',
      requestPermission: async () => {
        asked += 1;
        offered.permission = 'granted';
        return 'granted';
      },
    };
    for (const name of ['Turn on', 'Not now']) {
      offered.permission = 'default';
      browser.replace(globalThis, 'Notification', offered);
      page = await openReady();
      await ringOn(page.dialer);
      await page.dialer.reject();
      await hesitate();
      await pressTwice(name, 90);
      expect(textOf(page.dialer), name).not.to.include('on the desktop?');
      expect([draft(), page.dialer.state.call.is], name).to.deep.equal(['', 'ended']);
      // How the call ended now stands where the question was, and with it what calls back.
      expect(textOf(page.dialer), name).to.include('Declined').and.include('Call back');
      if (name === 'Turn on') await page.close();
    }
    expect(asked).to.equal(1);
  });

  it('on what lets calls ring only lets them ring', async () => {
    const activation = { hasBeenActive: false };
    browser.replace(navigator, 'userActivation', activation);
    browser.replace(HTMLMediaElement.prototype, 'play', async () => {
      throw new DOMException('not yet', 'NotAllowedError');
    });
    page = await openReady();
    const { dialer } = page;
    await until(() => textOf(dialer).includes('Turn on'), 'the strip');
    await hesitate();
    addEventListener('pointerdown', () => (activation.hasBeenActive = true), { once: true, capture: true });
    await pressTwice('Turn on', 300);
    await until(() => !textOf(dialer).includes('Turn on'), 'the end of the question');
    expect([draft(), dialer.state.status]).to.deep.equal(['', 'ready']);
  });

  it('on "Use it here" asks the other tab once', async () => {
    const tab = await openOtherTab({ is: 'idle' });
    try {
      page = await openBlocked();
      await hesitate();
      await pressTwice('Use it here', 0);
      await until(() => textOf(page.dialer).includes('call'), 'the refusal');
      expect(tab.wanted).to.equal(1);
    } finally {
      tab.close();
    }
  });
});

/** How many calls were placed. */
function calls(): number {
  return sdk().told.filter((each) => each.startsWith('makeCall')).length;
}

function keepFromOthers(event: Event): void {
  event.stopImmediatePropagation();
}

/** Puts it into a window of its own, lets it change there, and takes it back before the window has painted that. */
async function comeBack(dialer: PartnerDialer, change: () => Promise<void>): Promise<void> {
  const frame = document.createElement('iframe');
  document.body.append(frame);
  frame.contentDocument?.body.append(dialer);
  await dialer.updateComplete;
  await hesitate();
  await change();
  await dialer.updateComplete;
  document.body.append(dialer);
  frame.remove();
  await hesitate();
}

function heard(dialer: PartnerDialer, event: string): Promise<unknown> {
  return new Promise((resolve) => dialer.addEventListener(event, resolve, { once: true }));
}
