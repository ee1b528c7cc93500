/** A name of 300 letters in each place where a name can stand: in one word at first, which no line holds, then in many. */
import {
  active,
  answered,
  blocked,
  DEVICES,
  ended,
  incoming,
  info,
  inState,
  member,
  missed,
  MOBILE,
  NOW,
  READY,
  ringing,
  WITHOUT_HEADSET,
  type ShownState,
} from './samples.ts';

const NAME = `${'Bình'.repeat(20)} ${'Công ty Du lịch Phương Nam '.repeat(10)}`.slice(0, 300);

const named = { ...answered, name: NAME };
const over = { ...named, endedAt: NOW, outcome: 'answered' } as const;
const refused = { ...info, name: NAME, endedAt: NOW, outcome: 'rejected', status: 413 } as const;
const calls = missed(2).map((call) => ({ ...call, name: NAME }));
const meanwhile = calls.map((call) => (call.isSeen ? call : { ...call, startedAt: NOW - 5000 }));
const hotlines = ['842899990001', '842899990003'].map((number) => ({ name: NAME, number }));
const ofMany = {
  name: NAME,
  customers: [{ code: 'c01', name: NAME, context: `${NAME} · ${NAME}` }],
  customer: { code: 'c01', name: NAME, context: `${NAME} · ${NAME}` },
};
const device = { id: 'jabra', label: NAME };
const devices = {
  ...DEVICES,
  list: {
    microphone: { all: [device], preferred: device },
    speaker: { all: [device], preferred: device },
  },
  choice: { microphone: device, speaker: device, ringers: [device] },
};

const PLACES: readonly ShownState[] = [
  { name: 'agent', state: { ...READY, member: { ...member, name: NAME } } },
  { name: 'agent, in a call', state: { ...active(), member: { ...member, name: NAME } } },
  { name: 'caller number', state: { ...READY, hotlines: hotlines.slice(0, 1) } },
  { name: 'caller numbers', state: { ...READY, hotlines } },
  { name: 'caller number, in a call', state: { ...active(), hotlines } },
  { name: 'number', state: READY, display: { typedNumber: `${MOBILE} ${NAME}` } },
  { name: 'digits of full width', state: READY, display: { typedNumber: '０１２３４５６７８９０１２３４' } },
  { name: 'strip', state: ended(over), display: { lastCall: over } },
  { name: 'strip, a call that failed', state: ended(refused), display: { lastCall: refused } },
  { name: 'strip, missed', state: READY, calls },
  { name: 'list', state: READY, ui: { panel: 'recent' }, calls },
  { name: 'list below a guide', state: blocked('no-hotline'), display: { typedNumber: NAME }, calls },
  {
    name: 'calling',
    state: inState('dialing', { call: { is: 'placing', number: MOBILE, name: NAME, asksMicrophone: false } }),
  },
  {
    name: 'ringing there',
    state: inState('dialing', {
      call: { is: 'dialing', info: { ...info, name: NAME }, ringingSince: NOW - 7000 },
    }),
  },
  { name: 'in a call', state: active({ info: named }) },
  { name: 'in a call, the customer', state: active({ info: { ...answered, ...ofMany } }) },
  {
    name: 'in a call, keys open',
    state: active({ info: { ...answered, ...ofMany } }),
    ui: { panel: 'keys' },
  },
  { name: 'in a call, somebody called meanwhile', state: active({ info: named }), calls: meanwhile },
  { name: 'somebody calls', state: ringing({ info: { ...incoming, ...ofMany } }) },
  { name: 'number without a name', state: ringing({ info: { ...incoming, name: undefined, number: NAME } }) },
  {
    name: 'other tab',
    state: blocked('active-elsewhere', {
      source: 'tab',
      elsewhere: { is: 'in-call', number: MOBILE, name: NAME, since: NOW },
    }),
  },
  { name: 'reason of a broker’s own', state: blocked(NAME.replaceAll(' ', '-')) },
  { name: 'devices', state: READY, ui: { panel: 'devices' }, devices },
  { name: 'devices, in a call', state: active(), ui: { panel: 'devices' }, devices },
  {
    name: 'device, pulled out',
    state: active(),
    devices: { ...WITHOUT_HEADSET, notice: { is: 'lost', label: NAME, now: NAME } },
  },
];

const BUBBLES: readonly ShownState[] = [
  {
    name: 'bubble, calling',
    state: inState('dialing', { call: { is: 'dialing', info: { ...info, name: NAME } } }),
  },
  { name: 'bubble, somebody calls', state: ringing({ info: { ...incoming, name: NAME } }) },
  { name: 'bubble, open', state: active({ info: named }), ui: { cardOpen: true } },
];

export const longNames: readonly ShownState[] = [
  ...PLACES,
  ...BUBBLES.map((bubble) => ({ ...bubble, floating: 'bottom-right' as const })),
].map((shown) => ({ ...shown, name: `long name, ${shown.name}` }));
