/** A call that is placed, rings or is in conversation. */
import { html, nothing, type TemplateResult } from 'lit';
import { national } from '../../numbers/read.ts';
import type { LoggedCall } from '../../dialer/calls/call-log.ts';
import type { Block } from '../../dialer/state/block.ts';
import type { Call } from '../../dialer/state/call.ts';
import type { CallInfo } from '../../dialer/state/call-info.ts';
import { talkTimeLeft } from '../../dialer/state/talk-time.ts';
import { formatDuration } from '../../i18n/format.ts';
import { formatNumber } from '../../numbers/read.ts';
import { actionRow, alertLine, hangUpButton, icon, keypad, noticeLine, type IconName } from './controls.ts';
import { callDevicesView, deviceNotice } from './devices.ts';
import { hotlineName } from './dialpad.ts';
import { party } from './party.ts';
import { qualityBars, warningText } from './quality.ts';
import { missedStrip } from './strips.ts';
import { missedCalls, type View } from '../view.ts';

/** How many tones are shown: the last ones. */
const LONG_TONES = 18;
/** From then on the agent sees the time that is left, in milliseconds. */
const COUNTDOWN_MS = 5 * 60_000;
const LAST_MINUTE_MS = 60_000;

/** One view from the first ring to the end, so that "Hang up" stays the same button through both. */
export function callView(
  view: View,
  call: Extract<Call, { is: 'placing' | 'dialing' | 'active' }>,
): TemplateResult {
  const { words, ui } = view;
  const isActive = call.is === 'active';
  return html`<div class=${ui.keysOpen || ui.devicesOpen ? 'in-call compact' : 'in-call'}>
    ${party(words, call.is === 'placing' ? call : call.info, progress(view, call))}
    ${call.is === 'placing' || ui.keysOpen || ui.devicesOpen ? nothing : missedStrip(view, missedDuring(view, call.info))}
    ${alertLine((isActive ? silence(view, call) : undefined) ?? refusalText(view) ?? lastMinute(view))}
    ${noticeLine(noticeOf(view, call))} ${isActive && ui.keysOpen ? tones(view) : nothing}
    ${isActive && ui.devicesOpen ? callDevicesView(view) : nothing} ${isActive ? tools(view, call) : nothing}
    ${actionRow(
      callerNumber(view, call.is === 'placing' ? view.callerNumber : call.info.hotline),
      hangUpButton(view, words.hangUp, !isActive),
    )}
  </div>`;
}

/** Why the agent is not heard. */
function silence(
  { words, state }: View,
  { microphoneLost }: Extract<Call, { is: 'active' }>,
): string | undefined {
  if (microphoneLost) return words.microphoneLost;
  return isOffline(state.block) ? words.offlineInCall : undefined;
}

/** Callers during this call were told that the line is busy. */
function missedDuring(view: View, { startedAt }: CallInfo): readonly LoggedCall[] {
  return missedCalls(view).filter((call) => call.startedAt >= startedAt);
}

/** Why a number that was clicked on the page during the call was not called. */
export function refusalText({ words, ui: { refusal } }: View): string | undefined {
  return refusal && words.error[refusal];
}

/** What the other side sees of an outgoing call. */
function callerNumber({ words, state }: View, number: string | undefined): TemplateResult | typeof nothing {
  if (number === undefined) return nothing;
  const hotline = state.hotlines.find((each) => each.number === number);
  return html`<p class="muted caller-number" part="hotline">
    ${words.from} ${hotlineName(hotline)} <span class="whole">${formatNumber(national(number))}</span>
  </p>`;
}

/** A sentence that comes would move the keys. */
function lastMinute({ words, state, now, ui }: View): string | undefined {
  const left = ui.keysOpen ? undefined : talkTimeLeft(state, now);
  return left !== undefined && left <= LAST_MINUTE_MS ? words.lastMinute : undefined;
}

