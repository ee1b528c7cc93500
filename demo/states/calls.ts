/** Calls out and in, and how they ended. */
import type { CallOutcome } from '../../src/dialer/state/call-info.ts';
import { DialerError } from '../../src/errors.ts';
import { QUALITY_WARNINGS } from '../../src/quality/quality.ts';
import {
  active,
  answered,
  blocked,
  DEVICES,
  ended,
  hotlines,
  incoming,
  info,
  inState,
  LONG_NAME,
  member,
  missed,
  MOBILE,
  NOW,
  oneCustomer,
  ringing,
  twoCustomers,
  WITHOUT_HEADSET,
  type ShownState,
} from './samples.ts';

/** With so much money left. */
const paying = (balance: number, change?: Parameters<typeof active>[0]) => ({
  ...active(change),
  member: { ...member, balance },
});
const placing = { is: 'placing', number: MOBILE, asksMicrophone: false } as const;
/** While the call of the samples goes on. */
const meanwhile = missed(1).map((call) => (call.isSeen ? call : { ...call, startedAt: NOW - 5000 }));

export const dialing: readonly ShownState[] = [
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
  {
    name: 'calling a customer',
    state: inState('dialing', { call: { is: 'dialing', info: { ...info, ...oneCustomer } } }),
  },
];

export const inCall: readonly ShownState[] = [
  { name: 'in call', state: active() },
  { name: 'hanging up', state: active(), ui: { pending: 'end' } },
  { name: 'muted', state: active({ muted: true }) },
  { name: 'on hold', state: active({ held: true }) },
  { name: 'holding', state: active(), ui: { pending: 'hold' } },
  { name: 'the hold was refused', state: active(), ui: { refusal: 'hold-refused' } },
  { name: 'resuming was refused', state: active({ held: true }), ui: { refusal: 'resume-refused' } },
  { name: 'on hold and muted', state: active({ held: true, muted: true }) },
  { name: 'keys open', state: active(), ui: { panel: 'keys', tones: '12#' } },
  { name: 'a second number refused', state: active(), ui: { refusal: 'busy' } },
  { name: 'somebody called meanwhile', state: active(), calls: meanwhile },
  {
    name: 'somebody called meanwhile, and is called next',
    state: active(),
    display: { typedNumber: '0987654321' },
    calls: meanwhile,
  },
  { name: 'connection lost in a call', state: { ...active(), line: { is: 'lost' } } },
  {
    name: 'offline in a call',
    state: {
      ...active(),
      block: { is: 'blocked', reason: 'offline', source: 'browser', drawnByPage: false },
    },
  },
  { name: 'sounds good', state: active({ quality: { mos: 4.4, level: 'good', warnings: [] } }) },
  { name: 'sounds fair', state: active({ quality: { mos: 3.6, level: 'fair', warnings: [] } }) },
  ...QUALITY_WARNINGS.map((warning) => ({
    name: warning,
    state: active({
      muted: warning === 'muted-speech',
      quality: { mos: 2.6, level: 'poor', warnings: [warning] },
    }),
  })),
  { name: 'four minutes left', state: paying(5000) },
  { name: 'the last minute', state: paying(2500) },
  {
    name: 'the last minute, and everything else',
    state: paying(2500, {
      muted: true,
      held: true,
      quality: { mos: 2.6, level: 'poor', warnings: ['loss-to-customer'] },
    }),
  },
  {
    name: 'the last minute, poor sound, muted',
    state: paying(2500, {
      muted: true,
      quality: { mos: 2.6, level: 'poor', warnings: ['muted-speech'] },
    }),
  },
  { name: 'the last minute, keys open', state: paying(2500), ui: { panel: 'keys', tones: '12#' } },
  { name: 'microphone gone', state: active({ microphoneLost: true }) },
  {
    name: 'sound devices open in a call',
    state: active(),
    ui: { panel: 'devices' },
    devices: { ...DEVICES, level: 0.6 },
  },
  { name: 'the headset is pulled out', state: active(), devices: WITHOUT_HEADSET },
  {
    name: 'the headset is pulled out, sound devices open',
    state: active(),
    ui: { panel: 'devices' },
    devices: WITHOUT_HEADSET,
  },
  {
    name: 'the headset is plugged in again',
    state: active(),
    devices: {
      ...DEVICES,
      notice: { is: 'back', label: 'Jabra Evolve2 30', now: undefined },
    },
  },
  {
    name: 'another headset is plugged in',
    state: active(),
    devices: {
      ...DEVICES,
      notice: { is: 'new', label: 'Plantronics Blackwire 3220 Series', now: undefined },
    },
  },
  { name: 'a customer', state: active({ info: { ...answered, ...oneCustomer } }) },
  { name: 'several customers have the number', state: active({ info: { ...answered, ...twoCustomers } }) },
  { name: 'a long name', state: active({ info: { ...answered, name: LONG_NAME } }) },
  {
    name: 'a long name, keys open, everything at once',
    state: {
      ...active({ info: { ...answered, name: LONG_NAME }, held: true, muted: true }),
      line: { is: 'lost' },
    },
    ui: { panel: 'keys', tones: '1234567890*#1234567890' },
    calls: meanwhile,
  },
  {
    name: 'a caller number with a long name',
    state: {
      ...active({ info: { ...answered, hotline: '842899990009' } }),
      hotlines: [{ name: LONG_NAME, number: '842899990009' }],
    },
  },
  {
    name: 'a number without a name',
    state: active({ info: { ...answered, name: undefined, number: '+442071838750' } }),
  },
];

