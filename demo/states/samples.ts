/** What the states are made of: one member, one customer, one moment. */
import type { Customer } from '../../src/broker/contract.ts';
import type { LoggedCall } from '../../src/dialer/calls/call-log.ts';
import type { Call } from '../../src/dialer/state/call.ts';
import { INITIAL_DEVICES, type DevicesState } from '../../src/devices/state.ts';
import type { CallInfo } from '../../src/dialer/state/call-info.ts';
import type { Block } from '../../src/dialer/state/block.ts';
import type { DialerState, DialerStatus } from '../../src/dialer/state/state.ts';
import { DialerError, type DialerErrorCode } from '../../src/errors.ts';
import type { Display, UiState } from '../../src/ui/ui-state.ts';
import type { View } from '../../src/ui/view.ts';

export interface ShownState {
  readonly name: string;
  readonly state: DialerState;
  readonly ui?: Partial<UiState>;
  readonly display?: Partial<Display>;
  readonly waitingCall?: View['waitingCall'];
  readonly calls?: View['calls'];
  readonly prompts?: View['prompts'];
  readonly devices?: DevicesState;
  /** The corner of its bubble. */
  readonly floating?: 'bottom-right' | 'bottom-left' | 'top-right' | 'top-left';
}

/** All of them at one moment: what counts stands still. */
export const NOW = Date.parse('2026-11-20T09:30:00+07:00');
export const MOBILE = '0912345678';
const NAME = 'Nguyễn Thị Mai';
export const LONG_NAME = 'Công ty TNHH Thương mại và Du lịch Bình Minh Phương Nam';

export const member = {
  memberNo: 'agent001',
  name: 'Trần Văn An',
  extension: '101',
  balance: 12_500,
  currency: 'VND',
  pricePerMinute: 800,
} as const;
export const hotlines = [
  { name: 'Sales', number: '842899990001' },
  { name: 'Chăm sóc khách hàng', number: '842899990003' },
];

export const info: CallInfo = {
  id: '1',
  direction: 'outgoing',
  number: MOBILE,
  name: NAME,
  hotline: '842899990001',
  startedAt: NOW - 20_000,
};
export const incoming: CallInfo = { ...info, direction: 'incoming', hotline: undefined };
export const answered: CallInfo = { ...info, answeredAt: NOW - 133_000 };

const customer: Customer = {
  code: 'c01',
  name: NAME,
  context: 'Tour Đà Nẵng · 2 khách · còn nợ 1.200.000 ₫',
};
/** One of the page's customers has the number, or several have. */
export const oneCustomer = { customer, customers: [customer] };
export const twoCustomers = {
  name: `${NAME}, Lê Văn Hùng`,
  customers: [customer, { code: 'c02', name: 'Lê Văn Hùng' }],
};

export const READY: DialerState = {
  status: 'ready',
  canCall: true,
  line: { is: 'up' },
  block: { is: 'none' },
  call: { is: 'none' },
  member,
  hotlines,
};

export const inState = (status: DialerStatus, change: Partial<DialerState>): DialerState => ({
  ...READY,
  ...change,
  status,
  canCall: status === 'ready' || status === 'ended',
});
export const active = (change: Partial<Extract<Call, { is: 'active' }>> = {}): DialerState =>
  inState('in-call', {
    call: { is: 'active', info: answered, muted: false, held: false, microphoneLost: false, ...change },
  });
export const ringing = (change: Partial<Extract<Call, { is: 'incoming' }>> = {}): DialerState =>
  inState('incoming', { call: { is: 'incoming', info: incoming, asksMicrophone: false, ...change } });
export const ended = (call: CallInfo): DialerState => inState('ended', { call: { is: 'ended', info: call } });
export const blocked = (
  reason: string,
  change: Partial<Extract<Block, { is: 'blocked' }>> = {},
): DialerState =>
  inState('blocked', {
    block: { is: 'blocked', reason, source: 'broker', drawnByPage: false, ...change },
    ...(reason === 'insufficient-funds' && { member: { ...member, balance: 0 } }),
  });
export const failed = (
  code: DialerErrorCode,
  more: { retryAt?: number; directive?: string } = {},
): DialerState =>
  inState('failed', {
    line: {
      is: 'failed',
      error: new DialerError(code, 'as an example', { directive: more.directive }),
      retryAt: more.retryAt,
    },
    member: undefined,
    hotlines: [],
  });

const jabra = { id: 'jabra', label: 'Jabra Evolve2 30' };
const builtIn = { id: 'built-in', label: 'Realtek(R) Audio' };
const screen = { id: 'screen', label: 'DELL U2723QE (NVIDIA High Definition Audio)' };
/** A headset for the calls, and the loudspeaker of the screen for the ringing. */
export const DEVICES: DevicesState = {
  ...INITIAL_DEVICES,
  list: {
    microphone: { all: [builtIn, jabra], preferred: builtIn },
    speaker: { all: [builtIn, jabra, screen], preferred: builtIn },
  },
  choice: { microphone: jabra, speaker: jabra, ringers: [{ id: '', label: '' }, screen] },
};
/** The same without the headset. */
export const WITHOUT_HEADSET: DevicesState = {
  ...DEVICES,
  list: {
    microphone: { all: [builtIn], preferred: builtIn },
    speaker: { all: [builtIn, screen], preferred: builtIn },
  },
  notice: { is: 'lost', label: jabra.label, now: builtIn.label },
};

const logged = (minutes: number, change: Partial<LoggedCall>): LoggedCall => {
  const startedAt = NOW - minutes * 60_000;
  const times = change.outcome === 'answered' && {
    answeredAt: startedAt + 9000,
    endedAt: startedAt + 95_000,
  };
  return {
    id: String(minutes),
    direction: 'outgoing',
    number: MOBILE,
    startedAt,
    isSeen: true,
    ...times,
    ...change,
  };
};

/** The newest one first. */
export const RECENT: readonly LoggedCall[] = [
  logged(2, {
    direction: 'incoming',
    number: '0987654321',
    name: 'Lê Văn Hùng',
    outcome: 'missed',
    isSeen: false,
  }),
  logged(9, { name: NAME, outcome: 'answered', cost: 1147 }),
  logged(14, {
    direction: 'incoming',
    number: '02838221234',
    name: LONG_NAME,
    outcome: 'missed',
    isSeen: false,
  }),
  logged(31, { number: '0903111222', outcome: 'busy', status: 486 }),
  logged(55, { number: '+442071838750', outcome: 'no-answer', status: 480 }),
  logged(70, { direction: 'incoming', number: 'anonymous', outcome: 'declined' }),
  logged(95, { number: '0912000404', name: 'Phạm Thu Hà', outcome: 'wrong-number', status: 404 }),
  logged(1500, { name: NAME, direction: 'incoming', outcome: 'answered' }),
  logged(1560, { number: '0918777666', outcome: 'cancelled' }),
  logged(2990, { number: '0918777666', name: 'Võ Minh Tâm', outcome: 'exchange-trouble', status: 503 }),
];
/** The same list with so many missed calls that nobody has seen; none of the others is unseen. */
export function missed(count: number): readonly LoggedCall[] {
  const unseen = RECENT.filter(({ outcome }) => outcome === 'missed').slice(0, count);
  return RECENT.map((call) => ({ ...call, isSeen: !unseen.includes(call) }));
}
