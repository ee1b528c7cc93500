/** What moves a call, and what that means for the rest of the state. */
import { isSameCall } from './call.ts';
import {
  isBusy,
  isLive,
  type Call,
  type CallEvent,
  type CustomersEvent,
  type LiveCall,
  type LiveCallEvent,
} from './call-state.ts';
import { moveBlock, withoutCleared } from './block-state.ts';
import { move, type DialerState } from './state.ts';

/** The very same state when the event means nothing to it now. */
export function callTransition(state: DialerState, event: CallEvent): DialerState {
  const call = moveCall(state.call, event);
  if (call === state.call) return state;
  // Dialing is the answer to "You can call again".
  if (event.type === 'placing') return move(state, { call, block: withoutCleared(state.block) });
  return event.type === 'ended' ? callEnded(state, call) : move(state, { call });
}

/** What the exchange refused a call for keeps the member from the next one, too. */
function callEnded(state: DialerState, call: Call): DialerState {
  const reason = call.is === 'ended' && call !== state.call ? call.info.outcome : undefined;
  if (reason !== 'insufficient-funds' && reason !== 'no-hotline') return move(state, { call });
  return move(state, { call, block: moveBlock(state.block, { type: 'blocked', reason, source: 'call' }) });
}

/** The very same call when the event means nothing to it now. */
export function moveCall(call: Call, event: CallEvent): Call {
  switch (event.type) {
    case 'placing':
      return isBusy(call)
        ? call
        : { is: 'placing', number: event.number, name: event.name, asksMicrophone: false };
    case 'microphone-asked':
      return call.is === 'placing' ? { ...call, asksMicrophone: true } : call;
    case 'not-placed':
      return call.is === 'placing' ? { is: 'none' } : call;
    case 'dialing':
      return isLive(call) ? call : { is: 'dialing', info: event.call };
    case 'incoming':
      return isLive(call) ? call : { is: 'incoming', info: event.call, asksMicrophone: false };
    case 'customers':
      return withCustomers(call, event);
    default:
      return isLive(call) ? moveLiveCall(call, event) : call;
  }
}

function moveLiveCall(call: LiveCall, event: LiveCallEvent): Call {
  switch (event.type) {
    case 'answering':
      if (call.is !== 'incoming') return call;
      return { ...call, asksMicrophone: event.asksMicrophone, trouble: undefined };
    case 'answer-trouble':
      return call.is === 'incoming' && call.trouble !== event.error
        ? { ...call, trouble: event.error }
        : call;
    case 'ringing':
      if (call.is !== 'dialing' || call.ringingSince !== undefined) return call;
      return { ...call, ringingSince: event.at };
    case 'answered':
      if (call.is === 'active') return call;
      return {
        is: 'active',
        info: { ...call.info, answeredAt: event.at },
        muted: false,
        held: false,
        microphoneLost: false,
      };
    case 'muted':
      return call.is === 'active' && call.muted !== event.on ? { ...call, muted: event.on } : call;
    case 'held':
      return call.is === 'active' && call.held !== event.on ? { ...call, held: event.on } : call;
    case 'microphone-lost':
      return call.is === 'active' && !call.microphoneLost ? { ...call, microphoneLost: true } : call;
    case 'ended':
      return ended(call, event);
  }
}

function withCustomers(call: Call, { of, customers }: CustomersEvent): Call {
  if (call.is === 'none' || call.is === 'placing') return call;
  const { info } = call;
  if (!isSameCall(info, of)) return call;
  const [customer, second] = customers;
  // A page that names whom it calls knows best.
  const isNamed = info.direction === 'outgoing' && Boolean(info.name);
  const name = isNamed ? info.name : customers.map((one) => one.name).join(', ');
  const known = { ...info, name, customers, customer: second ? undefined : customer };
  return { ...call, info: known };
}

/** A call that was connected has been answered, whatever ended it. */
function ended(
  call: LiveCall,
  { outcome, status, failure, at }: Extract<LiveCallEvent, { type: 'ended' }>,
): Call {
  const info = { ...call.info, endedAt: at };
  if (call.is === 'active') return { is: 'ended', info: { ...info, outcome: 'answered' } };
  return { is: 'ended', info: { ...info, outcome, status }, failure };
}
