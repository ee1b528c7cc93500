/** A call: ringing out, ringing in, in conversation, over. */
import { html, nothing, type TemplateResult } from 'lit';
import type { CallInfo } from '../dialer/call.ts';
import { formatNumber } from '../dialer/phone-number.ts';
import type { Call } from '../dialer/state.ts';
import { formatDuration, outcomeText } from '../i18n/words.ts';
import { alertLine, hangUpButton, icon, keypad, noticeLine, type IconName } from './controls.ts';
import type { View } from './view.ts';

export function dialingView(
  { words, act }: View,
  call: Extract<Call, { is: 'dialing' | 'placing' }>,
): TemplateResult {
  const asks = call.is === 'placing' && call.asksMicrophone;
  const who = call.is === 'placing' ? { number: call.number } : call.info;
  return html`<div class="in-call">
    ${party(who, words.status.dialing)} ${noticeLine(asks ? words.allowMicrophone : undefined)}
    ${hangUpButton(words.hangUp, () => act.hangUp(), true)}
  </div>`;
}

/** Answer comes first, in sight and in focus. */
export function incomingView({ words, act }: View, call: Extract<Call, { is: 'incoming' }>): TemplateResult {
  return html`<div class="in-call incoming" part="incoming">
    ${party(call.info, words.status.incoming)}
    ${alertLine(call.trouble ? words.error[call.trouble.code] : undefined)}
    ${noticeLine(call.asksMicrophone && !call.trouble ? words.allowMicrophone : undefined)}
    <div class="pair">
      <button type="button" class="primary call" part="call-button" data-focus @click=${() => act.answer()}>
        ${icon('call')}<span>${words.answer}</span>
      </button>
      ${hangUpButton(words.decline, () => act.hangUp(), false)}
    </div>
  </div>`;
}

export function inCallView(view: View, call: Extract<Call, { is: 'active' }>): TemplateResult {
  const { words, act, now, keysOpen, state } = view;
  const { info, muted, held } = call;
  const time = formatDuration(now - (info.answeredAt ?? now));
  return html`<div class="in-call">
    ${party(info, held ? `${time} · ${words.status.held}` : time)}
    ${alertLine(call.microphoneLost ? words.microphoneLost : undefined)}
    ${noticeLine(state.line.is === 'up' ? undefined : words.lineLostInCall)}
    <div class="tools">
      ${tool(muted ? 'micOff' : 'mic', muted ? words.unmute : words.mute, muted, () => act.setMuted(!muted))}
      ${tool(held ? 'play' : 'pause', held ? words.resume : words.hold, held, () => act.setHeld(!held))}
      ${tool('keypad', words.keys, keysOpen, () => act.toggleKeys(), true)}
    </div>
    ${keysOpen ? tones(view) : nothing} ${hangUpButton(words.hangUp, () => act.hangUp(), true)}
  </div>`;
}

/** How the call ended, and what most agents do next. */
export function endedView({ words, act }: View, call: CallInfo): TemplateResult {
  const { answeredAt, endedAt } = call;
  const talked = answeredAt !== undefined && endedAt !== undefined;
  return html`<div class="in-call">
    ${party(call, outcomeText(words, call))}
    ${talked ? html`<p class="muted center-text">${words.duration(formatDuration(endedAt - answeredAt))}</p>` : nothing}
    <button type="button" class="primary accent" data-focus @click=${() => act.dismiss()}>
      ${words.done}
    </button>
    <button type="button" class="secondary" part="call-button" @click=${() => act.call(call.number)}>
      ${icon('call')}<span>${words.callAgain}</span>
    </button>
  </div>`;
}

/** Whom the last call was with, and how it ended or how long it was. */
export function lastCallText(call: NonNullable<View['lastCall']>, words: View['words']): string {
  const { answeredAt, endedAt, outcome } = call;
  const talked = outcome === 'answered' && answeredAt !== undefined && endedAt !== undefined;
  const what = talked ? formatDuration(endedAt - answeredAt) : outcomeText(words, call);
  return words.lastCall(formatNumber(call.number), what);
}

/** Who is on the other side: the number large, the name and a detail under it. */
function party(call: Pick<CallInfo, 'number' | 'name'>, detail: string): TemplateResult {
  return html`<div class="party">
    <p class="party-number" part="number">${formatNumber(call.number)}</p>
    <p class="muted">
      ${call.name ? html`<span>${call.name}</span> · ` : nothing}<span class="detail">${detail}</span>
    </p>
  </div>`;
}

/** The label says what a press does, the tint what is on; only the tone keys open and close something. */
function tool(name: IconName, label: string, on: boolean, press: () => void, opens = false): TemplateResult {
  const expanded = opens ? String(on) : nothing;
  return html`<button
    type="button"
    class=${on ? 'tool on' : 'tool'}
    aria-expanded=${expanded}
    @click=${press}
  >
    ${icon(name)}<span>${label}</span>
  </button>`;
}

function tones({ words, tones: sent, act }: View): TemplateResult {
  return html`<output class="tones" aria-label=${words.keys}>${sent}</output>
    ${keypad(words.keypad, (key) => act.sendDtmf(key))}`;
}
