import { expect } from '@open-wc/testing';
import { sendKeys, sendMouse } from '@web/test-runner-commands';
import { MEMBER, session } from '../support/fake-broker.ts';
import { centerOf, letPass, pressTwiceAt } from '../support/pointer.ts';
import { nextTurn, openReady, reaches, sdk, textOf, until, type DialerPage } from '../support/dialer.ts';

// The dialer fetches it when it is wanted, which may be after the first click of a test.
await import('../../src/element/click-to-call.ts');

let page: DialerPage;
let links: HTMLElement;
/** Whether the browser would have opened another program; it has none here, and would leave the page for nothing. */
let isLeftToBrowser: boolean | undefined;

const prevent = (event: Event) => event.preventDefault();

function lookLast(event: Event): void {
  isLeftToBrowser = !event.defaultPrevented;
  event.preventDefault();
}

beforeEach(async () => {
  links = document.createElement('div');
  // Above the dialer, wherever that is.
  links.style.cssText = 'position: relative; z-index: 1; font-size: 20px';
  document.body.prepend(links);
  isLeftToBrowser = undefined;
});

afterEach(() => links.remove());

async function open(attributes: Readonly<Record<string, string>> = { 'click-to-call': 'on' }): Promise<void> {
  page = await openReady(attributes);
}

const put = (html: string): Element => {
  links.innerHTML = html;
  return links.querySelector('[data-press]') ?? links.querySelector('a, area') ?? links;
};

async function click(element: Element, init: MouseEventInit = {}): Promise<void> {
  // After the dialer's own, so that nothing is left for the browser.
  addEventListener('click', () => addEventListener('click', lookLast, { once: true }), {
    capture: true,
    once: true,
  });
  element.dispatchEvent(
    new MouseEvent('click', { bubbles: true, composed: true, cancelable: true, ...init }),
  );
  await nextTurn();
  await page.dialer.updateComplete;
}

type Listen = (target: EventTarget, listener: (event: Event) => void, capture?: boolean) => void;

const calls = () => sdk().told.filter((told) => told.startsWith('makeCall')).length;
const dialled = () => page.dialer.state.call.is;

