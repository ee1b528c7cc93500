import { expect } from '@open-wc/testing';
import { DialerError } from '../../src/errors.ts';
import { ATTRIBUTES } from '../../src/element/public-names.ts';
import type { PartnerDialer } from '../../src/index.ts';
import type { DialerWords } from '../../src/i18n/page-words.ts';
import { BROKE, session } from '../support/fake-broker.ts';
import {
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

const NONSENSE = [
  '',
  ' ',
  '\0',
  '<b>',
  'null',
  '-1',
  '{"a":',
  'javascript:alert(1)',
  'http://',
  '☎️',
  'x'.repeat(500),
];
const PROPERTIES = [...Object.keys(ATTRIBUTES), 'brokerHeaders', 'lookup'];

const SILENCE = `data:audio/wav;base64,${btoa(`RIFFt\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0@\x1f\0\0@\x1f\0\0\x01\0\b\0dataP\0\0\0${'\x80'.repeat(80)}`)}`;

describe('a dialer that is given nonsense', () => {
  let page: DialerPage;
  const thrown: unknown[] = [];
  const note = (event: ErrorEvent | PromiseRejectionEvent) => {
    thrown.push(event instanceof ErrorEvent ? event.error : event.reason);
    event.preventDefault();
  };
  const { warn, error: writeError } = console;
  let warnings: string[] = [];
  let errors: string[] = [];

  before(() => {
    addEventListener('error', note);
    addEventListener('unhandledrejection', note);
  });
  after(() => {
    removeEventListener('error', note);
    removeEventListener('unhandledrejection', note);
  });
  beforeEach(() => {
    warnings = [];
    errors = [];
    console.warn = (...words: unknown[]) => warnings.push(words.join(' '));
    console.error = (...words: unknown[]) => errors.push(words.join(' '));
  });
  afterEach(async () => {
    console.warn = warn;
    console.error = writeError;
    await page.close();
    expect(thrown.splice(0), 'thrown into the page').to.deep.equal([]);
  });

  for (const attribute of [...Object.values(ATTRIBUTES), 'nonce']) {
    it(`as ${attribute} still shows a state`, async () => {
      for (const value of NONSENSE) {
        page = await openDialer({
          [attribute]: value,
          'connect-mode': attribute === 'connect-mode' ? value : 'manual',
        });
        await page.dialer.updateComplete;
        expect(page.dialer.shadowRoot?.textContent?.trim(), value).not.to.equal('');
        page.dialer.setAttribute(attribute, value);
        page.dialer.click();
        await nextTurn();
        await page.close();
      }
      page = await openDialer({ [attribute]: 'nonsense' });
      await until(() => ['ready', 'failed'].includes(page.dialer.state.status), 'a settled state');
    });
  }

  for (const property of PROPERTIES) {
    it(`as the property ${property} goes on drawing, and works once it is set right`, async () => {
      page = await openDialer({ 'connect-mode': 'manual' });
      const { dialer } = page;
      const right: unknown = Reflect.get(dialer, property);
      for (const value of [
        null,
        undefined,
        7,
        Number.NaN,
        {},
        [],
        Object.create(null),
        Symbol('x'),
        () => 1,
      ]) {
        Reflect.set(dialer, property, value);
        await dialer.updateComplete;
        expect(dialer.shadowRoot?.textContent.trim()).not.to.equal('');
      }
      Reflect.set(dialer, property, right);
      dialer.connectMode = 'auto';
      await reaches(dialer, 'ready');
    });
  }

  it('is muted and held by the event that a framework gives its handler, and its state holds no event', async () => {
    page = await openReady();
    const { dialer } = page;
    await dialer.call('0912345678');
    sdk().accept();
    await reaches(dialer, 'in-call');
    const pass = (method: 'setMuted' | 'setHeld') =>
      Reflect.apply(dialer[method], dialer, [new MouseEvent('click')]);
    await Promise.all([pass('setMuted'), pass('setHeld')]);
    const { call } = dialer.state;
    expect(call.is === 'active' && [typeof call.muted, typeof call.held]).to.deep.equal([
      'boolean',
      'boolean',
    ]);
  });

  it('has a configuration error in the console once, however often the dialer connects', async () => {
    page = await openDialer({ 'sdk-base-url': 'mailto:a@example.com' });
    await reaches(page.dialer, 'failed');
    await page.dialer.connect().catch(() => undefined);
    expect(errors).to.have.length(1);
    expect(errors[0]).to.include('sdk-base-url').and.include('configuration');
  });

  it('is warned about once for each value that an attribute cannot have', async () => {
    page = await openReady({
      'connect-mode': 'never',
      theme: 'pink',
      'broker-credentials': 'all',
      'low-balance': '10k',
      floating: 'middle',
    });
    for (const right of ['', 'true', 'false', 'top-left']) page.dialer.setAttribute('floating', right);
    for (const right of ['', '0', ' 5000 ']) page.dialer.setAttribute('low-balance', right);
    for (const again of ['10k', '5', '10k']) page.dialer.setAttribute('low-balance', again);
    page.dialer.hotline = '842899990001';
    await page.dialer.updateComplete;
    expect(warnedOf(page.dialer, /^(?:broker-|connect-|floating|low-|theme)/)).to.deep.equal([
      'broker-credentials is not one of same-origin, include, omit; it is ignored.',
      'connect-mode is not one of auto, interaction, manual; it is ignored.',
      'floating is not one of bottom-right, bottom-left, top-right, top-left; it is ignored.',
      'low-balance is not a whole amount in VND; it is ignored.',
      'theme is not one of auto, light, dark; it is ignored.',
    ]);
  });

  it('is warned about as a property, too, as React and Vue set it', async () => {
    page = await openReady();
    for (const again of ['later', 'auto', 'later']) {
      Reflect.set(page.dialer, 'connectMode', again);
      await page.dialer.updateComplete;
    }
    Object.assign(page.dialer, { theme: 'pinkish', lowBalance: 20_000, floating: true, lang: 'fr' });
    await page.dialer.updateComplete;
    const names = warnedOf(page.dialer, /^(?:connect-mode|theme|floating|lang|low-balance) /);
    expect(names.filter((text) => /^(?:connect|theme)/.test(text))).to.have.length(2);
  });

  for (const [name, owner] of [
    ['canParse', URL],
    ['any', AbortSignal],
  ] as const) {
    it(`a browser without ${name} says that it cannot make calls`, async () => {
      const own = Object.getOwnPropertyDescriptor(owner, name) ?? {};
      Reflect.deleteProperty(owner, name);
      try {
        page = await openDialer();
        await reaches(page.dialer, 'failed');
        const { line } = page.dialer.state;
        expect(line.is === 'failed' && line.error.code).to.equal('unsupported-browser');
        expect(textOf(page.dialer)).to.include('This browser cannot make calls');
      } finally {
        Object.defineProperty(owner, name, own);
      }
    });
  }

  it('as a code that the dialer does not know shows a configuration error, with its button', async () => {
    page = await openDialer({ 'connect-mode': 'manual' });
    const { dialer } = page;
    dialer.brokerHeaders = () => {
      throw Reflect.construct(DialerError, ['session-expired', 'of the page']);
    };
    await dialer.connect().catch(() => undefined);
    await reaches(dialer, 'failed');
    expect(textOf(dialer)).to.include('The dialer is not set up correctly on this page.');
    Object.assign(dialer, { brokerHeaders: null });
    await press(dialer, 'Try again');
    await reaches(dialer, 'ready');
  });

  it('as the result of a request for help still says one, once each', async () => {
    page = await openBlocked({ 'POST session': () => session(BROKE) });
    const { dialer, details } = page;
    dialer.addEventListener('dialer-topuprequest', (event) => event.preventDefault());
    await press(dialer, 'Ask for a top-up');
    const { done } = details.get('topuprequest')?.detail ?? {};
    for (const wrong of [
      'session-expired',
      'constructor',
      null,
      7,
      {},
      new MouseEvent('click'),
      Symbol('x'),
    ]) {
      done('ask-admin');
      await until(() => textOf(dialer).includes('Please tell your admin'), 'a word of the page');
      done(wrong);
      await until(() => textOf(dialer).includes('Your request is on its way'), String(wrong));
    }
    expect(warnedOf(dialer, /^The notice of done\(\) is not one of/)).to.have.length(1);
  });

  it('that holds names of customers keeps them out of the console and of the support details', async () => {
    page = await openDialer({
      'external-call-id': 'Nguyễn Văn An',
      theme: 'An',
      'disconnect-sound-url': 'mailto:An',
      'sdk-base-url': 'An:An',
    });
    const { dialer } = page;
    await reaches(dialer, 'failed');
    dialer.removeAttribute('sdk-base-url');
    dialer.words = { call: 7, sip: { 404: ' An' } } as unknown as DialerWords;
    await dialer.connect();
    await dialer.call('0912345678');
    expect(warnedOf(dialer, /^external-call-id is not 1 to 32/)).to.have.length(1);
    expect([...warnings, ...errors, dialer.supportDetails()].join('\n')).not.to.match(/\bAn\b/);
  });

  it('as the end sound says so once, and leaves the vendor its own', async () => {
    page = await openReady({ 'disconnect-sound-url': 'javascript:alert(2)' });
    page.dialer.setAttribute('ringtone-url', 'mailto:x@y');
    page.dialer.setAttribute('disconnect-sound-url', 'javascript:alert(2)');
    await nextTurn();
    expect(sdk().getAttribute('config')).not.to.include('disconnectSoundUrl').and.not.include('ringtoneUrl');
    expect(warnedOf(page.dialer, /^disconnect-sound-url is not/)).to.have.length(1);
  });

  it('as an end sound that is not there says so once, too', async () => {
    page = await openReady({ 'disconnect-sound-url': '/broker/no-such-sound.wav' });
    await until(() => !isSoundUsed(), 'the sound taken back');
    expect(warnedOf(page.dialer, /^disconnect-sound-url cannot be loaded/)).to.have.length(1);
  });

  it('as an end sound whose server was away uses it after the next sign-in', async () => {
    const own = Object.getOwnPropertyDescriptor(HTMLMediaElement.prototype, 'src') as PropertyDescriptor;
    let isAway = true;
    Object.defineProperty(HTMLMediaElement.prototype, 'src', {
      ...own,
      set(this: HTMLMediaElement, address: string) {
        own.set?.call(this, isAway ? address : SILENCE);
      },
    });
    try {
      page = await openReady({ 'disconnect-sound-url': '/broker/away.wav' });
      await until(() => !isSoundUsed(), 'the sound taken back');
      isAway = false;
      await page.dialer.disconnect();
      await page.dialer.connect();
      await until(isSoundUsed, 'the sound');
      expect(warnedOf(page.dialer, /^disconnect-sound-url cannot be loaded/)).to.have.length(1);
    } finally {
      Object.defineProperty(HTMLMediaElement.prototype, 'src', own);
    }
  });
});

/** The page was warned of it, in this test or in one before: the console has each text once. */
function warnedOf(dialer: PartnerDialer, fault: RegExp): string[] {
  const [, lines = ''] = /warnings:\n([^]*)readiness:/.exec(dialer.supportDetails()) ?? [];
  const texts = lines.split('\n').map((line) => line.replace('- ', ''));
  return texts.filter((text) => fault.test(text)).toSorted();
}

const isSoundUsed = () => sdk().getAttribute('config')?.includes('disconnectSoundUrl') === true;

function configuration(): Record<string, unknown> {
  return JSON.parse(sdk().getAttribute('config') ?? '') as Record<string, unknown>;
}

describe('what a page has the vendor do', () => {
  it('is to play its ringtone and its hold music', async () => {
    await openReady({
      'ringtone-url': '/broker/ring.wav',
      'hold-music-url': '/broker/hold.wav',
    });
    expect(configuration()).to.include({
      ringtoneUrl: new URL('/broker/ring.wav', location.href).href,
      holdMusicUrl: new URL('/broker/hold.wav', location.href).href,
    });
  });

  it('is to show its own screens, where the page wants them, and none otherwise', async () => {
    const { dialer } = await openReady({ 'vendor-ui': 'true' });
    expect([sdk().getAttribute('headless'), configuration()['enableFloatingBubble']]).to.deep.equal([
      'false',
      true,
    ]);
    expect(sdk().checkVisibility(), 'in sight').to.equal(true);
    dialer.vendorUi = false;
    await until(() => sdk().getAttribute('headless') === 'true', 'another start without them');
    await reaches(dialer, 'ready');
    expect(sdk().checkVisibility(), 'hidden').to.equal(false);
  });
});

describe('the end sound of a page', () => {
  it('is handed to the SDK at boot and when it changes', async () => {
    const page = await openReady({ 'disconnect-sound-url': SILENCE });
    expect(JSON.parse(sdk().getAttribute('config') ?? '').disconnectSoundUrl).to.equal(SILENCE);
    page.dialer.disconnectSoundUrl = `${SILENCE}#2`;
    await page.dialer.updateComplete;
    expect(JSON.parse(sdk().getAttribute('config') ?? '').disconnectSoundUrl).to.equal(`${SILENCE}#2`);
    page.dialer.removeAttribute('disconnect-sound-url');
    await page.dialer.updateComplete;
    expect(JSON.parse(sdk().getAttribute('config') ?? '')).not.to.have.property('disconnectSoundUrl');
  });
});