function countdown({ words, state, now }: View): TemplateResult | typeof nothing {
  const left = talkTimeLeft(state, now);
  if (left === undefined || left >= COUNTDOWN_MS) return nothing;
  return html` ·
    <span class=${left <= LAST_MINUTE_MS ? 'time-left poor' : 'time-left'}
      >${words.timeLeft(formatDuration(left))}</span
    >`;
}

function progress(
  view: View,
  call: Extract<Call, { is: 'placing' | 'dialing' | 'active' }>,
): string | TemplateResult {
  const { words, now, ui } = view;
  if (ui.pending === 'end') return words.ending;
  if (call.is !== 'active') {
    const since = call.is === 'dialing' ? call.ringingSince : undefined;
    return since === undefined ? words.status.dialing : `${words.ringing} ${formatDuration(now - since)}`;
  }
  const held = html`<b class="waits">${words.status.held}</b>`;
  const muted = html`<b class="mutes">${words.muted}</b>`;
  const left = countdown(view);
  const time = html`${formatDuration(now - (call.info.answeredAt ?? now))}${left}${qualityBars(words, call)}`;
  if (call.held && call.muted) return html`${time}<br />${held} · ${muted}`;
  if (!call.held && !call.muted) return time;
  return html`${time}${left === nothing ? ' · ' : html`<br />`}${call.held ? held : muted}`;
}

function noticeOf(
  view: View,
  call: Extract<Call, { is: 'placing' | 'dialing' | 'active' }>,
): string | undefined {
  const { words, state, ui } = view;
  if (call.is === 'placing' && call.asksMicrophone) return words.allowMicrophone;
  if (call.is !== 'active' || isOffline(state.block)) return undefined;
  if (state.line.is !== 'up') return words.lineLostInCall;
  // A sentence that comes would move the keys.
  return ui.keysOpen ? undefined : (deviceNotice(view) ?? warningText(words, call));
}

function tools(
  { words, actions, ui: { keysOpen } }: View,
  call: Extract<Call, { is: 'active' }>,
): TemplateResult {
  const { muted, held } = call;
  const mute = {
    name: muted ? 'micOff' : 'mic',
    label: words.mute,
    on: muted,
    look: 'mutes',
    key: 'm',
  } as const;
  const hold = { name: 'pause', label: words.hold, on: held, look: 'waits', key: 'h' } as const;
  return html`<div class="tools">
    ${toggle(mute, () => actions.setMuted(!muted), true)} ${toggle(hold, () => actions.setHeld(!held))}
    <button
      type="button"
      class=${keysOpen ? 'tool on' : 'tool'}
      aria-expanded=${keysOpen ? 'true' : 'false'}
      @click=${() => actions.toggleKeys()}
    >
      ${icon('keypad')}<span>${words.keys}</span>
    </button>
  </div>`;
}

interface Toggle {
  readonly name: IconName;
  readonly label: string;
  readonly on: boolean;
  /** While it is on. */
  readonly look: string;
  /** Of the keyboard. */
  readonly key: string;
}

/**
 * Keeps its label while it is on: a screen reader would read "Unmute, pressed" otherwise.
 *
 * @param first gets the focus after an answer, so that one key press too many mutes and does not hang up
 */
function toggle({ name, label, on, look, key }: Toggle, press: () => void, first = false): TemplateResult {
  return html`<button
    type="button"
    class=${on ? `tool on ${look}` : 'tool'}
    ?data-focus=${first}
    aria-pressed=${on ? 'true' : 'false'}
    aria-keyshortcuts=${key}
    @click=${press}
  >
    ${icon(name)}<span>${label}</span>
  </button>`;
}

function tones({ words, ui, actions }: View): TemplateResult {
  const sent = ui.tones.length > LONG_TONES ? `…${ui.tones.slice(-LONG_TONES)}` : ui.tones;
  return html`<output class="tones" aria-label=${words.keys}>${sent}</output>
    ${keypad(words.keypad, (key) => actions.sendDtmf(key))}`;
}

/** Is the machine offline, perhaps beside another blocker? */
function isOffline(block: Block): boolean {
  return block.is === 'blocked' && (block.reason === 'offline' || block.next === 'offline');
}
