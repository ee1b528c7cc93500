/** The dialer as a bubble: its card closed and open, in every corner. */
import { OFF } from './before-a-call.ts';
import {
  active,
  answered,
  blocked,
  failed,
  incoming,
  info,
  inState,
  LONG_NAME,
  missed,
  READY,
  ringing,
  type ShownState,
} from './samples.ts';

const FACES: readonly ShownState[] = [
  { name: 'not connected', state: OFF },
  { name: 'connecting', state: inState('connecting', { line: { is: 'connecting' } }) },
  {
    name: 'connecting, a call waits',
    state: inState('connecting', { line: { is: 'connecting' } }),
    waitingCall: { number: info.number, name: info.name, preferred: [] },
  },
  { name: 'ready', state: READY },
  {
    name: 'ready, a click is needed for the ringing',
    state: READY,
    prompts: { isSilent: true, mayOfferNotifications: false },
  },
  { name: 'a missed call', state: READY, calls: missed(1) },
  { name: 'open', state: READY, ui: { cardOpen: true } },
  { name: 'open, in a call', state: active(), ui: { cardOpen: true } },
  { name: 'calling', state: inState('dialing', { call: { is: 'dialing', info } }) },
  { name: 'in a call', state: active() },
  { name: 'muted', state: active({ muted: true }) },
  { name: 'on hold', state: active({ held: true }) },
  {
    name: 'in a long call',
    state: active({ info: { ...answered, answeredAt: info.startedAt - 5_000_000 } }),
  },
  { name: 'somebody calls', state: ringing() },
  { name: 'a number calls', state: ringing({ info: { ...incoming, name: undefined } }) },
  { name: 'a long name calls', state: ringing({ info: { ...incoming, name: LONG_NAME } }) },
  { name: 'blocked', state: blocked('insufficient-funds') },
  { name: 'blocked, calls were missed', state: blocked('no-hotline'), calls: missed(2) },
  { name: 'no connection', state: failed('broker-unreachable') },
];

export const bubbles: readonly ShownState[] = [
  ...FACES.map((face) => ({ ...face, name: `bubble, ${face.name}`, floating: 'bottom-right' as const })),
  ...(['bottom-left', 'top-right', 'top-left'] as const).flatMap((floating) => [
    { name: `bubble, ${floating}`, state: active(), floating },
    { name: `bubble, ${floating}, open`, state: READY, floating, ui: { cardOpen: true } },
  ]),
];
