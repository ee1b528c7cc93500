/** How a call ended, as a tone, an icon and a text; and whom it was with. */
import type { CallInfo, CallOutcome } from '../dialer/state/call-info.ts';
import { formatDuration } from '../i18n/format.ts';
import { outcomeText, type Words } from '../i18n/words.ts';
import { formatNumber } from '../numbers/read.ts';
import type { IconName } from './controls.ts';

/** In letters; a list shows a word or two in place of a longer text. */
const LONG_ENTRY = 28;
/** The vendor's table of call results: the person or the hour is against the call. */
export const NOT_NOW: readonly (number | undefined)[] = [403, 405, 409];

/** It went well, it is nobody's fault, somebody has to do something, or somebody has called in vain. */
type Tone = 'good' | 'plain' | 'bad' | 'missed';

const TONES: Readonly<Record<CallOutcome, Tone>> = {
  answered: 'good',
  'answered-elsewhere': 'good',
  missed: 'missed',
  declined: 'plain',
  cancelled: 'plain',
  busy: 'plain',
  'no-answer': 'plain',
  'wrong-number': 'bad',
  rejected: 'bad',
  'insufficient-funds': 'bad',
  'no-hotline': 'bad',
  'exchange-trouble': 'bad',
  'network-lost': 'bad',
  failed: 'bad',
};
/** For those who do not see the colour. */
const ICONS: Readonly<Record<Tone, IconName>> = {
  good: 'check',
  plain: 'ring',
  bad: 'warning',
  missed: 'missed',
};

export type CallResult = Pick<CallInfo, 'outcome' | 'status' | 'answeredAt' | 'endedAt'>;

export function toneOf({ outcome, status }: CallResult): Tone {
  return outcome === 'rejected' && NOT_NOW.includes(status) ? 'plain' : TONES[outcome ?? 'cancelled'];
}

export function toneIcon(call: CallResult): IconName {
  return ICONS[toneOf(call)];
}

/** One sentence: how long two people talked, else why they did not. */
export function resultText(words: Words, call: CallResult): string {
  return talkText(words, call) ?? withoutStop(outcomeText(words, call));
}

/**
 * For a list, the same where it is short, else a word or two; `undefined`: nobody knows how it ended.
 *
 * @param format how long it was, in milliseconds, as a text
 */
export function shortResultText(
  words: Words,
  call: CallResult,
  format: (milliseconds: number) => string,
): string | undefined {
  const talk = talkText(words, call, format);
  if (talk !== undefined || call.outcome === undefined) return talk;
  const text = withoutStop(outcomeText(words, call));
  return text.length > LONG_ENTRY ? words.outcome[call.outcome] : text;
}

function talkText(
  words: Words,
  { answeredAt, endedAt, outcome }: CallResult,
  format = formatDuration,
): string | undefined {
  if (answeredAt === undefined || (outcome !== undefined && outcome !== 'answered')) return undefined;
  return endedAt === undefined ? words.talked : `${words.talked} · ${format(endedAt - answeredAt)}`;
}

/** The name, else the number. */
export function whom(words: Words, { name, number }: Pick<CallInfo, 'name' | 'number'>): string {
  return name || numberText(words, number);
}

/** Exchanges have a word in place of a number that is withheld. */
export function numberText(words: Words, number: string): string {
  return /^(?:anonymous|unknown|unavailable|restricted|private)?$/i.test(number)
    ? words.withheld
    : formatNumber(number);
}

/** A dot follows it. */
function withoutStop(sentence: string): string {
  return sentence.replace(/\.$/, '');
}
