/** What to write about each event of the dialer: values of the API, the same in every language. */
import type { CallInfo, DialerEventMap, DialerState } from '../../src/index.ts';
import { formatPhone } from './customers/phone.ts';
import { formatDuration } from './times.ts';

type Describe = { readonly [Name in keyof DialerEventMap]: (event: DialerEventMap[Name]) => string };

const EVENT_WORDS: Describe = {
  'dialer-statechange': ({ detail: { state, previous } }) =>
    state.status === previous.status
      ? `${state.status} · ${whatChanged(state, previous)}`
      : `${previous.status} → ${state.status}`,
  'dialer-ready': ({ detail }) =>
    detail.hotlines.map(({ name, number }) => `${name} ${formatPhone(number)}`).join(', '),
  'dialer-beforecall': ({ detail: { number, hotline, externalCallId } }) =>
    [formatPhone(number), hotline && `hotline ${hotline}`, externalCallId].filter(Boolean).join(', '),
  'dialer-callstart': ({ detail }) => describe(detail.call),
  'dialer-callincoming': ({ detail }) => describe(detail.call),
  'dialer-callconnect': ({ detail }) => describe(detail.call),
  'dialer-callend': ({ detail: { call } }) => `${describe(call)}: ${describeEnd(call)}`,
  'dialer-callcost': ({ detail: { call } }) => `${describe(call)}: ${call.cost} VND`,
  'dialer-callfail': ({ detail }) =>
    [`${describe(detail.call)}: ${detail.code}`, detail.reason].filter(Boolean).join(', '),
  'dialer-quality': ({ detail: { mos, level, warnings } }) =>
    [mos === undefined ? 'no sound' : `MOS ${mos}, ${level}`, ...warnings].join(' · '),
  'dialer-customer': ({ detail: { customers } }) => customers.map(({ name }) => name).join(', '),
  'dialer-blocked': ({ detail: { reason, source } }) => `${reason} (${source})`,
  'dialer-topuprequest': ({ detail }) => detail.memberNo ?? '',
  'dialer-hotlinerequest': ({ detail }) => detail.memberNo ?? '',
  'dialer-toggle': ({ detail }) => (detail.open ? 'open' : 'closed'),
  'dialer-error': ({ detail: { error } }) => `${error.code}: ${error.message}`,
};

export const EVENT_NAMES = Object.keys(EVENT_WORDS) as (keyof DialerEventMap)[];

export function describeEvent<Name extends keyof DialerEventMap>(
  name: Name,
  event: DialerEventMap[Name],
): string {
  return EVENT_WORDS[name](event);
}

function whatChanged(state: DialerState, previous: DialerState): string {
  const parts = Object.keys({ ...previous, ...state }) as (keyof DialerState)[];
  return parts.filter((part) => state[part] !== previous[part]).join(', ');
}

function describe({ direction, number }: CallInfo): string {
  return `${direction} ${formatPhone(number)}`;
}

function describeEnd({ outcome, answeredAt, endedAt }: CallInfo): string {
  const talked = answeredAt !== undefined && endedAt !== undefined;
  return talked ? `${outcome} · ${formatDuration(endedAt - answeredAt)}` : String(outcome);
}
