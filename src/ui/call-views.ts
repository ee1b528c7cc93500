/** A call: ringing in, ringing out, in conversation. */
import { guideWords } from '../i18n/guide-words.ts';
import { html, nothing, type TemplateResult } from 'lit';
import type { CallInfo } from '../dialer/state/call-info.ts';
import { national } from '../dialer/caller-number.ts';
import { formatNumber } from '../numbers/read.ts';
import type { LoggedCall } from '../dialer/call-log.ts';
import type { Block, Call } from '../dialer/state/state.ts';
import { formatDuration } from '../i18n/times.ts';
import type { Words } from '../i18n/words.ts';
import { actions, alertLine, keypad } from './controls.ts';
import { hangUpButton, icon, noticeLine, type IconName } from './late-controls.ts';
import { hotlineName } from './dialpad.ts';
import { releaseStrips } from './held-strips.ts';
import { missedStrip } from './missed-calls.ts';
import { numberText } from './result-strip.ts';
import type { FullView } from './view.ts';

/** In letters; a longer one is written smaller, and still the largest text of the call. */
const LONG_NAME = 24;
/** Fits into one line of the narrowest card. */
const LONG_NUMBER = 14;
/** Likewise; of more tones the last ones are shown. */
const LONG_TONES = 18;

/** Answer comes first, in sight and in focus. */
export function incomingView(view: FullView, call: Extract<Call, { is: 'incoming' }>): TemplateResult {
  const { words, act, asked } = view;
  if (asked) releaseStrips(view);
  const answer = html`<button
    type="button"
    class="primary call"
    part="call-button"
    data-focus
    aria-disabled=${asked ? 'true' : 'false'}
    @click=${() => !asked && act.answer()}
  >
    ${icon('call')}<span>${words.answer}</span>
  </button>`;
  return html`<div class="in-call incoming" part="incoming">
    <div class=${asked ? 'ringer still' : 'ringer'}>${icon('bell')}</div>
    ${party(words, call.info, incomingDetail(view))}
    ${alertLine(microphoneAlert(view, call) ?? refusal(view))} ${noticeLine(microphoneNotice(view, call))}
    ${actions(answer, hangUpButton(view, words.decline, false))}
  </div>`;
}

function incomingDetail({ words, asked }: FullView): string {
  if (asked === 'answer') return words.status.connecting;
  return asked === 'end' ? words.declining : words.status.incoming;
}

/** Known before "Answer" is pressed, so that nobody answers a call in which they cannot be heard. */
function microphoneAlert(
  { state: { block }, words }: FullView,
  { trouble }: Extract<Call, { is: 'incoming' }>,
): string | undefined {
  const found = block.is === 'blocked' && (block.source === 'browser' ? block.reason : block.next);
  const reason = trouble?.code ?? (found || undefined);
  if (reason === undefined) return undefined;
  const { guide, answering } = guideWords(words);
  // "Check again" is no button here.
  const texts: Readonly<Record<string, string>> = { ...guide, ...words.error, ...answering };
  return Object.hasOwn(texts, reason) ? texts[reason] : undefined;
}

function microphoneNotice(view: FullView, call: Extract<Call, { is: 'incoming' }>): string | undefined {
  const { words, asksMicrophone } = view;
  if (microphoneAlert(view, call) !== undefined) return undefined;
  if (call.asksMicrophone) return words.allowMicrophone;
  return asksMicrophone ? words.microphoneWillAsk : undefined;
}

/** One view from the first ring to the end, so that "Hang up" stays the same button through both. */
export function callView(
  view: FullView,
  call: Extract<Call, { is: 'placing' | 'dialing' | 'active' }>,
): TemplateResult {
  const { words, keysOpen } = view;
  releaseStrips(view);
  const isActive = call.is === 'active';
  return html`<div class=${keysOpen ? 'in-call compact' : 'in-call'}>
    ${party(words, call.is === 'placing' ? call : call.info, progress(view, call))}
    ${call.is === 'placing' || keysOpen ? nothing : missedStrip(view, missedDuring(view, call.info))}
    ${alertLine((isActive ? silence(view, call) : undefined) ?? refusal(view))}
    ${noticeLine(noticeOf(view, call))} ${isActive && keysOpen ? tones(view) : nothing}
    ${isActive ? tools(view, call) : nothing}
    ${actions(
      callerNumber(view, call.is === 'placing' ? view.hotline : call.info.hotline),
      hangUpButton(view, words.hangUp, !isActive),
    )}
  </div>`;
}

