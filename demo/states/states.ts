/**
 * Every state that the element can draw. Whoever adds one adds a row: a new status, reason, outcome, notice or error that has
 * none here does not compile. Within a group, each row follows the one before it in an agent's day.
 */
import type { TabActivity, GuideNotice } from '../../src/dialer/block-state.ts';
import type { Call } from '../../src/dialer/call-state.ts';
import type { CallInfo, CallOutcome } from '../../src/dialer/call.ts';
import type { InvalidNumber } from '../../src/dialer/phone-number.ts';
import type { Block, DialerState, DialerStatus } from '../../src/dialer/state.ts';
import type { Shown } from '../../src/element/shown.ts';
import { DialerError, type DialerErrorCode } from '../../src/errors.ts';
import type { Words } from '../../src/i18n/en.ts';

export interface ShownState extends Partial<Shown> {
  readonly name: string;
  readonly state: DialerState;
  readonly floating?: boolean;
}

export interface Group {
  readonly title: string;
  readonly states: readonly ShownState[];
}

/** All of them at one moment: what counts stands still. */
export const NOW = Date.parse('2026-11-20T09:30:00+07:00');
const MOBILE = '0912345678';
const NAME = 'Nguyễn Thị Mai';
const LONG_NAME = 'Công ty TNHH Thương mại và Du lịch Bình Minh Phương Nam';

const member = {
  memberNo: 'agent001',
  name: 'Trần Văn An',
  extension: '101',
  balance: 12_500,
  currency: 'VND',
} as const;
const hotlines = [
  { name: 'Sales', number: '842899990001' },
  { name: 'Chăm sóc khách hàng', number: '842899990003' },
];

const info: CallInfo = {
  id: '1',
  direction: 'outgoing',
  number: MOBILE,
  name: NAME,
  hotline: '842899990001',
  startedAt: NOW - 20_000,
};
const incoming: CallInfo = { ...info, direction: 'incoming', hotline: undefined };
const answered: CallInfo = { ...info, answeredAt: NOW - 133_000 };

const READY: DialerState = {
  status: 'ready',
  line: { is: 'up' },
  block: { is: 'none' },
  call: { is: 'none' },
  member,
  hotlines,
};
const IDLE: DialerState = { ...READY, status: 'idle', line: { is: 'off' }, member: undefined, hotlines: [] };

const inState = (status: DialerStatus, change: Partial<DialerState>): DialerState => ({
  ...READY,
  ...change,
  status,
});
const active = (change: Partial<Extract<Call, { is: 'active' }>> = {}): DialerState =>
  inState('in-call', {
    call: { is: 'active', info: answered, muted: false, held: false, microphoneLost: false, ...change },
  });
const blocked = (reason: string, change: Partial<Extract<Block, { is: 'blocked' }>> = {}): DialerState =>
  inState('blocked', {
    block: { is: 'blocked', reason, source: 'broker', drawnByPage: false, ...change },
    ...(reason === 'insufficient-funds' && { member: { ...member, balance: 0 } }),
  });
const failed = (code: DialerErrorCode, retryAt?: number): DialerState =>
  inState('failed', {
    line: { is: 'failed', error: new DialerError(code, 'as an example'), retryAt },
    member: undefined,
    hotlines: [],
  });
const placing: Call = { is: 'placing', number: MOBILE, asksMicrophone: false };
const ringing: Call = { is: 'incoming', info: incoming, asksMicrophone: false };