const afterCall = { ...answered, endedAt: NOW, outcome: 'answered' } as const;
/** Of all results the one that takes the most room. */
const refused = { ...info, endedAt: NOW, outcome: 'rejected', status: 413 } as const;
export const afterwards: readonly ShownState[] = [
  { name: 'after a call', state: ended(afterCall), display: { lastCall: afterCall } },
  {
    name: 'after a call, its cost',
    state: ended(afterCall),
    display: { lastCall: { ...afterCall, cost: 1774 } },
  },
  {
    name: 'after a call that failed, others were missed',
    state: ended(refused),
    display: { lastCall: refused },
    calls: missed(2),
  },
  {
    name: 'after a call, others were missed',
    state: ended(afterCall),
    display: { lastCall: afterCall },
    calls: missed(2),
  },
];

export const callsIn: readonly ShownState[] = [
  { name: 'somebody calls', state: ringing() },
  { name: 'a number calls', state: ringing({ info: { ...incoming, name: undefined } }) },
  {
    name: 'a withheld number calls',
    state: ringing({ info: { ...incoming, name: undefined, number: 'anonymous' } }),
  },
  { name: 'a customer calls', state: ringing({ info: { ...incoming, ...oneCustomer } }) },
  {
    name: 'one of several customers calls',
    state: ringing({ info: { ...incoming, ...twoCustomers } }),
  },
  { name: 'a long name calls', state: ringing({ info: { ...incoming, name: LONG_NAME } }) },
  {
    name: 'somebody calls, the browser will ask for the microphone',
    state: ringing(),
    ui: { microphoneWillAsk: true },
  },
  {
    name: 'somebody calls, the microphone is denied',
    state: {
      ...ringing(),
      block: { is: 'blocked', reason: 'microphone-denied', source: 'browser', drawnByPage: false },
    },
  },
  { name: 'answering', state: ringing(), ui: { pending: 'answer' } },
  { name: 'declining', state: ringing(), ui: { pending: 'end' } },
  {
    name: 'answering, the browser asks for the microphone',
    state: ringing({ asksMicrophone: true }),
    ui: { pending: 'answer' },
  },
  {
    name: 'answering, microphone denied',
    state: ringing({ trouble: new DialerError('microphone-denied', 'as an example') }),
  },
  {
    name: 'could not be answered',
    state: ringing({ trouble: new DialerError('call-rejected', 'as an example') }),
  },
  { name: 'answered', state: active({ info: { ...incoming, answeredAt: NOW - 7000 } }) },
];

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
const COMES_IN = new Set<CallOutcome>(['missed', 'declined', 'answered-elsewhere']);
/** The others that the vendor's table has words for. */
const SIP_STATUSES: Readonly<Record<number, CallOutcome>> = {
  403: 'rejected',
  405: 'rejected',
  406: 'rejected',
  407: 'rejected',
  409: 'rejected',
  410: 'wrong-number',
  411: 'no-answer',
  412: 'rejected',
  414: 'rejected',
  415: 'rejected',
  416: 'rejected',
  500: 'exchange-trouble',
  502: 'exchange-trouble',
};
/** They are seen where the page has drawn the guide. */
const TOLD_BY_GUIDE = new Set<CallOutcome>(['insufficient-funds', 'no-hotline']);
const unreachable = { ...info, endedAt: NOW, outcome: 'rejected', status: 413 } as const;

export const outcomes: readonly ShownState[] = [
  ...(Object.keys(OUTCOMES) as CallOutcome[]).map((outcome) => {
    const begun = outcome === 'answered' ? answered : COMES_IN.has(outcome) ? incoming : info;
    const call = { ...begun, endedAt: NOW, outcome, status: OUTCOMES[outcome] };
    const after = ended(call);
    const state = TOLD_BY_GUIDE.has(outcome)
      ? { ...blocked(outcome, { drawnByPage: true }), call: after.call }
      : after;
    return { name: outcome, state, display: { lastCall: call } };
  }),
  ...Object.entries(SIP_STATUSES).map(([status, outcome]) => {
    const call = { ...info, endedAt: NOW, outcome, status: Number(status) };
    return { name: `${outcome}: ${status}`, state: ended(call), display: { lastCall: call } };
  }),
  {
    name: 'rejected, and there is one caller number only',
    state: { ...ended(unreachable), hotlines: hotlines.slice(0, 1) },
    display: { lastCall: unreachable },
  },
];
