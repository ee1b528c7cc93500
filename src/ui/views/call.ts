/** A call that is placed, rings or is in conversation. */
import { html, nothing, type TemplateResult } from 'lit';
import type { ActiveCall, Call } from '../../dialer/state/call.ts';
import { talkTimeLeft } from '../talk-time.ts';
import { formatDuration } from '../../i18n/format.ts';
import { formatNumber, normalize } from '../../numbers/read.ts';
import {
  actionRow,
  alertLine,
  button,
  endButton,
  icon,
  keypad,
  labelled,
  noticeLine,
  type ButtonOptions,
  type IconName,
} from './controls.ts';
import { callDevicesView, deviceNotice } from './devices.ts';
import { hotlineName } from './dialpad.ts';
import { avatar, party } from './party.ts';
import { qualityBars } from './call-result.ts';
import { missedDuring, missedStrip } from './strips.ts';
import type { View } from '../view.ts';

/** How many tones are shown: the last ones. */
const LONG_TONES = 18;
/** From then on the agent sees the time that is left, in milliseconds. */
const COUNTDOWN_MS = 5 * 60_000;
const LAST_MINUTE_MS = 60_000;

type OwnCall = Extract<Call, { is: 'placing' | 'dialing' | 'active' }>;

/** One view from the first ring to the end, so that "Hang up" stays the same button while it rings and while they talk. */
export function callView(view: View, call: OwnCall): TemplateResult {
  const { words, ui } = view;
  const isActive = call.is === 'active';
  const hasKeys = ui.panel === 'keys';
  const isCompact = ui.panel !== undefined;
  const whom = call.is === 'placing' ? call : call.info;
  const [, text, role] = whoSpeaks(view, call) ?? [];
  const hasLine = text !== undefined;
  return html`<div class=${isCompact ? 'in-call compact' : 'in-call'}>
    <div class=${hasLine && hasKeys ? 'party brief' : 'party'}>
      ${avatar(whom.name)} ${party(words, whom, chips(view, call))}
    </div>
    ${hasLine || isCompact || call.is === 'placing' ? nothing : missedStrip(view, missedDuring(view, call.info))}
    ${alertLine(role === 'alert' ? text : undefined, ui.refusals)}
    ${noticeLine(role === 'alert' ? undefined : text, role)} ${isActive ? tones(view, hasKeys) : nothing}
    ${isActive && ui.panel === 'devices' ? callDevicesView(view) : nothing}
    ${isActive ? tools(view, call) : nothing}
    ${actionRow(
      callerNumber(view, whom.hotline),
      endButton(view, labelled('hangUp', words.hangUp), { look: 'primary hang-up', isFirst: !isActive }),
    )}
  </div>`;
}

type Spoken = readonly [applies: boolean, text: string | undefined, role: 'alert' | 'notice' | 'warns'];

/** There is room for one line: the first that applies speaks. While the keys are open, the chips say the rest. */
export function whoSpeaks(view: View, call: OwnCall): Spoken | undefined {
  const { words, state, ui, now } = view;
  const active = call.is === 'active' ? call : undefined;
  const hasRoom = ui.panel !== 'keys';
  const left = talkTimeLeft(state, now) ?? Infinity;
  const [warning] = active?.quality?.warnings ?? [];
  const device = active && deviceNotice(view);
  const { block } = state;
  // Perhaps beside another blocker.
  const isOffline = block.is === 'blocked' && [block.reason, block.next].includes('offline');
  const lines: readonly Spoken[] = [
    [active?.microphoneLost === true, words.microphoneLost, 'alert'],
    [active !== undefined && isOffline, words.offlineInCall, 'alert'],
    [ui.refusal !== undefined, refusalText(view), 'alert'],
    [hasRoom && left <= LAST_MINUTE_MS, words.lastMinute, 'alert'],
    [call.is === 'placing' && call.asksMicrophone, words.allowMicrophone, 'notice'],
    [active !== undefined && state.line.is !== 'up', words.lineLostInCall, 'notice'],
    [hasRoom && warning !== undefined, warning && words.quality.warning[warning], 'warns'],
    [hasRoom && device !== undefined, device, 'notice'],
  ];
  return lines.find(([applies]) => applies);
}