/** Why the two do not hear each other. */
function silence(
  { words, state }: FullView,
  { microphoneLost }: Extract<Call, { is: 'active' }>,
): string | undefined {
  if (microphoneLost) return words.microphoneLost;
  return isOffline(state.block) ? words.offlineInCall : undefined;
}

/** Who calls meanwhile is told that the line is busy. */
function missedDuring({ recent }: FullView, { startedAt }: CallInfo): readonly LoggedCall[] {
  return recent.missed.filter((call) => call.startedAt >= startedAt);
}

/** A number that was clicked on the page while somebody is on the line. */
function refusal({ words, hint }: FullView): string | undefined {
  return hint && words.error[hint];
}

/** What the other side sees of an outgoing call. */
function callerNumber(
  { words, state }: FullView,
  number: string | undefined,
): TemplateResult | typeof nothing {
  if (number === undefined) return nothing;
  const hotline = state.hotlines.find((each) => each.number === number);
  return html`<p class="muted caller-number" part="hotline">
    ${words.from} ${hotlineName(hotline)} <span class="whole">${formatNumber(national(number))}</span>
  </p>`;
}

function progress(
  { words, now, asked }: FullView,
  call: Extract<Call, { is: 'placing' | 'dialing' | 'active' }>,
): string | TemplateResult {
  if (asked === 'end') return words.ending;
  if (call.is !== 'active') {
    const since = call.is === 'dialing' ? call.ringingSince : undefined;
    return since === undefined ? words.status.dialing : `${words.ringing} ${formatDuration(now - since)}`;
  }
  const time = formatDuration(now - (call.info.answeredAt ?? now));
  const held = html`<b class="waits">${words.status.held}</b>`;
  const muted = html`<b class="mutes">${words.muted}</b>`;
  if (call.held && call.muted) return html`${time}<br />${held} · ${muted}`;
  return call.held || call.muted ? html`${time} · ${call.held ? held : muted}` : time;
}

function noticeOf(
  { words, state }: FullView,
  call: Extract<Call, { is: 'placing' | 'dialing' | 'active' }>,
): string | undefined {
  if (call.is === 'placing' && call.asksMicrophone) return words.allowMicrophone;
  if (call.is !== 'active') return undefined;
  return state.line.is === 'up' || isOffline(state.block) ? undefined : words.lineLostInCall;
}

/** Who is on the other side: the name large, the number under it; without a name the number is. */
function party(
  words: Words,
  { name, number, customer, customers }: Partial<CallInfo> & Pick<CallInfo, 'number'>,
  detail: string | TemplateResult,
): TemplateResult {
  const more = customers && customers.length > 1 ? words.sameNumber(customers.length) : customer?.context;
  const formatted = numberText(words, number);
  const isLong = formatted.length > (formatted === words.withheld ? LONG_NAME : LONG_NUMBER);
  const largest = isLong ? 'party-number largest long' : 'party-number largest';
  return html`<div class="party">
    ${name ? html`<p class=${name.length > LONG_NAME ? 'party-name long' : 'party-name'} title=${name}>${name}</p>` : nothing}
    ${more ? html`<p class="muted party-context">${more.split(' · ').map(contextPart)}</p>` : nothing}
    <p class=${name ? 'party-number' : largest} part="number">${formatted}</p>
    <p class="muted detail">${detail}</p>
  </div>`;
}

/** The gap between two of them does without a dot, which would end or begin a line. */
function contextPart(part: string, index: number): TemplateResult {
  return html`<span>${index > 0 ? html`<span class="visually-hidden"> · </span>` : nothing}${part}</span>`;
}

function tools({ words, act, keysOpen }: FullView, call: Extract<Call, { is: 'active' }>): TemplateResult {
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
    ${toggle(mute, () => act.setMuted(!muted), true)} ${toggle(hold, () => act.setHeld(!held))}
    <button
      type="button"
      class=${keysOpen ? 'tool on' : 'tool'}
      aria-expanded=${keysOpen ? 'true' : 'false'}
      @click=${() => act.toggleKeys()}
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
 * @param first takes the focus of an agent who has answered: one key too many mutes, and does not hang up
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

function tones({ words, tones: sent, act }: FullView): TemplateResult {
  const shown = sent.length > LONG_TONES ? `…${sent.slice(-LONG_TONES)}` : sent;
  return html`<output class="tones" aria-label=${words.keys}>${shown}</output>
    ${keypad(words.keypad, (key) => act.sendDtmf(key))}`;
}

/** Whatever else is in the way, has the machine no network? */
function isOffline(block: Block): boolean {
  return block.is === 'blocked' && (block.reason === 'offline' || block.next === 'offline');
}
