/** What became of the last call, above the keypad: nothing has to be dismissed before the next one. */
import { html, nothing, type TemplateResult } from 'lit';
import type { CallInfo, CallOutcome } from '../dialer/state/call-info.ts';
import type { DialerState } from '../dialer/state/state.ts';
import { formatNumber } from '../numbers/read.ts';
import { formatDuration } from '../i18n/times.ts';
import { outcomeText, type Words } from '../i18n/words.ts';
import { icon, type IconName } from './late-controls.ts';
import type { FullView } from './view.ts';

/** In letters; a longer result has a line of its own. */
const LONG_RESULT = 18;
/** In letters; a longer one has a shorter word in a list. */
const LONG_ENTRY = 28;
/** The caller number cannot reach the network of the number that was called. */
const UNREACHABLE_FROM_HOTLINE = 413;
/** The person or the hour is against it, by the vendor's table of call results. */
const NOT_NOW: readonly (number | undefined)[] = [403, 405, 409];
/** Likewise the member's account or the number: a second call would end in the same way. */
const NOT_AGAIN: readonly (number | undefined)[] = [...NOT_NOW, 406, 407, 412, 414, 415, 416];

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
/** The shape says it as well, for who does not see the colour. */
const ICONS: Readonly<Record<Tone, IconName>> = {
  good: 'check',
  plain: 'ring',
  bad: 'warning',
  missed: 'missed',
};

/** What a guide is about as well. */
const BLOCKERS: readonly (CallOutcome | undefined)[] = ['insufficient-funds', 'no-hotline'];

type Result = Pick<CallInfo, 'outcome' | 'status' | 'answeredAt' | 'endedAt'>;

export function toneOf({ outcome, status }: Result): Tone {
  return outcome === 'rejected' && NOT_NOW.includes(status) ? 'plain' : TONES[outcome ?? 'cancelled'];
}

export function toneIcon(call: Result): IconName {
  return ICONS[toneOf(call)];
}

/** What kept the member from calling may be gone: then it would contradict what else is said. */
export function hasResult({ block }: DialerState, { outcome }: Result): boolean {
  return block.is === 'blocked' || !BLOCKERS.includes(outcome);
}

export function resultStrip(view: FullView, call: CallInfo): TemplateResult {
  const { words, state } = view;
  const tone = toneOf(call);
  const isOnlyHotline = call.status === UNREACHABLE_FROM_HOTLINE && state.hotlines.length < 2;
  const text = isOnlyHotline ? words.cure.oneHotline : resultText(words, call);
  return html`<div class=${text.length > LONG_RESULT ? `strip wide ${tone}` : `strip ${tone}`}>
    ${icon(toneIcon(call))}
    <p><span class="result">${text}</span> ${about(whom(words, call))}</p>
    ${nextStep(view, call)}
  </div>`;
}

/** The dot before it is gone where it begins a line. */
export function about(text: string): TemplateResult {
  return html`<span class="whom"><span class="separator">· </span>${text}</span>`;
}

/** The same call again, or what cures it; `ArrowUp` and the list of calls have the number in any case. */
function nextStep({ words, act, state }: FullView, call: CallInfo): TemplateResult | typeof nothing {
  if (call.status === UNREACHABLE_FROM_HOTLINE) {
    if (state.hotlines.length < 2) return nothing;
    return html`<button type="button" class="link" @click=${openHotlines}>${words.cure.hotline}</button>`;
  }
  if (call.outcome === 'wrong-number' || NOT_AGAIN.includes(call.status)) return nothing;
  return html`<button type="button" class="link" @click=${() => act.call(call.number, { name: call.name })}>
    ${call.direction === 'incoming' ? words.recent.callBack : words.callAgain}
  </button>`;
}

function openHotlines({ currentTarget }: Event): void {
  const root = currentTarget instanceof Element ? currentTarget.getRootNode() : undefined;
  const list = root instanceof ShadowRoot ? root.querySelector<HTMLSelectElement>('.hotline select') : null;
  list?.focus();
  try {
    list?.showPicker();
  } catch {
    // Not every browser opens it; it has the focus.
  }
}

/** One sentence: how long two people talked, else why they did not. */
export function resultText(words: Words, call: Result): string {
  return talkText(words, call) ?? withoutStop(outcomeText(words, call));
}

/**
 * For a list, the same where it is short, else a word or two; `undefined`: nobody knows how it ended.
 *
 * @param format how long it was, in milliseconds, as a text
 */
export function shortResultText(
  words: Words,
  call: Result,
  format: (milliseconds: number) => string,
): string | undefined {
  const talk = talkText(words, call, format);
  if (talk !== undefined || call.outcome === undefined) return talk;
  const text = withoutStop(outcomeText(words, call));
  return text.length > LONG_ENTRY ? words.outcome[call.outcome] : text;
}

function talkText(
  words: Words,
  { answeredAt, endedAt, outcome }: Result,
  format = formatDuration,
): string | undefined {
  if (answeredAt === undefined || (outcome !== undefined && outcome !== 'answered')) return undefined;
  return endedAt === undefined ? words.talked : `${words.talked} · ${format(endedAt - answeredAt)}`;
}

/** The name, else the number. */
export function whom(words: Words, { name, number }: Pick<CallInfo, 'name' | 'number'>): string {
  return name ?? numberText(words, number);
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