/** A row for each status at least. */
const BY_STATUS: Readonly<Record<DialerStatus, readonly ShownState[]>> = {
  idle: [{ name: 'not connected', state: IDLE }],
  connecting: [
    {
      name: 'connecting',
      state: inState('connecting', { line: { is: 'connecting' }, member: undefined, hotlines: [] }),
    },
    { name: 'connection lost', state: inState('connecting', { line: { is: 'lost' } }) },
  ],
  ready: [
    { name: 'ready', state: READY },
    { name: 'ready, with one caller number', state: { ...READY, hotlines: hotlines.slice(0, 1) } },
    { name: 'ready, a number typed', state: READY, view: { draft: MOBILE } },
    { name: 'ready, a number pasted', state: READY, view: { draft: '+84 (0) 912-345-678' } },
    { name: 'ready, little money', state: { ...READY, member: { ...member, balance: 400 } } },
    {
      name: 'ready, asking for money',
      state: { ...READY, member: { ...member, balance: 400 } },
      view: { topUp: 'asking' },
    },
    {
      name: 'ready, money refused',
      state: { ...READY, member: { ...member, balance: 400 } },
      view: { topUp: 'top-up-limit' },
    },
    { name: 'ready, the list of keys open', state: READY, view: { helpOpen: true } },
    { name: 'ready, a call refused', state: READY, view: { draft: MOBILE, hint: 'call-rejected' } },
    {
      name: 'you can call again',
      state: { ...READY, block: { is: 'cleared', reason: 'insufficient-funds' } },
    },
    {
      name: 'you can call again, a number waits',
      state: { ...READY, block: { is: 'cleared', reason: 'insufficient-funds' } },
      view: { draft: MOBILE },
    },
  ],
  dialing: [
    { name: 'calling', state: inState('dialing', { call: placing }) },
    {
      name: 'calling, the browser asks for the microphone',
      state: inState('dialing', { call: { ...placing, asksMicrophone: true } }),
    },
    { name: 'calling, with a name', state: inState('dialing', { call: { is: 'dialing', info } }) },
    {
      name: 'ringing there',
      state: inState('dialing', { call: { is: 'dialing', info, ringingSince: NOW - 7000 } }),
    },
  ],
  'in-call': [
    { name: 'in call', state: active() },
    { name: 'muted', state: active({ muted: true }) },
    { name: 'on hold', state: active({ held: true }) },
    { name: 'on hold and muted', state: active({ held: true, muted: true }) },
    { name: 'keys open', state: active(), view: { keysOpen: true, tones: '12#' } },
    { name: 'a second number refused', state: active(), view: { hint: 'busy' } },
    { name: 'connection lost in a call', state: { ...active(), line: { is: 'lost' } } },
    {
      name: 'offline in a call',
      state: {
        ...active(),
        block: { is: 'blocked', reason: 'offline', source: 'browser', drawnByPage: false },
      },
    },
    { name: 'microphone gone', state: active({ microphoneLost: true }) },
    { name: 'a long name', state: active({ info: { ...answered, name: LONG_NAME } }) },
    {
      name: 'a number without a name',
      state: active({ info: { ...answered, name: undefined, number: '+442071838750' } }),
    },
  ],
  ended: [
    {
      name: 'after a call',
      state: inState('ended', {
        call: { is: 'ended', info: { ...answered, endedAt: NOW, outcome: 'answered' } },
      }),
      view: { lastCall: { ...answered, endedAt: NOW, outcome: 'answered' } },
    },
  ],
  incoming: [
    { name: 'somebody calls', state: inState('incoming', { call: ringing }) },
    {
      name: 'a number calls',
      state: inState('incoming', { call: { ...ringing, info: { ...incoming, name: undefined } } }),
    },
    {
      name: 'a long name calls',
      state: inState('incoming', { call: { ...ringing, info: { ...incoming, name: LONG_NAME } } }),
    },
    {
      name: 'answering, the browser asks for the microphone',
      state: inState('incoming', { call: { ...ringing, asksMicrophone: true } }),
    },
    {
      name: 'answering, microphone denied',
      state: inState('incoming', {
        call: { ...ringing, trouble: new DialerError('microphone-denied', 'as an example') },
      }),
    },
  ],
  blocked: [
    {
      name: 'asking for money',
      state: blocked('insufficient-funds', { waitingFor: 'help' }),
      view: { draft: MOBILE },
    },
    { name: 'checking', state: blocked('no-hotline', { waitingFor: 'check' }) },
    { name: 'details copied', state: blocked('no-hotline'), view: { copied: true } },
    { name: 'the guide is the page’s', state: blocked('insufficient-funds', { drawnByPage: true }) },
  ],
  failed: [
    {
      name: 'tried again by itself',
      state: failed('broker-unreachable', NOW + 8000),
    },
  ],
};

/** What keeps the member from calling. */
const GUIDES: Readonly<Record<keyof Words['guide'], Partial<ShownState>>> = {
  'insufficient-funds': { view: { draft: MOBILE } },
  'no-hotline': {},
  'member-expired': {},
  'microphone-denied': { view: { draft: MOBILE } },
  'microphone-forbidden': {},
  'microphone-missing': {},
  'insecure-context': {},
  'unsupported-browser': {},
  offline: {},
  other: {},
};

