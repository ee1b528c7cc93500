/** The reference's table "a change counts": each attribute is changed in a call. */
import { expect } from '@open-wc/testing';
import { HOTLINES } from '../support/fake-broker.ts';
import { FakeVbot } from '../support/fake-vbot.ts';
import {
  nextTurn,
  openReady,
  passTime,
  reaches,
  sdk,
  talkOn,
  until,
  type DialerPage,
} from '../support/dialer.ts';

const CARE = HOTLINES[1].number;
const registerHotlines = (vbot: FakeVbot) =>
  vbot.register(HOTLINES.map((hotline) => ({ name: hotline.name, phoneNumber: hotline.number })));

/** At once: the dialer connects anew, after a call in progress. */
const CONNECTS_ANEW: Readonly<Record<string, string>> = {
  'broker-url': '/broker/session?team=7',
  'broker-credentials': 'include',
  'sdk-url': '/other-sdk.js',
  'sdk-base-url': 'https://staging.example/v3.0',
  'vendor-ui': '',
};
/** When the element is inserted, when the script is loaded, at the next call, or at once and without another connection. */
const STAYS_CONNECTED: Readonly<Record<string, string>> = {
  'connect-mode': 'manual',
  'disconnect-sound-url': '/broker/end.wav',
  'ringtone-url': '/broker/ring.wav',
  'hold-music-url': '/broker/music.wav',
  'sdk-integrity': 'sha384-AAAA',
  nonce: 'abc',
  hotline: CARE,
  'external-call-id': 'deal42',
  'low-balance': '90000',
  floating: 'top-left',
  hotkeys: '',
  'click-to-call': '',
  lang: 'vi',
  theme: 'dark',
};
/** What the dialer does anew takes less. */
const LONG_MS = 5000;

describe('an attribute that is changed in a call', () => {
  let page: DialerPage;
  let boots: number;
  const signIns = () => page.broker.count('POST session');

  const changeInCall = async (name: string, value: string) => {
    FakeVbot.onBoot = registerHotlines;
    page = await openReady();
    await talkOn(page.dialer);
    boots = FakeVbot.boots;
    page.dialer.setAttribute(name, value);
    await passTime(LONG_MS);
    const { call } = page.dialer.state;
    expect([call.is, FakeVbot.boots - boots, signIns(), ...sdk().told.slice(1)], 'in the call').to.deep.equal(
      ['active', 0, 1],
    );
    await page.dialer.hangUp();
    expect(page.details.get('callend')?.detail.call.outcome).to.equal('answered');
  };

  for (const [name, value] of Object.entries(CONNECTS_ANEW)) {
    it(`${name}: leaves the call alone, and counts right after it, with a new connection`, async () => {
      await changeInCall(name, value);
      await until(() => FakeVbot.boots === boots + 1, 'the new connection');
      await until(() => page.dialer.state.line.is === 'up', 'the registration');
      expect(signIns()).to.equal(2);
    });
  }

  for (const [name, value] of Object.entries(STAYS_CONNECTED)) {
    it(`${name}: leaves the call alone, and needs no other connection`, async () => {
      await changeInCall(name, value);
      await passTime(LONG_MS);
      expect([page.dialer.state.status, FakeVbot.boots - boots, signIns()]).to.deep.equal(['ended', 0, 1]);
      await page.dialer.call('0987654321');
      await reaches(page.dialer, 'dialing');
      const from = name === 'hotline' ? CARE : HOTLINES[0].number;
      const id = name === 'external-call-id' ? ' deal42' : '';
      expect(sdk().told.at(-1)).to.equal(`makeCall 0987654321 ${from}${id}`);
    });
  }
});

it('a hotline that the page sets while the broker-url is missing counts, not the one that it set before', async () => {
  FakeVbot.onBoot = registerHotlines;
  const { dialer, details } = await openReady();
  const set = async (name: string, value: string) => {
    dialer.setAttribute(name, value);
    await dialer.updateComplete;
    await nextTurn();
  };
  const address = dialer.brokerUrl;
  await set('hotline', CARE);
  await set('broker-url', '');
  await set('hotline', HOTLINES[0].number);
  await set('broker-url', address);
  await reaches(dialer, 'ready');
  await dialer.call('0912345678');
  expect(details.get('callstart')?.detail.call.hotline).to.equal(HOTLINES[0].number);
});

it('calls from the hotline that the page has set last, although a listener has set another one before', async () => {
  FakeVbot.onBoot = registerHotlines;
  const { dialer, details } = await openReady();
  const listener = () => {
    dialer.hotline = HOTLINES[1].number;
    dialer.recheck().catch(() => undefined);
  };
  dialer.addEventListener('dialer-statechange', listener, { once: true });
  void dialer.disconnect();
  dialer.hotline = HOTLINES[0].number;
  await dialer.connect();
  await reaches(dialer, 'ready');
  await dialer.call('0912345678');
  expect(details.get('callstart')?.detail.call.hotline).to.equal(HOTLINES[0].number);
});
