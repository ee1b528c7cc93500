/** The vendor's facts about a call, worded for an agent. */
import { findName } from '../customers/known-names.ts';
import { formatPhone } from '../customers/phone.ts';
import { readable, words } from '../words/language.ts';
import type { CallSound, VendorCall } from './calls-client.ts';

export function describeResult(disposition: string | undefined, direction: VendorCall['direction']): string {
  const { results, resultsIncoming, calls } = words();
  if (disposition === undefined) return calls.resultUnknown;
  const incoming = direction === 'incoming' ? resultsIncoming[disposition] : undefined;
  return incoming ?? results[disposition] ?? readable(disposition);
}

export function describeParty({ automatic, number }: VendorCall): string {
  if (automatic || !number) return words().calls.automatic;
  return findName(number) ?? formatPhone(number);
}

/** `1,200 ₫` in English, `1.200 ₫` in Vietnamese. */
export function formatCost(vnd: number): string {
  return `${vnd.toLocaleString(words().locale, { maximumFractionDigits: 0 })}\u00a0₫`;
}

/** From which MOS on people call a line good, fair or poor; what is below them all is bad. */
const SOUND = [4, 3.6, 3.1];

/** `Good, 4.4/5`, by the side with the worse audio; a dash: nobody measured. */
export function describeSound({ mos }: CallSound): string {
  const scores = [mos.caller, mos.callee].filter((score) => typeof score === 'number');
  if (scores.length === 0) return '–';
  const worse = Math.min(...scores);
  const { sounds } = words().calls;
  const word = sounds[SOUND.findIndex((least) => worse >= least)] ?? sounds.at(-1);
  return `${word}, ${worse.toFixed(1)}/5`;
}