/** What the tab that has the phone does with it. */
const ELSEWHERE: Readonly<Record<TabActivity['is'], TabActivity>> = {
  idle: { is: 'idle' },
  calling: { is: 'calling', number: MOBILE, name: NAME },
  ringing: { is: 'ringing', number: MOBILE },
  'in-call': { is: 'in-call', number: MOBILE, name: NAME, since: NOW - 133_000 },
};

/** What came of a press in a guide. */
const NOTICES: Readonly<Record<GuideNotice, string>> = {
  'still-blocked': 'no-hotline',
  'help-requested': 'no-hotline',
  'ask-admin': 'no-hotline',
  'check-failed': 'no-hotline',
  'call-elsewhere': 'active-elsewhere',
  'not-moved': 'active-elsewhere',
  'top-up-limit': 'insufficient-funds',
  'top-up-off': 'insufficient-funds',
  'top-up-later': 'insufficient-funds',
  'top-up-refused': 'insufficient-funds',
  'top-up-admin-short': 'insufficient-funds',
};

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

/** How the last call ended, with the SIP status that it had. */
const OUTCOMES: Readonly<Record<CallOutcome, number | undefined>> = {
  answered: undefined,
  missed: undefined,
  declined: undefined,
  cancelled: undefined,
  'answered-elsewhere': undefined,
  busy: 486,
  'no-answer': 480,
  'wrong-number': 404,
  rejected: 413,
  'insufficient-funds': 402,
  'no-hotline': undefined,
  'exchange-trouble': 503,
  'network-lost': undefined,
  failed: undefined,
};

const WRONG_NUMBERS: Readonly<Record<InvalidNumber, string>> = {
  empty: '',
  letters: 'Mai 0912',
  'other-digits': '０９１２３４５６７８',
  extension: '028 3822 1234 x12',
  'two-numbers': '0912345678 / 0987654321',
  'too-short': '0912',
  'too-long': '0912345678901',
  'no-prefix': '912345678',
  unknown: '0112345678',
};

const namesOf = <K extends string>(table: Readonly<Record<K, unknown>>) => Object.keys(table) as K[];

export const GROUPS: readonly Group[] = [
  {
    title: 'Before a call',
    states: [...BY_STATUS.idle, ...BY_STATUS.connecting, ...BY_STATUS.ready, ...BY_STATUS.failed],
  },
  { title: 'A call out', states: [...BY_STATUS.dialing, ...BY_STATUS['in-call'], ...BY_STATUS.ended] },
  { title: 'A call in', states: [...BY_STATUS.incoming, { name: 'answered', state: active() }] },
  {
    title: 'What keeps a member from calling',
    states: [
      ...namesOf(GUIDES).map((reason) => ({ name: reason, state: blocked(reason), ...GUIDES[reason] })),
      ...BY_STATUS.blocked,
      ...namesOf(NOTICES).map((notice) => ({
        name: `${NOTICES[notice]}: ${notice}`,
        state: blocked(NOTICES[notice], { notice }),
      })),
      ...namesOf(ELSEWHERE).map((is) => ({
        name: `in another tab: ${is}`,
        state: blocked('active-elsewhere', { source: 'tab', elsewhere: ELSEWHERE[is] }),
      })),
    ],
  },
  {
    title: 'No connection',
    states: namesOf(ERRORS)
      .filter((code) => ERRORS[code])
      .map((code) => ({ name: code, state: failed(code) })),
  },
  {
    title: 'How a call ended',
    states: namesOf(OUTCOMES).map((outcome) => {
      const isAnswered = outcome === 'answered';
      const call = { ...(isAnswered ? answered : info), endedAt: NOW, outcome, status: OUTCOMES[outcome] };
      return {
        name: outcome,
        state: inState('ended', { call: { is: 'ended', info: call } }),
        view: { lastCall: call },
      };
    }),
  },
  {
    title: 'Numbers that are none',
    states: namesOf(WRONG_NUMBERS).map((why) => ({
      name: why,
      state: READY,
      view: { draft: WRONG_NUMBERS[why], hint: 'invalid-number' },
    })),
  },
  {
    title: 'Bubbles',
    states: [
      { name: 'a bubble', state: READY, floating: true },
      { name: 'an open bubble', state: READY, floating: true, isOpen: true },
      { name: 'a bubble in a call', state: active(), floating: true },
      { name: 'a bubble that rings', state: inState('incoming', { call: ringing }), floating: true },
      { name: 'a blocked bubble', state: blocked('insufficient-funds'), floating: true },
    ],
  },
];
