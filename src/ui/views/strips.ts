/**
 * The strip in the display: the call that waits, how the last call ended, which calls were missed, or what the dialer asks for. One at a time: the others
 * wait, and missed calls are counted on the button of the recent calls. Nobody has to dismiss it before the next call.
 */
import { html, nothing, type TemplateResult } from 'lit';
import { missedCalls, type LoggedCall } from '../../dialer/calls/call-log.ts';
import type { WaitingCall } from '../../dialer/calls/outgoing-calls.ts';
import { isBusy, isLive } from '../../dialer/state/call.ts';
import { CALL_BLOCKERS } from '../../dialer/state/block.ts';
import type { CallInfo } from '../../dialer/state/call-info.ts';
import { attempt } from '../../errors.ts';
import { isSameNumber, readNumber } from '../../numbers/read.ts';
import { isWithheld } from '../../numbers/withheld.ts';
import { aboutCall, NOT_NOW, resultText, resultIcon, resultTone, whom } from './call-result.ts';
import { button, icon, type IconName } from './controls.ts';
import type { View } from '../view.ts';

/** SIP status: the caller number cannot reach the network of the number that was called. */
const UNREACHABLE_FROM_HOTLINE = 413;
/** By the vendor's table of call results, a second call would end the same way. */
const NOT_AGAIN: readonly (number | undefined)[] = [...NOT_NOW, 406, 407, 412, 414, 415, 416];

/** While a number is in the field, its reading has the room; only the result of a call to this number replaces it. */
export function strip(view: View): TemplateResult | typeof nothing {
  const { state, display } = view;
  const { lastCall, typedNumber } = display;
  if (view.waitingCall) return waitingStrip(view, view.waitingCall);
  const missed = missedCalls(view.calls);
  // If the last call was missed, the strip of missed calls is enough.
  const isMissed = lastCall?.outcome === 'missed' && missed.length > 0;
  // The blocker has gone: the result would contradict what the view shows.
  const wasBlocked = CALL_BLOCKERS.some((outcome) => outcome === lastCall?.outcome);
  const isOver = state.block.is !== 'blocked' && wasBlocked;
  const result = isMissed || isOver ? undefined : lastCall;
  if (typedNumber !== '')
    return result && isSameNumber(result.number, typedNumber) ? resultStrip(view, result) : nothing;
  if (result && resultTone(result) === 'bad') return resultStrip(view, result);
  if (missed.length > 0) return missedStrip(view, missed);
  // The question about notifications follows an incoming call.
  const prompt = result?.direction === 'outgoing' ? nothing : promptStrip(view);
  return prompt === nothing && result ? resultStrip(view, result) : prompt;
}

/** A call that waits for the connection; it is visible, and can be cancelled. */
function waitingStrip({ words, actions }: View, call: WaitingCall): TemplateResult {
  const cancel = button(words.cancel, () => actions.cancelWaitingCall(), {
    look: 'link',
    about: call.number,
  });
  return stripView('', 'call', about(words.callsOnceConnected, whom(words, call)), cancel);
}

function resultStrip(view: View, call: CallInfo): TemplateResult {
  const { words, state } = view;
  const isOnlyHotline = call.status === UNREACHABLE_FROM_HOTLINE && state.hotlines.length < 2;
  const text = isOnlyHotline ? words.remedy.oneHotline : resultText(words, call);
  return stripView(resultTone(call), resultIcon(call), about(text, whom(words, call)), nextStep(view, call));
}

function stripView(tone: string, name: IconName, text: TemplateResult, press: unknown): TemplateResult {
  return html`<div class=${`strip ${tone}`} part="strip">
    ${icon(name)}
    <p>${text}</p>
    ${press}
  </div>`;
}

/** Calls again, or offers another caller number if that helps. */
function nextStep({ words, actions, state }: View, call: CallInfo): TemplateResult | typeof nothing {
  const options = { look: 'link', about: aboutCall(call) };
  if (call.status === UNREACHABLE_FROM_HOTLINE)
    return state.hotlines.length < 2 ? nothing : button(words.remedy.hotline, openHotlines, options);
  if (call.outcome === 'wrong-number' || NOT_AGAIN.includes(call.status) || isWithheld(call.number))
    return nothing;
  const label = call.direction === 'incoming' ? words.recent.callBack : words.callAgain;
  return button(label, () => actions.call(call.number, call.name), options);
}

function openHotlines({ currentTarget }: Event): void {
  const root = currentTarget instanceof Element ? currentTarget.getRootNode() : undefined;
  const list = root instanceof ShadowRoot ? root.querySelector<HTMLSelectElement>('.hotline select') : null;
  list?.focus();
  // Not every browser can open it; it has the focus.
  attempt(() => list?.showPicker());
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
  const text = about(words.recent.missed(missed.length), whom(words, latest));
  return stripView('missed', 'missed', text, callBack(view, latest));
}

/** Callers during this call were told that the line is busy. */
export function missedDuring({ calls }: View, { startedAt }: CallInfo): readonly LoggedCall[] {
  return missedCalls(calls).filter((call) => call.startedAt >= startedAt);
}

/** For a screen reader: who was missed during a call, and what the dialer asks. The end of a call is said with the state. */
export function stripAnnouncement(view: View): string {
  const { words, state } = view;
  const missed = isLive(state.call) ? missedDuring(view, state.call.info) : [];
  const [latest] = missed;
  return latest ? `${words.recent.missed(missed.length)}: ${whom(words, latest)}` : promptText(view);
}

/** During another call, the number is put into the number field. */
function callBack(
  { words, state, display, actions, settings }: View,
  call: LoggedCall,
): TemplateResult | typeof nothing {
  if (readNumber(call.number, settings.numberPlan).is !== 'number') return nothing;
  if (display.typedNumber === call.number && isBusy(state.call))
    return html`<span class="muted">${words.recent.upNext}</span>`;
  return button(words.recent.callBack, () => actions.callBack(call), {
    look: 'link',
    about: aboutCall(call),
  });
}

function about(result: string, text: string): TemplateResult {
  return html`<span class="result">${result}</span> <span class="whom" title=${text}>${text}</span>`;
}

/** One question at a time; empty: there is none. */
function promptText({ words, prompts }: View): string {
  if (prompts.isSilent) return words.prompts.ringer;
  return prompts.mayOfferNotifications ? words.prompts.notifications : '';
}

function promptStrip(view: View): TemplateResult | typeof nothing {
  const { words, prompts, actions } = view;
  const { prompts: text } = words;
  const asked = promptText(view);
  if (asked === '') return nothing;
  // Any click on the page unlocks the sound, this one too.
  const allow = () => prompts.isSilent || void actions.prompts.allowNotifications();
  const decline = () => actions.prompts.declineNotifications();
  const yes = button(text.turnOn, allow, { look: 'link', about: asked });
  const no = button(icon('close'), decline, { look: 'icon-button', name: text.notNow });
  return stripView('', 'bell', html`${asked}`, html`${yes} ${prompts.isSilent ? nothing : no}`);
}
