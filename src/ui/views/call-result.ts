/** How a call sounds, how it ended, as a tone, an icon and a text; and whom it was with. */
import { html, svg, type TemplateResult } from 'lit';
import { FAILURE_CODES, type CallInfo, type CallOutcome } from '../../dialer/state/call-info.ts';
import { formatDuration, formatMoney } from '../../i18n/format.ts';
import type { Words } from '../../i18n/words.ts';
import { formatNumber } from '../../numbers/read.ts';
import { isWithheld } from '../../numbers/withheld.ts';
import type { IconName } from './controls.ts';

/** In letters. In a list, a longer text is replaced by one or two words. */
const LONG_ENTRY = 28;
/** By the vendor's table of call results, the person or the hour does not permit the call. */
export const NOT_NOW: readonly (number | undefined)[] = [403, 405, 409];

/** `good`: answered; `plain`: nobody's fault; `bad`: somebody has to act; `missed`: somebody called and was not answered. */
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
/** For agents who cannot see the colour. */
const ICONS: Readonly<Record<Tone, IconName>> = {
  good: 'check',
  plain: 'circle',
  bad: 'warning',
  missed: 'missed',
};

type CallResult = Pick<CallInfo, 'outcome' | 'status' | 'answeredAt' | 'endedAt' | 'cost'>;

export function resultTone({ outcome, status }: CallResult): Tone {
  return outcome === 'rejected' && NOT_NOW.includes(status) ? 'plain' : TONES[outcome ?? 'cancelled'];
}

export function resultIcon(call: CallResult): IconName {
  return ICONS[resultTone(call)];
}

/** One sentence for how a call ended: the cause that the SIP status names, else the outcome in general. */
export function outcomeText(words: Words, { outcome = 'failed', status }: CallResult): string {
  const isFailure = FAILURE_CODES[outcome] !== undefined;
  return (isFailure && status !== undefined ? words.sip[status] : undefined) ?? words.outcome[outcome];
}

/** One sentence: how long two people talked, and once it is known what that cost, else why they did not. */
export function resultText(words: Words, call: CallResult): string {
  return talkText(words, call) ?? withoutStop(outcomeText(words, call));
}

/**
 * For a list: the same text if it is short, else one or two words; `undefined`: it is not known how the call ended.
 *
 * @param format writes a duration in milliseconds as text
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
  { answeredAt, endedAt, outcome, cost }: CallResult,
  format = formatDuration,
): string | undefined {
  if (answeredAt === undefined || (outcome !== undefined && outcome !== 'answered')) return undefined;
  if (endedAt === undefined) return words.talked;
  const length = format(endedAt - answeredAt);
  // There is room for two of the three, and what has a price was answered.
  return cost === undefined
    ? `${words.talked} · ${length}`
    : `${length} · ${formatMoney(cost, words.language)}`;
}

const BARS = { good: 3, fair: 2, poor: 1 } as const;

/** How the call sounds: three bars with a word. */
export function qualityBars({ quality: words }: Words, level: keyof typeof BARS): TemplateResult {
  return html`<svg class="bars" viewBox="0 0 14 12" width="14" height="12" aria-hidden="true">
      ${[1, 2, 3].map((bar) => svg`<rect x=${bar * 5 - 5} y=${12 - bar * 4} width="3" height=${bar * 4} class=${bar > BARS[level] ? 'off' : ''} />`)}</svg
    ><span class="visually-hidden">${words.title}: </span>${words.level[level]}`;
}

/** Which call a button is about: in a list that shifts, the same button stands for another one. */
export function aboutCall({ startedAt, number }: Pick<CallInfo, 'startedAt' | 'number'>): string {
  return `${startedAt} ${number}`;
}

/** The name, else the number. */
export function whom(words: Words, { name, number }: Pick<CallInfo, 'name' | 'number'>): string {
  return name || numberText(words, number);
}

export function numberText(words: Words, number: string): string {
  return isWithheld(number) ? words.withheld : formatNumber(number);
}

/** The view puts a dot between this text and the next. */
function withoutStop(sentence: string): string {
  return sentence.replace(/\.$/, '');
}