/** Why a number that was clicked on the page during the call was not called, or "Hold" changed nothing. */
export function refusalText({ words, ui: { refusal } }: View): string | undefined {
  return refusal && words.error[refusal];
}

/** What the other side sees of an outgoing call. */
function callerNumber({ words, state }: View, number: string | undefined): TemplateResult | typeof nothing {
  if (number === undefined) return nothing;
  const hotline = state.hotlines.find((each) => each.number === number);
  return html`<p class="muted caller-number" part="hotline">
    <span>${words.from} ${hotlineName(hotline)}</span> <span>${formatNumber(normalize(number))}</span>
  </p>`;
}

/** Time, sound, money, held, muted: in sight one beside the other, read out as one sentence. */
function chips(view: View, call: OwnCall): TemplateResult[] {
  const { words, now, ui, state } = view;
  if (ui.pending === 'end') return [chip(words.ending)];
  if (call.is !== 'active') {
    const since = call.is === 'dialing' ? call.ringingSince : undefined;
    return [
      chip(since === undefined ? words.status.dialing : `${words.ringing} ${formatDuration(now - since)}`),
    ];
  }
  const { info, quality, held, muted } = call;
  const left = talkTimeLeft(state, now);
  const isCounted = left !== undefined && left < COUNTDOWN_MS;
  const all = [
    chip(formatDuration(now - (info.answeredAt ?? now))),
    // Nobody hears anything while the call is held.
    quality?.level && !held && chip(qualityBars(words, quality.level), quality.level),
    isCounted && chip(words.timeLeft(formatDuration(left)), left <= LAST_MINUTE_MS ? 'poor' : ''),
    held && chip(words.status.held, 'waits'),
    muted && chip(words.muted, 'mutes'),
  ].filter((each): each is TemplateResult => Boolean(each));
  return all.map((each, index) =>
    index === 0 ? each : html`<span class="visually-hidden">, </span>${each}`,
  );
}

function chip(text: string | TemplateResult, look = ''): TemplateResult {
  return html`<span class=${`chip ${look}`}>${text}</span>`;
}

function tools(
  { words, actions, ui: { panel, pending } }: View,
  { muted, held }: ActiveCall,
): TemplateResult {
  const mute = { look: 'mutes', key: 'm', isFirst: true, pressed: muted };
  const hold = { look: 'waits', key: 'h', isBusy: pending === 'hold', pressed: held };
  const keys = { look: '', expanded: panel === 'keys' };
  return html`<div class="tools">
    ${tool(muted ? 'micOff' : 'mic', words.mute, () => actions.setMuted(!muted), mute)}
    ${tool('pause', words.hold, () => actions.setHeld(!held), hold)}
    ${tool('keypad', words.keys, () => actions.toggle('keys'), keys)}
  </div>`;
}

/**
 * Keeps its label while it is on: a screen reader would read "Unmute, pressed" otherwise. After an answer, "Mute" gets the focus, so
 * that one key press too many mutes and does not hang up.
 */
function tool(name: IconName, label: string, press: () => void, options: ButtonOptions): TemplateResult {
  const look = (options.pressed ?? options.expanded) ? `tool on ${options.look}` : 'tool';
  const content = html`<span class="disc">${icon(name)}</span><span>${label}</span>`;
  return button(content, press, { ...options, look, part: 'control' });
}

/** A screen reader has to know them before the first one, which opens the keys. */
function tones({ words, ui, actions }: View, isOpen: boolean): TemplateResult {
  const sent = ui.tones.length > LONG_TONES ? `…${ui.tones.slice(-LONG_TONES)}` : ui.tones;
  return html`<output class=${isOpen ? 'tones' : 'visually-hidden'} aria-label=${words.keys}>${sent}</output>
    ${isOpen ? keypad(words.keypad, (key) => actions.sendDtmf(key)) : nothing}`;
}
