import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import {
  button,
  fieldOf,
  nextTurn,
  openDialer,
  openReady,
  press,
  reaches,
  ringOn,
  sdk,
  textOf,
  until,
  type DialerPage,
} from '../support/dialer.ts';
import { FakeBrowser } from '../support/fake-browser.ts';

const head = () => document.head.innerHTML;

describe('a caller whose number the exchange sends as the name, too', () => {
  for (const name of ['0987654321', '+84 987 654 321'])
    it(`is shown once: ${name}`, async () => {
      const { dialer } = await openReady();
      await ringOn(dialer, '0987654321', name);
      expect(textOf(dialer).match(/987 ?654 ?321/g)).to.have.length(1);
      const { call } = dialer.state;
      expect(call.is === 'incoming' && call.info.name).to.equal(undefined);
    });
});

describe('a call that comes in', () => {
  let page: DialerPage;
  let browser: FakeBrowser;
  beforeEach(() => {
    browser = new FakeBrowser();
    document.title = 'CRM';
  });

  async function ring(): Promise<DialerPage> {
    page = await openReady();
    await ringOn(page.dialer, '0987654321', 'Lan');
    return page;
  }

  it('is in the title of the page while it rings, and nothing of it is left after it', async () => {
    const before = head();
    const { dialer } = await ring();
    expect(document.title).to.equal('📞 Lan · CRM');
    await expect(dialer).to.be.accessible();
    await dialer.reject();
    await reaches(dialer, 'ended');
    expect(head()).to.equal(before);
  });

  it('moves until it was answered, and what moves looks like no button', async () => {
    const { dialer } = await ring();
    const pulses = () =>
      (dialer.shadowRoot?.getAnimations() ?? []).filter(
        ({ effect }) => effect instanceof KeyframeEffect && effect.target?.matches(':has(> [part=avatar])'),
      ).length;
    expect(pulses(), 'while it rings').to.equal(2);
    const drawings = ['[part=avatar]', '[part=call-button]'].map(
      (place) => dialer.shadowRoot?.querySelector(`${place} svg`)?.innerHTML,
    );
    expect(new Set(drawings).size, 'a person and a handset').to.equal(2);
    sdk().answerCall = () => new Promise(() => undefined);
    await press(dialer, 'Answer');
    expect(pulses(), 'answered').to.equal(0);
  });

  it('leaves the page as it was when the element is removed while it rings', async () => {
    const before = head();
    const { dialer } = await ring();
    dialer.remove();
    await until(() => dialer.state.call.is !== 'incoming', 'the end of the call');
    expect(head()).to.equal(before);
  });

  it('leaves what the page has written around its name, in whatever blanks the name is written', async () => {
    page = await openReady();
    await ringOn(page.dialer, '0987654321', 'Lan  Anh');
    expect(document.title).to.equal('📞 Lan Anh · CRM');
    document.title = `(3) ${document.title}`;
    await page.dialer.reject();
    await reaches(page.dialer, 'ended');
    expect(document.title).to.equal('(3) CRM');
  });

  it('leaves the title that the page sets while it rings, and none where there was none', async () => {
    const { dialer } = await ring();
    document.title = 'Orders';
    await dialer.reject();
    await reaches(dialer, 'ended');
    expect(document.title).to.equal('Orders');
    document.title = '';
    await ringOn(dialer, '0987654321', 'Lan');
    await dialer.reject();
    await reaches(dialer, 'ended');
    expect(document.title).to.equal('');
  });

  it('is known by its number where it has no name', async () => {
    page = await openReady();
    await ringOn(page.dialer);
    expect(document.title).to.equal('📞 0987 654 321 · CRM');
  });

  for (const [lang, withheld, callBack] of [
    ['en', 'Withheld number', 'Call back'],
    ['vi', 'Số ẩn', 'Gọi lại'],
  ] as const) {
    it(`that is withheld has no name and no number to call back, in ${lang}`, async () => {
      page = await openReady({ lang });
      const { dialer } = page;
      await ringOn(dialer, 'anonymous', 'Anonymous');
      expect(document.title).to.equal(`📞 ${withheld} · CRM`);
      expect(textOf(dialer))
        .to.include(withheld)
        .and.not.match(/anonymous/i);
      expect(dialer.state.call).to.have.nested.property('info.name', undefined);
      sdk().answerCall = async () => sdk().accept();
      await dialer.answer();
      await reaches(dialer, 'in-call');
      sdk().end();
      await reaches(dialer, 'ended');
      dialer.shadowRoot?.querySelector<HTMLElement>('.strip .icon-button')?.click();
      await dialer.updateComplete;
      expect(textOf(dialer)).to.include(withheld).and.not.include(callBack);
      fieldOf(dialer).focus();
      await sendKeys({ press: 'ArrowUp' });
      expect(fieldOf(dialer).value, 'not recalled').to.equal('');
    });
  }

  it('says that the microphone is blocked before "Answer" is pressed, and that it is not any more', async () => {
    const { dialer } = await ring();
    expect(textOf(dialer)).not.to.include('microphone');
    browser.permit('denied');
    await until(() => textOf(dialer).includes('The browser blocks the microphone'), 'the warning');
    expect(textOf(dialer), 'no button but the two in sight')
      .to.include('Allow it in the address bar.')
      .and.not.include('again');
    await expect(dialer).to.be.accessible();
    browser.permit('granted');
    await until(() => !textOf(dialer).includes('The browser blocks the microphone'), 'the end of it');
    expect(dialer.state.status).to.equal('incoming');
  });

  it('that could not be answered says so, rings on, and can be answered again', async () => {
    const { dialer } = await ring();
    sdk().answerCall = () => Promise.reject(new TypeError('inside the SDK'));
    await press(dialer, 'Answer');
    await until(() => textOf(dialer).includes('could not be answered'), 'the reason');
    expect(textOf(dialer)).not.to.include('could not be placed');
    sdk().answerCall = async () => sdk().accept();
    await press(dialer, 'Answer');
    await reaches(dialer, 'in-call');
  });

  it('shows that "Answer" was pressed, although the answer to an earlier caller fails late', async () => {
    const asked: ((devices: readonly object[]) => void)[] = [];
    const { dialer } = await ring();
    // An answer looks for a microphone first.
    browser.replace(
      navigator.mediaDevices,
      'enumerateDevices',
      () => new Promise((resolve) => asked.push(resolve)),
    );
    await press(dialer, 'Answer');
    await until(() => asked.length > 0, 'the first answer');
    const first = asked.splice(0);
    sdk().end('Cuộc gọi đã bị hủy');
    await reaches(dialer, 'ended');
    sdk().ring('0912345678', 'Mai', 'in-2');
    await reaches(dialer, 'incoming');
    await press(dialer, 'Answer');
    for (const found of first) found([{ kind: 'audioinput', deviceId: '', label: '' }]);
    await nextTurn();
    await dialer.updateComplete;
    expect([dialer.state.status, button(dialer, 'Answer').ariaDisabled]).to.deep.equal(['incoming', 'true']);
  });

  it('says beforehand that the browser will ask for the microphone', async () => {
    browser.permit('prompt');
    const { dialer } = await ring();
    await until(() => textOf(dialer).includes('your browser will ask for the microphone'), 'the notice');
  });
});