describe('a tel: link, with click-to-call', () => {
  const FORMS = [
    ['a plain one', '<a href="tel:0912345678">Nguyễn Thị Mai</a>', 'Nguyễn Thị Mai'],
    ['visual separators', '<a href="tel:0912-345.678">0912-345.678</a>', undefined],
    ['a country code', '<a href="TEL:+84%20912%20345%20678">  Mai\n  (Hà Nội) </a>', 'Mai (Hà Nội)'],
    ['a name of its own', '<a href="tel:0912345678" data-name="Mai">0912 345 678</a>', 'Mai'],
    ['an icon in it', '<a href="tel:0912345678"><svg data-press><path/></svg></a>', undefined],
    [
      'an icon of a font beside the number',
      '<a href="tel:0912345678"><i aria-hidden="true">phone</i> 0912 345 678</a>',
      undefined,
    ],
    [
      'an icon of a font beside a name',
      '<a href="tel:0912345678"><i aria-hidden="true">phone</i> Mai</a>',
      'Mai',
    ],
    [
      'a drawing with a title',
      '<a href="tel:0912345678"><svg><title>Telephone</title><path/></svg></a>',
      undefined,
    ],
    ['a sign as its text', '<a href="tel:0912345678">☎ (1)</a>', undefined],
    ['what it does as its text', '<a href="tel:0912345678">📞 Gọi ngay</a>', undefined],
    ['a name that begins like that', '<a href="tel:0912345678">Callum</a>', 'Callum'],
    ['nested text', '<a href="tel:0912345678"><b><i data-press>Mai</i></b></a>', 'Mai'],
    ['its number in its text', '<a href="tel:0912345678">Call 0912 345 678 now</a>', undefined],
    ['an area of a map', '<map name="m"><area href="tel:0912345678" alt="Mai" data-press></map>', 'Mai'],
    ['in a drawing', '<svg><a href="tel:0912345678"><text data-press>Mai</text></a></svg>', 'Mai'],
    ['a target that is a new page', '<a href="tel:0912345678" target="_blank">Mai</a>', 'Mai'],
    ['a target that is this page', '<a href="tel:0912345678" target="_self">Mai</a>', 'Mai'],
  ] as const;
  for (const [what, html, name] of FORMS) {
    it(`dials: ${what}`, async () => {
      await open();
      await click(put(html));
      await until(() => dialled() === 'dialing', 'the call');
      const { call } = page.dialer.state;
      expect(call.is === 'dialing' && [call.info.number, call.info.name]).to.deep.equal(['0912345678', name]);
      expect(isLeftToBrowser).to.equal(false);
    });
  }

  for (const [html, name] of [
    ['<a href="tel:0912345678"><i class="material-icons">local_phone</i></a>', 'Trần Văn Bình'],
    ['<a href="tel:0912345678" data-name="Mai">phone</a>', 'Mai'],
  ] as const)
    it(`calls ${name} where the page knows the number as another one’s: ${html}`, async () => {
      await open();
      page.dialer.lookup = async () => [{ code: 'c1', name: 'Trần Văn Bình' }];
      await page.dialer.updateComplete;
      await click(put(html));
      await until(() => page.events.includes('customer'), 'the customer');
      const { call } = page.dialer.state;
      expect(call.is === 'dialing' && call.info.name).to.equal(name);
    });

  it('dials from a link that came later, in an open shadow root inside another', async () => {
    await open();
    const outer = document.createElement('div');
    const inner = document.createElement('div');
    links.append(outer);
    outer.attachShadow({ mode: 'open' }).append(inner);
    inner.attachShadow({ mode: 'open' }).innerHTML = '<a href="tel:0912345678"><span>Mai</span></a>';
    const span = inner.shadowRoot?.querySelector('span');
    if (span) await click(span);
    await reaches(page.dialer, 'dialing');
  });

  it('dials when the row around it is not to be pressed as well', async () => {
    await open();
    let rows = 0;
    const link = put('<div><a href="tel:0912345678">Mai</a></div>');
    links.addEventListener('click', () => (rows += 1));
    link.addEventListener('click', (event) => event.stopPropagation());
    await click(link);
    await reaches(page.dialer, 'dialing');
    expect(rows).to.equal(0);
  });

  const STOPS = {
    'stopImmediatePropagation() on the link': (link: Element, listen: Listen) =>
      listen(link, (event) => event.stopImmediatePropagation()),
    'stopImmediatePropagation() on the row': (link: Element, listen: Listen) =>
      listen(link.parentElement ?? link, (event) => event.stopImmediatePropagation()),
    'stopPropagation() on the way down': (_link: Element, listen: Listen) =>
      listen(document, (event) => event.stopPropagation(), true),
    'stopImmediatePropagation() on the way down': (_link: Element, listen: Listen) =>
      listen(document, (event) => event.stopImmediatePropagation(), true),
  };
  for (const [what, stop] of Object.entries(STOPS))
    it(`dials by the real pointer where the page calls ${what}, and leaves nothing to the browser`, async () => {
      await open();
      const over = new AbortController();
      const listen: Listen = (target, listener, capture = false) =>
        target.addEventListener('click', (event) => listener(event), { capture, signal: over.signal });
      const link = put('<div><a href="tel:0912345678">Mai</a></div>') as HTMLElement;
      let seen: Event | undefined;
      addEventListener('click', (event) => (seen = event), { capture: true, once: true });
      try {
        stop(link, listen);
        const { x, y } = centerOf(link);
        await sendMouse({ type: 'click', position: [x, y] });
        await reaches(page.dialer, 'dialing');
        expect(seen?.defaultPrevented).to.equal(true);
      } finally {
        over.abort();
      }
    });

  it('leaves a click to the page that stops it at once and handles it', async () => {
    await open();
    const link = put('<a href="tel:0912345678">Mai</a>') as HTMLElement;
    link.addEventListener('click', (event) => {
      event.stopImmediatePropagation();
      event.preventDefault();
    });
    const { x, y } = centerOf(link);
    await sendMouse({ type: 'click', position: [x, y] });
    await nextTurn();
    expect(dialled()).to.equal('none');
  });

  it('dials by the real pointer, and once when pressed twice', async () => {
    await open();
    const link = put('<a href="tel:0912345678">Mai</a>');
    const { x, y } = centerOf(link);
    await sendMouse({ type: 'click', position: [x, y] });
    await sendMouse({ type: 'click', position: [x, y] });
    await reaches(page.dialer, 'dialing');
    expect(textOf(page.dialer)).not.to.include('You already have a call');
  });

  it('dials by a double click that makes its row go away, and leaves the next one alone', async () => {
    await open();
    const link = put('<p><a href="tel:0912345678">Mai</a></p><p><a href="tel:0987654321">Bình</a></p>');
    links.addEventListener('click', () => link.parentElement?.remove(), { once: true });
    await pressTwiceAt(centerOf(link), 100);
    await reaches(page.dialer, 'dialing');
    expect(textOf(page.dialer)).to.include('Mai').and.not.include('You already have a call');
  });

  it('dials by the keyboard, again after a call, and once when kept down', async () => {
    await open();
    const link = put('<a href="tel:0912345678">Mai</a>') as HTMLElement;
    link.focus();
    const callOnce = async (count: number) => {
      await sendKeys({ down: 'Enter' });
      await sendKeys({ down: 'Enter' });
      await sendKeys({ up: 'Enter' });
      await until(() => calls() === count, `call ${count}`);
      await reaches(page.dialer, 'dialing');
      await page.dialer.hangUp();
      await letPass(600);
      expect(document.activeElement, 'the focus').to.equal(link);
    };
    await callOnce(1);
    await callOnce(2);
    expect(calls()).to.equal(2);
  });

  const LEFT = [
    ['with Ctrl', '<a href="tel:0912345678">x</a>', { ctrlKey: true }],
    ['with ⌘', '<a href="tel:0912345678">x</a>', { metaKey: true }],
    ['with Shift', '<a href="tel:0912345678">x</a>', { shiftKey: true }],
    ['with Alt', '<a href="tel:0912345678">x</a>', { altKey: true }],
    ['with the middle button', '<a href="tel:0912345678">x</a>', { button: 1 }],
    ['with a target', '<a href="tel:0912345678" target="softphone">x</a>', {}],
    ['to be downloaded', '<a href="tel:0912345678" download>x</a>', {}],
    ['in a text that is being edited', '<p contenteditable><a href="tel:0912345678">x</a></p>', {}],
    ['without a number', '<a href="tel:">x</a>', {}],
    ['that leads elsewhere', '<a href="#tel:0912345678">x</a>', {}],
    ['that leads nowhere', '<a>tel:0912345678</a>', {}],
  ] as const;
  for (const [what, html, init] of LEFT) {
    it(`is left to the browser: ${what}`, async () => {
      await open();
      await click(put(html), init);
      expect(dialled()).to.equal('none');
      expect(isLeftToBrowser).to.equal(true);
    });
  }

  it('is left to the page that has handled it, near the link or far from it', async () => {
    await open();
    for (const place of [links, document]) {
      place.addEventListener('click', prevent);
      await click(put('<a href="tel:0912345678">x</a>'));
      place.removeEventListener('click', prevent);
    }
    expect(dialled()).to.equal('none');
  });

  it('is left to the browser without the attribute, once it is taken away, and once the dialer is gone', async () => {
    await open({});
    await click(put('<a href="tel:0912345678">x</a>'));
    expect([dialled(), isLeftToBrowser]).to.deep.equal(['none', true]);
    page.dialer.setAttribute('click-to-call', '');
    await page.dialer.updateComplete;
    page.dialer.removeAttribute('click-to-call');
    await page.dialer.updateComplete;
    await click(put('<a href="tel:0912345678">x</a>'));
    expect([dialled(), isLeftToBrowser]).to.deep.equal(['none', true]);
    page.dialer.clickToCall = true;
    await page.dialer.updateComplete;
    const parent = document.createElement('div');
    document.body.append(parent);
    parent.append(page.dialer);
    page.dialer.remove();
    await nextTurn();
    await click(put('<a href="tel:0912345678">x</a>'));
    expect([dialled(), isLeftToBrowser]).to.deep.equal(['none', true]);
    parent.append(page.dialer);
    await reaches(page.dialer, 'ready');
    await click(put('<a href="tel:0912345678">x</a>'));
    await reaches(page.dialer, 'dialing');
    parent.remove();
  });

  it('dials through one of two dialers only', async () => {
    await open();
    const second = document.createElement('partner-dialer');
    second.setAttribute('click-to-call', '');
    second.setAttribute('connect-mode', 'manual');
    document.body.append(second);
    await second.updateComplete;
    await click(put('<a href="tel:0912345678">x</a>'));
    await reaches(page.dialer, 'dialing');
    expect(second.state.status).to.equal('idle');
    second.remove();
  });

  it('says what is wrong with a number that it does not dial', async () => {
    await open();
    await click(put('<a href="tel:+84912345678;ext=12">Mai</a>'));
    expect(dialled()).to.equal('none');
    expect(textOf(page.dialer)).to.include('Send the extension once answered');
    await click(put('<a href="tel:101;phone-context=+84">Mai</a>'));
    expect(dialled()).to.equal('none');
    expect(sdk().told).to.deep.equal([]);
  });

  it('is refused with a word during a call, and leaves what was typed alone', async () => {
    await open();
    await page.dialer.call('0987654321');
    sdk().accept();
    await reaches(page.dialer, 'in-call');
    await click(put('<a href="tel:0912345678">Mai</a>'));
    await until(() => textOf(page.dialer).includes('You already have a call'), 'the word');
    expect(isLeftToBrowser).to.equal(false);
    await page.dialer.hangUp();
    await page.dialer.updateComplete;
    expect(page.dialer.shadowRoot?.querySelector('input')?.value).to.equal('');
  });

  it('brings up the guide of a member who cannot call, and waits there', async () => {
    await open();
    page.broker.on('GET status', () =>
      session({ member: { ...MEMBER, balance: 0 }, blockers: ['insufficient-funds'] }),
    );
    await page.dialer.recheck();
    await click(put('<a href="tel:0912345678">Mai</a>'));
    await until(() => textOf(page.dialer).includes('Then: call 0912 345 678'), 'the waiting number');
  });
});
