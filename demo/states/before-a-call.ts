/** Before a call: on the way to it, ready, with little money, with calls that were missed. */
import type { SoundTest } from '../../src/devices/state.ts';
import type { InvalidNumber } from '../../src/numbers/read.ts';
import type { DialerErrorCode } from '../../src/errors.ts';
import { en } from '../../src/i18n/en.ts';
import {
  DEVICES,
  failed,
  hotlines,
  info,
  inState,
  member,
  missed,
  MOBILE,
  NOW,
  READY,
  RECENT,
  WITHOUT_HEADSET,
  type ShownState,
} from './samples.ts';

export const OFF = {
  ...READY,
  status: 'idle',
  canCall: false,
  line: { is: 'off' },
  member: undefined,
  hotlines: [],
} as const;
const LOW = { ...READY, member: { ...member, balance: 400 } };
const CLEARED = { ...READY, block: { is: 'cleared', reason: 'insufficient-funds' } } as const;

export const idle: readonly ShownState[] = [{ name: 'not connected', state: OFF }];

const lost = { ...info, endedAt: NOW, outcome: 'network-lost' } as const;

export const connecting: readonly ShownState[] = [
  {
    name: 'connecting',
    state: inState('connecting', { line: { is: 'connecting' }, member: undefined, hotlines: [] }),
  },
  {
    name: 'connecting, a call waits',
    state: inState('connecting', { line: { is: 'connecting' }, member: undefined, hotlines: [] }),
    display: { typedNumber: MOBILE },
    waitingCall: { number: MOBILE, name: info.name, preferred: [] },
  },
  { name: 'connection lost', state: inState('connecting', { line: { is: 'lost' } }) },
  {
    name: 'connection lost, and a call with it',
    state: inState('connecting', { line: { is: 'lost' }, call: { is: 'ended', info: lost } }),
    display: { lastCall: lost },
  },
];

export const ready: readonly ShownState[] = [
  { name: 'ready', state: READY },
  { name: 'ready, with one caller number', state: { ...READY, hotlines: hotlines.slice(0, 1) } },
  { name: 'ready, a number typed', state: READY, display: { typedNumber: MOBILE } },
  { name: 'ready, a number pasted', state: READY, display: { typedNumber: '+84 (0) 912-345-678' } },
  { name: 'ready, the list of keys open', state: READY, ui: { helpOpen: true } },
  {
    name: 'ready, a call refused',
    state: READY,
    display: { typedNumber: MOBILE },
    ui: { refusal: 'call-rejected' },
  },
  {
    name: 'ready, a click is needed for the ringing',
    state: READY,
    prompts: { isSilent: true, mayOfferNotifications: false },
  },
  {
    name: 'ready, may the desktop tell of calls?',
    state: READY,
    prompts: { isSilent: false, mayOfferNotifications: true },
  },
  { name: 'you can call again', state: CLEARED },
  { name: 'you can call again, a number waits', state: CLEARED, display: { typedNumber: MOBILE } },
];

/** One for each step of a test and for each of its results. */
const TESTS: Readonly<Record<string, SoundTest>> = {
  'testing the headset, the browser asks': { is: 'asking' },
  'testing the headset, speaking': { is: 'speaking' },
  'testing the headset, listening': { is: 'playing' },
  'the headset works': { is: 'over', result: 'heard' },
  'the headset is silent': { is: 'over', result: 'silent' },
  'testing the headset, the microphone is denied': { is: 'over', result: 'microphone-denied' },
  'testing the headset, there is no microphone': { is: 'over', result: 'microphone-missing' },
  'testing the speaker': { is: 'ringing', on: 'speaker' },
  'testing the ringing': { is: 'ringing', on: 'ringer' },
};

export const soundDevices: readonly ShownState[] = [
  { name: 'sound devices, none known yet', state: READY, ui: { panel: 'devices' } },
  { name: 'sound devices', state: READY, ui: { panel: 'devices' }, devices: DEVICES },
  {
    name: 'sound devices, the headset is pulled out',
    state: READY,
    ui: { panel: 'devices' },
    devices: WITHOUT_HEADSET,
  },
  ...Object.entries(TESTS).map(([name, test]): ShownState => ({
    name,
    state: READY,
    ui: { panel: 'devices' },
    devices: { ...DEVICES, test, level: test.is === 'speaking' ? 0.7 : 0 },
  })),
];

export const lowBalance: readonly ShownState[] = [
  { name: 'low balance', state: LOW },
  { name: 'low balance, asking for money', state: LOW, ui: { topUp: 'asking' } },
  ...(Object.keys(en.topUpResult) as (keyof typeof en.topUpResult)[]).map((topUp) => ({
    name: `low balance, asked for money: ${topUp}`,
    state: LOW,
    ui: { topUp },
  })),
];

export const missedCalls: readonly ShownState[] = [
  { name: 'a missed call', state: READY, calls: missed(1) },
  { name: 'missed calls', state: READY, calls: missed(2) },
  { name: 'missed calls, low balance', state: LOW, calls: missed(2) },
  { name: 'recent calls', state: READY, ui: { panel: 'recent' }, calls: RECENT },
  { name: 'no recent calls', state: READY, ui: { panel: 'recent' } },
];

const WRONG_NUMBERS: Readonly<Record<InvalidNumber, string>> = {
  empty: '',
  letters: 'Mai',
  'other-digits': '０９１２３４５６７８²',
  extension: '028 3822 1234 x12',
  'two-numbers': '0912345678 / 0987654321',
  'too-short': '0912',
  'too-long': '0912345678901',
  'no-prefix': '912345678',
  unknown: '0112345678',
};

export const wrongNumbers: readonly ShownState[] = Object.entries(WRONG_NUMBERS).map(
  ([name, typedNumber]) => ({
    name,
    state: READY,
    display: { typedNumber },
    ui: { refusal: 'invalid-number' },
  }),
);

/** Can there be no connection for it? */
const ERRORS: Readonly<Record<DialerErrorCode, boolean>> = {
  configuration: true,
  'broker-unauthorized': true,
  'broker-unreachable': true,
  'broker-invalid-answer': true,
  'vendor-unreachable': true,
  'sdk-load-failed': true,
  'sdk-auth-failed': true,
  'registration-failed': true,
  'insufficient-funds': false,
  'no-hotline': false,
  'microphone-denied': false,
  'microphone-missing': false,
  'insecure-context': false,
  'unsupported-browser': false,
  'not-ready': false,
  busy: false,
  'invalid-number': false,
  'call-rejected': false,
  'network-lost': true,
  'active-elsewhere': true,
};

export const noConnection: readonly ShownState[] = [
  ...(Object.keys(ERRORS) as DialerErrorCode[])
    .filter((code) => ERRORS[code])
    .map((code) => ({ name: code, state: failed(code) })),
  { name: 'tried again by itself', state: failed('broker-unreachable', { retryAt: NOW + 8000 }) },
  {
    name: 'forbidden by the page’s content security policy',
    state: failed('sdk-load-failed', { directive: 'script-src' }),
  },
];
