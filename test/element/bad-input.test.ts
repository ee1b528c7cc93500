import { expect } from '@open-wc/testing';
import { session } from '../support/fake-broker.ts';
import {
  nextTurn,
  openDesk,
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
const ATTRIBUTES = [
  'broker-url',
  'broker-credentials',
  'sdk-url',
  'sdk-integrity',
  'nonce',
  'sdk-base-url',
  'disconnect-sound-url',
  'ringtone-url',
  'hold-music-url',
  'hotline',
  'external-call-id',
  'connect-mode',
  'low-balance',
  'floating',
  'vendor-ui',
  'lang',
  'theme',
];

describe('a dialer that is given nonsense', () => {
  let desk: DialerPage;
  const thrown: unknown[] = [];
  const note = (event: ErrorEvent | PromiseRejectionEvent) => {
    thrown.push(event instanceof ErrorEvent ? event.error : event.reason);
    event.preventDefault();
  };
  const { warn } = console;
  let warnings: string[] = [];

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
    console.warn = (...words: unknown[]) => warnings.push(words.join(' '));
  });
  afterEach(async () => {
    console.warn = warn;
    await desk.close();
    expect(thrown.splice(0), 'thrown into the page').to.deep.equal([]);
  });

  for (const attribute of ATTRIBUTES) {
    it(`as ${attribute} still shows a state`, async () => {
      for (const value of NONSENSE) {
        desk = await openDesk({
          [attribute]: value,
          'connect-mode': attribute === 'connect-mode' ? value : 'manual',
        });
        await desk.dialer.updateComplete;
        expect(desk.dialer.shadowRoot?.textContent?.trim(), value).not.to.equal('');
        desk.dialer.setAttribute(attribute, value);
        desk.dialer.click();
        await nextTurn();
        await desk.close();
      }
      desk = await openDesk({ [attribute]: 'nonsense' });
      await until(() => ['ready', 'failed'].includes(desk.dialer.state.status), 'a settled state');
    });
  }

  it('from the broker, cut at every byte, shows a way back', async () => {
    const whole = await session().text();
    let length = 0;
    desk = await openDesk({ 'connect-mode': 'manual' }, (broker) =>
      broker.on('POST session', () => new Response(whole.slice(0, length))),
    );
    for (; length < whole.length; length += 1) {
      const error = await desk.dialer.connect().catch((reason: { code: string }) => reason.code);
      expect(error, `after ${length} bytes`).to.equal('broker-invalid-answer');
    }
    await desk.dialer.updateComplete;
    expect(textOf(desk.dialer)).to.include('makes no sense').and.include('Try again');
    await press(desk.dialer, 'Try again');
    await reaches(desk.dialer, 'ready');
  });

  it('as the end sound says so once, and leaves the vendor its own', async () => {
    desk = await openDesk({ 'disconnect-sound-url': 'javascript:alert(2)' });
    await reaches(desk.dialer, 'ready');
    desk.dialer.setAttribute('ringtone-url', 'mailto:x@y');
    desk.dialer.setAttribute('disconnect-sound-url', 'javascript:alert(2)');
    await nextTurn();
    expect(sdk().getAttribute('config')).not.to.include('disconnectSoundUrl').and.not.include('ringtoneUrl');
    expect(warnings.filter((words) => words.includes('disconnect-sound-url'))).to.have.length(1);
  });

  it('as an end sound that is not there says so once, too', async () => {
    desk = await openDesk({ 'disconnect-sound-url': '/broker/no-such-sound.wav' });
    await reaches(desk.dialer, 'ready');
    await until(() => warnings.some((words) => words.includes('cannot be loaded')), 'the warning');
    await until(() => !sdk().getAttribute('config')?.includes('disconnectSoundUrl'), 'the sound taken back');
    expect(warnings).to.have.length(1);
  });
});

describe('the end sound of a page', () => {
  let desk: DialerPage;
  afterEach(() => desk.close());
  const silence = `data:audio/wav;base64,${btoa('RIFF$\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0@\x1f\0\0@\x1f\0\0\x01\0\b\0data\0\0\0\0')}`;

  it('is handed to the SDK at boot and when it changes', async () => {
    desk = await openDesk({ 'disconnect-sound-url': silence });
    await reaches(desk.dialer, 'ready');
    expect(JSON.parse(sdk().getAttribute('config') ?? '').disconnectSoundUrl).to.equal(silence);
    desk.dialer.disconnectSoundUrl = `${silence}#2`;
    await desk.dialer.updateComplete;
    expect(JSON.parse(sdk().getAttribute('config') ?? '').disconnectSoundUrl).to.equal(`${silence}#2`);
    desk.dialer.removeAttribute('disconnect-sound-url');
    await desk.dialer.updateComplete;
    expect(JSON.parse(sdk().getAttribute('config') ?? '')).not.to.have.property('disconnectSoundUrl');
  });
});
