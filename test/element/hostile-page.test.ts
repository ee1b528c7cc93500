/** A page that gives the dialer anything, at any moment: the dialer draws its buttons, throws nothing, and names each fault once. */
import { expect } from '@open-wc/testing';
import * as fc from 'fast-check';
import { DialerError } from '../../src/errors.ts';
import { nextTurn, openDialer, passTime, sdk, type DialerPage } from '../support/dialer.ts';
import { BROKE, readiness } from '../support/fake-broker.ts';

/** Stands for a customer's name: nothing may keep it. */
const SECRET = 'Nguyen Van Secret';
const fail = () => {
  throw new Error(SECRET);
};
const revoked = () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};

const HOSTILE: readonly (() => unknown)[] = [
  () => null,
  () => undefined,
  () => Number.NaN,
  () => -1e300,
  () => '',
  () => SECRET,
  () => `${SECRET}\0<b>`.repeat(50),
  () => Symbol(SECRET),
  () => [SECRET],
  () => Object.create(null),
  () => fail,
  () => () => Reflect.construct(DialerError, [SECRET, SECRET]),
  () => () => {
    throw Reflect.construct(DialerError, ['session-expired', SECRET]);
  },
  () => () => Promise.reject(SECRET),
  () => async () => [{ code: 7, name: {} }, null],
  () => Object.defineProperty({ status: { ready: 7 } }, 'hangUp', { enumerable: true, get: fail }),
  () => ({ sip: { 404: null, 499: '' }, call: ' ', balanceOf: fail, talkTime: () => 7, [SECRET]: null }),
  () => revoked(),
];
const PROPERTIES = [
  'brokerHeaders',
  'lookup',
  'words',
  'lowBalance',
  'floating',
  'open',
  'theme',
  'lang',
  'hotline',
  'externalCallId',
  'ringtoneUrl',
  'clickToCall',
  'hotkeys',
] as const;
const ATTRIBUTE_NAMES = [
  'external-call-id',
  'low-balance',
  'theme',
  'floating',
  'ringtone-url',
  'lang',
] as const;
/** The most varied of the properties. */
const WORDS = HOSTILE.slice(-3);
/** As `session`, beside all others. */
const SESSIONS: readonly (() => unknown)[] = [
  () => Promise.reject(new Error(SECRET)),
  () => Object.defineProperty({}, 'token', { enumerable: true, get: fail }),
  () => new Response(SECRET),
  () => ({ token: SECRET, member: { name: SECRET }, blockers: [SECRET] }),
  ...HOSTILE,
];
const KEYS = ['devices', 'notifications declined', 'calls'] as const;

type Step = (page: DialerPage) => unknown;

/** Made when it is used: fast-check looks into its values. */
const hostile = fc.constantFrom(...HOSTILE);
const steps: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(fc.constantFrom(...PROPERTIES), hostile).map(
    ([name, value]): Step =>
      ({ dialer }) =>
        Reflect.set(dialer, name, value()),
  ),
  fc.constantFrom(...SESSIONS).map((value): Step => async ({ dialer }) => {
    await dialer.disconnect().catch(() => undefined);
    Reflect.set(dialer, 'session', value());
    await nextTurn();
    await dialer.connect().catch(() => undefined);
  }),
  fc.constantFrom(...WORDS).map(
    (value): Step =>
      ({ dialer }) =>
        Reflect.set(dialer, 'words', value()),
  ),
  fc.tuple(fc.constantFrom(...ATTRIBUTE_NAMES), fc.constantFrom('', SECRET, '-1', '☎', 'javascript:1')).map(
    ([name, value]): Step =>
      ({ dialer }) =>
        dialer.setAttribute(name, value),
  ),
  fc
    .tuple(fc.constantFrom(...KEYS), fc.constantFrom('{', 'null', '7', '[null,{"id":7}]', '{"ringers":[]}'))
    .map(([key, value]): Step => () => {
      const found = Object.keys(localStorage).find((name) => name.startsWith(`partner-dialer ${key}`));
      const name = found ?? `partner-dialer ${key}`;
      localStorage.setItem(name, value);
      dispatchEvent(new StorageEvent('storage', { key: name, newValue: value }));
    }),
  hostile.map(
    (value): Step =>
      ({ details }) =>
        details.get('topuprequest')?.detail.done(value()),
  ),
  fc.tuple(fc.constantFrom('call', 'prefill', 'setMuted', 'sendDtmf', 'connect', 'hangUp'), hostile).map(
    ([name, value]): Step =>
      ({ dialer }) =>
        void Promise.resolve()
          .then(() => Reflect.apply(dialer[name], dialer, [name === 'call' ? '0912345678' : '1', value()]))
          .catch(() => undefined),
  ),
  fc.constantFrom<Step>(
    () => sdk().ring('0987654321', SECRET),
    () => sdk().accept(),
    () => sdk().end(),
    ({ broker }) => broker.on('GET status', () => readiness(BROKE)),
    ({ broker }) => broker.on('GET status', () => readiness()),
    ({ dialer }) => void dialer.recheck().catch(() => undefined),
    ({ dialer }) => dialer.shadowRoot?.querySelector<HTMLElement>('[part~=guide-action]')?.click(),
    ({ dialer }) => dialer.shadowRoot?.querySelector<HTMLElement>('.recent-button')?.click(),
  ),
);

describe('a dialer on a hostile page', () => {
  const thrown: unknown[] = [];
  const note = (event: ErrorEvent | PromiseRejectionEvent) => {
    thrown.push(event instanceof ErrorEvent ? event.error : event.reason);
    event.preventDefault();
  };
  const { warn, error } = console;
  const written: string[] = [];

  before(() => {
    addEventListener('error', note);
    addEventListener('unhandledrejection', note);
    console.warn = (...words: unknown[]) => written.push(words.join(' '));
    console.error = (...words: unknown[]) => written.push(words.join(' '));
  });
  after(() => {
    removeEventListener('error', note);
    removeEventListener('unhandledrejection', note);
    Object.assign(console, { warn, error });
  });

  const play = async (sequence: readonly Step[]) => {
    const page = await openDialer();
    const { dialer } = page;
    dialer.addEventListener('dialer-topuprequest', (event) => event.preventDefault());
    await passTime(2000);
    for (const step of sequence) {
      step(page);
      await nextTurn();
      await dialer.updateComplete;
      const buttons = [...(dialer.shadowRoot?.querySelectorAll('button') ?? [])];
      expect(buttons.length, 'buttons').to.be.greaterThan(0);
      for (const each of buttons)
        expect((each.getAttribute('aria-label') ?? each.textContent).trim(), each.className).not.to.equal('');
    }
    const known = written.filter((text) => text.startsWith('<partner-dialer>'));
    expect(known.length, known.join('\n')).to.equal(new Set(known).size);
    const [, warned = ''] = /(warnings:[^]*)readiness:/.exec(dialer.supportDetails()) ?? [];
    // The name of a key is the developer's, the value is not.
    const said = [...known, warned].join('\n').replaceAll(`words.${SECRET}`, '');
    expect(said).not.to.include('Secret');
    expect(thrown.splice(0), 'thrown into the page').to.deep.equal([]);
    await page.close();
  };

  it('draws its buttons after each step, throws nothing, and names each fault once without its value', async function () {
    this.timeout(60_000);
    const property = fc.asyncProperty(fc.array(steps, { minLength: 4, maxLength: 12 }), play);
    await fc.assert(property, { numRuns: 25 });
  });
});
