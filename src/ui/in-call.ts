/** The conversation: how long, mute, hold, tones, hang up. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Call } from '../dialer/state.ts';
import { formatDuration } from '../i18n/words.ts';
import { hangUpButton } from './hang-up-button.ts';
import { icon, type IconName } from './icons.ts';
import { alertLine, noticeLine } from './live-line.ts';
import { keypad } from './keypad.ts';
import { party } from './party.ts';
import type { View } from './view.ts';

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