describe('a notification of the desktop', () => {
  let browser: FakeBrowser;
  let permission: NotificationPermission = 'default';
  let asked = 0;
  const shown: FakeNotification[] = [];

  class FakeNotification extends EventTarget {
    readonly title: string;
    readonly options: NotificationOptions;
    isClosed = false;
    static get permission(): NotificationPermission {
      return permission;
    }
    static async requestPermission(): Promise<NotificationPermission> {
      asked += 1;
      permission = 'granted';
      return permission;
    }
    constructor(title: string, options: NotificationOptions) {
      super();
      this.title = title;
      this.options = options;
      shown.push(this);
    }
    close(): void {
      this.isClosed = true;
    }
  }

  beforeEach(() => {
    browser = new FakeBrowser();
    permission = 'default';
    asked = 0;
    shown.length = 0;
    browser.replace(globalThis, 'Notification', FakeNotification);
  });

  it('is offered after a call that came in, asked for by a press only, and shown from then on', async () => {
    const { dialer } = await openReady();
    const offer = 'Show calls on the desktop?';
    expect(textOf(dialer), 'on load').not.to.include(offer);
    await ringOn(dialer, '0912345678');
    expect(textOf(dialer), 'in a call').not.to.include(offer);
    await dialer.reject();
    await reaches(dialer, 'ended');
    expect(textOf(dialer)).to.include(offer);
    await expect(dialer).to.be.accessible();
    expect([asked, shown.length]).to.deep.equal([0, 0]);
    await press(dialer, 'Turn on');
    await until(() => !textOf(dialer).includes(offer), 'the end of the offer');
    expect(asked).to.equal(1);
    await ringOn(dialer, '0987654321', 'Lan');
    expect(shown.map(({ title, options }) => [title, options.body])).to.deep.equal([
      ['📞 Lan', '0987 654 321'],
    ]);
    await dialer.reject();
    await reaches(dialer, 'ended');
    expect(shown.filter(({ isClosed }) => !isClosed)).to.deep.equal([]);
  });

  it('opens a closed card when it is pressed, and names the caller once the page knows the name', async () => {
    permission = 'granted';
    const { dialer } = await openReady({ floating: 'true' });
    const told = new EventTarget();
    dialer.lookup = async () => {
      await new Promise((resolve) => told.addEventListener('name', resolve));
      return [{ code: 'c1', name: 'Lan' }];
    };
    await ringOn(dialer, '0987654321');
    await press(dialer, 'Close the dialer');
    expect(dialer.open).to.equal(false);
    told.dispatchEvent(new Event('name'));
    await until(() => shown.length === 2, 'the name');
    expect(shown.map(({ title, options, isClosed }) => [title, options.tag, isClosed])).to.deep.equal([
      ['📞 0987 654 321', 'partner-dialer', true],
      ['📞 Lan', 'partner-dialer', false],
    ]);
    shown[1]?.dispatchEvent(new Event('click'));
    await dialer.updateComplete;
    expect([dialer.open, shown[1]?.isClosed]).to.deep.equal([true, true]);
  });

  it('that is not wanted is not offered again', async () => {
    const { dialer } = await openReady();
    for (const number of ['0912345678', '0987654321']) {
      await ringOn(dialer, number);
      await dialer.reject();
      await reaches(dialer, 'ended');
      if (number === '0912345678')
        dialer.shadowRoot?.querySelector<HTMLElement>('[aria-label="Not now"]')?.click();
    }
    expect(textOf(dialer)).not.to.include('desktop');
    expect(asked).to.equal(0);
  });
});

describe('the question for one click, without which no call rings aloud', () => {
  it('is answered by "Turn on", also where the dialer was moved in the page', async () => {
    const browser = new FakeBrowser();
    let isTouched = false;
    browser.replace(navigator, 'userActivation', {
      get hasBeenActive() {
        return isTouched;
      },
    });
    browser.replace(HTMLMediaElement.prototype, 'play', async () => {
      throw new DOMException('not yet', 'NotAllowedError');
    });
    const { dialer } = await openDialer();
    const question = 'Ring for incoming calls?';
    await until(() => textOf(dialer).includes(question), 'the question');
    const place = document.createElement('div');
    document.body.append(place);
    place.append(dialer);
    await nextTurn();
    isTouched = true;
    await press(dialer, 'Turn on');
    await until(() => !textOf(dialer).includes(question), 'the end of the question');
    place.remove();
  });
});
