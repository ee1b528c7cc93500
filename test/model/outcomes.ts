/** How the contract says that a call has ended, given what really happened to it. */
import type { CallOutcome } from '../../src/index.ts';
import type { ExchangeCall, Licence } from './exchange.ts';

const ANY_REFUSAL: readonly CallOutcome[] = [
  'failed',
  'rejected',
  'network-lost',
  'no-answer',
  'missed',
  'declined',
  'cancelled',
];

const BY_STATUS: Readonly<Record<number, CallOutcome>> = {
  402: 'insufficient-funds',
  403: 'rejected',
  404: 'wrong-number',
  408: 'no-answer',
  480: 'no-answer',
  484: 'wrong-number',
  486: 'busy',
  500: 'exchange-trouble',
  503: 'exchange-trouble',
  603: 'rejected',
};

/** Nobody is to blame, so no `dialer-callfail` comes before the end. */
const QUIET = new Set<CallOutcome>(['answered', 'missed', 'declined', 'cancelled', 'answered-elsewhere']);

export function isFailure(outcome: CallOutcome): boolean {
  return !QUIET.has(outcome);
}

/** `undefined`: any will do, because the element was not told the truth. */
export function possibleOutcomes(
  call: ExchangeCall | undefined,
  isConnected: boolean,
  licences: readonly Licence[],
): readonly CallOutcome[] | undefined {
  if (isConnected) return ['answered'];
  if (!call || call.isBlurred) return undefined;
  const isLicensed = licences.some(({ at }) => at > call.askedAt);
  const hasLostAudio = licences.some(({ what, at }) => what === 'audio lost' && at > call.askedAt);
  const here: CallOutcome[] = [call.direction === 'outgoing' ? 'cancelled' : 'declined'];
  if (hasLostAudio)
    here.push('network-lost', ...(call.direction === 'incoming' ? (['missed'] as const) : []));
  // Whoever hangs up in the moment in which the call ends anyway may be told either.
  return isLicensed ? [...here, ...outcomesOf(call, here)] : outcomesOf(call, here);
}

function outcomesOf(call: ExchangeCall, here: readonly CallOutcome[]): readonly CallOutcome[] {
  // Nobody has told the dialer of an answer in the moment in which the SDK was removed.
  if (call.answered && call.endedBy === 'sdk') return ['answered', ...ANY_REFUSAL];
  if (call.answered) return call.isCut ? ['answered', 'network-lost'] : ['answered'];
  switch (call.endedBy ?? 'here') {
    case 'here':
      return here;
    case 'sdk':
      return ANY_REFUSAL;
    case 'lost':
      return call.direction === 'incoming'
        ? ['missed', 'network-lost']
        : ['network-lost', 'no-answer', 'failed'];
    case 'far':
      if (call.isCut) return [...outcomesOf({ ...call, isCut: false }, here), 'network-lost'];
      if (call.direction === 'incoming')
        return call.elsewhere
          ? ['answered-elsewhere']
          : ['missed', ...(call.tried ? (['failed'] as const) : [])];
      return [BY_STATUS[call.status ?? 0] ?? 'failed'];
  }
}
