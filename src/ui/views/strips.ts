/**
 * The strips above the keypad: how the last call ended, who was missed, what the dialer asks for. Nobody has to dismiss them
 * before the next call. The layout keeps their room, so that no key moves when one comes or goes.
 */
import { html, nothing, type TemplateResult } from 'lit';
import type { LoggedCall } from '../../dialer/calls/call-log.ts';
import { isBusy } from '../../dialer/state/call.ts';
import type { CallInfo, CallOutcome } from '../../dialer/state/call-info.ts';
import { readNumber } from '../../numbers/read.ts';
import { NOT_NOW, resultText, toneIcon, toneOf, whom } from './call-result.ts';
import { icon } from './controls.ts';
import { missedCalls, type View } from '../view.ts';

/** In letters; a longer result has a line of its own. */
const LONG_RESULT = 18;
/** SIP status: the caller number cannot reach the network of the number that was called. */
const UNREACHABLE_FROM_HOTLINE = 413;
/** By the vendor's table of call results, a second call would end the same way. */
const NOT_AGAIN: readonly (number | undefined)[] = [...NOT_NOW, 406, 407, 412, 414, 415, 416];
/** A guide tells of them. */
const BLOCKERS: readonly (CallOutcome | undefined)[] = ['insufficient-funds', 'no-hotline'];

/** There is room for two. */
export function strips(view: View): TemplateResult {
  const { state, ui } = view;
  const { lastCall } = ui;
  const missed = missedCalls(view);
  // One strip for both where the last call is the missed one.
  const isMissed = lastCall?.outcome === 'missed' && missed.length > 0;
  // The blocker has gone: the result would contradict what the view shows.
  const isOver = state.block.is !== 'blocked' && BLOCKERS.includes(lastCall?.outcome);
  const result = lastCall && !isMissed && !isOver ? resultStrip(view, lastCall) : nothing;
  const hasRoom = result === nothing || missed.length === 0;
  return html`<div class="strips">
    ${result} ${missedStrip(view, missed)} ${hasRoom ? promptStrip(view) : nothing}
  </div>`;
}

function resultStrip(view: View, call: CallInfo): TemplateResult {
  const { words, state } = view;
  const tone = toneOf(call);
  const isOnlyHotline = call.status === UNREACHABLE_FROM_HOTLINE && state.hotlines.length < 2;
  const text = isOnlyHotline ? words.remedy.oneHotline : resultText(words, call);
  // The cost comes later, and moves nothing.
  const first = call.cost === undefined ? text : resultText(words, { ...call, cost: undefined });
  return html`<div class=${first.length > LONG_RESULT ? `strip wide ${tone}` : `strip ${tone}`}>
    ${icon(toneIcon(call))}
    <p><span class="result">${text}</span> ${about(whom(words, call))}</p>
    ${nextStep(view, call)}
  </div>`;
}

/** Calls again, or offers another caller number if that helps. */
function nextStep({ words, actions, state }: View, call: CallInfo): TemplateResult | typeof nothing {
  if (call.status === UNREACHABLE_FROM_HOTLINE) {
    if (state.hotlines.length < 2) return nothing;
    return html`<button type="button" class="link" @click=${openHotlines}>${words.remedy.hotline}</button>`;
  }
  if (call.outcome === 'wrong-number' || NOT_AGAIN.includes(call.status)) return nothing;
  return html`<button
    type="button"
    class="link"
    @click=${() => actions.call(call.number, { name: call.name })}
  >
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
    // Not every browser can open it; it has the focus.
  }
}

/**
 * Missed calls that nobody has seen yet: a line with the latest one.
 *
 * @param missed the latest one first
 */
export function missedStrip(view: View, missed: readonly LoggedCall[]): TemplateResult | typeof nothing {
  const [latest] = missed;
  if (!latest) return nothing;
  const { words } = view;
  return html`<div class="strip missed">
    ${icon('missed')}
    <p><span class="result">${words.recent.missed(missed.length)}</span> ${about(whom(words, latest))}</p>
    ${callBack(view, latest)}
  </div>`;
}

/** During another call, the number is put into the number field. */
function callBack({ words, state, ui, actions }: View, call: LoggedCall): TemplateResult | typeof nothing {
  if (readNumber(call.number).is !== 'number') return nothing;
  if (ui.typedNumber === call.number && isBusy(state.call))
    return html`<span class="muted">${words.recent.upNext}</span>`;
  return html`<button
    type="button"
    class="link"
    data-about=${call.startedAt}
    @click=${() => actions.callBack(call)}
  >
    ${words.recent.callBack}
  </button>`;
}

/** At the beginning of a line, the dot is hidden. */
function about(text: string): TemplateResult {
  return html`<span class="whom" title=${text}><span class="separator">· </span>${text}</span>`;
}

/** One question at a time. */
function promptStrip({ words, prompts, actions }: View): TemplateResult | typeof nothing {
  const { prompts: text } = words;
  // Any click on the page lets it ring, this one too.
  if (prompts.isSilent) return question(text.ringer, text.turnOn, () => undefined);
  if (!prompts.mayOfferNotifications) return nothing;
  const decline = html`<button
    type="button"
    class="icon-button"
    aria-label=${text.notNow}
    @click=${() => actions.declineNotifications()}
  >
    ${icon('close')}
  </button>`;
  return question(text.notifications, text.turnOn, () => actions.allowNotifications(), decline);
}

function question(text: string, label: string, press: () => void, more: unknown = nothing): TemplateResult {
  return html`<div class="strip">
    ${icon('bell')}
    <p>${text}</p>
    <button type="button" class="link" @click=${press}>${label}</button>
    ${more}
  </div>`;
}
