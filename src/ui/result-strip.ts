/** What became of the last call, above the keypad: nothing has to be dismissed before the next one. */
import { html, type TemplateResult } from 'lit';
import type { CallInfo, CallOutcome } from '../dialer/call.ts';
import { formatNumber } from '../dialer/phone-number.ts';
import { formatDuration, outcomeText, type Words } from '../i18n/words.ts';
import { icon, type IconName } from './controls.ts';
import type { View } from './view.ts';

/** It went well, it is nobody's fault, or somebody has to do something. */
type Tone = 'good' | 'plain' | 'bad';

const TONES: Readonly<Record<CallOutcome, Tone>> = {
  answered: 'good',
  'answered-elsewhere': 'good',
  missed: 'plain',
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
/** The shape says it as well, for who does not see the colour. */
const ICONS: Readonly<Record<Tone, IconName>> = { good: 'check', plain: 'ring', bad: 'warning' };

type Result = Pick<CallInfo, 'outcome' | 'status' | 'answeredAt' | 'endedAt'>;

export function toneOf({ outcome }: Result): Tone | 'missed' {
  return outcome === 'missed' ? 'missed' : TONES[outcome ?? 'cancelled'];
}

export function toneIcon(call: Result): IconName {
  const tone = toneOf(call);
  return tone === 'missed' ? 'missed' : ICONS[tone];
}

export function resultStrip({ words, act }: View, call: CallInfo): TemplateResult {
  const tone = TONES[call.outcome ?? 'failed'];
  return html`<div class=${`strip ${tone}`}>
    ${icon(ICONS[tone])}
    <p><span class="result">${resultText(words, call)}</span> · <span class="whom">${whom(call)}</span></p>
    <button type="button" class="link" @click=${() => act.call(call.number, { name: call.name })}>
      ${call.direction === 'incoming' ? words.recent.callBack : words.callAgain}
    </button>
  </div>`;
}

/** One sentence: how long two people talked, else why they did not. */
export function resultText(words: Words, call: Result): string {
  return talkText(words, call) ?? withoutStop(outcomeText(words, call));
}

/** For a list, where a word has to do; `undefined`: nobody knows how it ended. */
export function shortResultText(words: Words, call: Result): string | undefined {
  return talkText(words, call) ?? (call.outcome && words.outcome[call.outcome]);
}

function talkText(words: Words, { answeredAt, endedAt, outcome }: Result): string | undefined {
  if (answeredAt === undefined || (outcome !== undefined && outcome !== 'answered')) return undefined;
  return endedAt === undefined ? words.talked : `${words.talked} · ${formatDuration(endedAt - answeredAt)}`;
}

/** The name, else the number. */
export function whom({ name, number }: Pick<CallInfo, 'name' | 'number'>): string {
  return name ?? formatNumber(number);
}

/** A dot follows it. */
function withoutStop(sentence: string): string {
  return sentence.replace(/\.$/, '');
}
