/** The phone's face while its card is closed: calm, ringing, in a call, blocked, with calls that were missed. */
import { html, nothing, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { formatDuration } from '../i18n/times.ts';
import { lateStyles } from './late.css.ts';
import { bubbleStyles } from './bubble.css.ts';
import { icon, type IconName } from './late-controls.ts';
import { whom } from './result-strip.ts';
import { statusWord } from './status-bar.ts';
import type { BubbleFrame, FullView } from './view.ts';

export { BubblePlace } from './bubble-place.ts';
export const styles = [...lateStyles, bubbleStyles];

interface Face {
  readonly icon: IconName;
  /** Beside the icon. */
  readonly text?: string;
  readonly look: 'off' | 'calm' | 'rings' | 'talks' | 'talks waits' | 'open';
}

/**
 * What opens and closes the card stands in the corner, and what ends a call keeps its place beside it from the first ring
 * on: a press too many never does the opposite.
 */
export function bubbleView(view: FullView, frame: BubbleFrame): TemplateResult {
  const { words, recent, state } = view;
  const { open, toggle, language } = frame;
  const face: Face = open ? { icon: 'close', look: 'open' } : faceOf(view);
  const missed = open ? 0 : recent.missed.length;
  const warns = !open && (state.status === 'blocked' || state.status === 'failed');
  const label = [
    open ? words.closeDialer : words.openDialer,
    !open && state.status !== 'ready' && state.status !== 'ended' && statusWord(state, words),
    face.text,
    missed > 0 && words.recent.missed(missed),
  ];
  // Where buttons of the last face were: a second press is not to reach the page below.
  const shield = keyed(`${state.call.is} ${open}`, html`<span class="shield"></span>`);
  return html`<div class="bubble-bar" lang=${language}>
    ${shield} ${open ? nothing : callButtons(view)}
    <button
      type="button"
      class=${`bubble ${face.look}`}
      part="bubble"
      aria-expanded=${open ? 'true' : 'false'}
      data-about=${open}
      aria-label=${label.filter(Boolean).join(', ')}
      title=${face.text ?? nothing}
      @click=${toggle}
    >
      ${icon(face.icon)}${face.text === undefined ? nothing : html`<span class="text">${face.text}</span>`}
      ${warns ? html`<span class="sign warns">!</span>` : nothing}
      ${missed > 0 ? html`<span class="sign badge" data-count=${missed}></span>` : nothing}
    </button>
  </div>`;
}

function faceOf({ state: { call, status }, words, asks, now }: FullView): Face {
  switch (call.is) {
    case 'incoming':
      return { icon: 'bell', text: whom(words, call.info), look: 'rings' };
    case 'placing':
      return { icon: 'call', text: whom(words, call), look: 'talks' };
    case 'dialing':
      return { icon: 'call', text: whom(words, call.info), look: 'talks' };
    case 'active': {
      const text = formatDuration(now - (call.info.answeredAt ?? now));
      return call.held ? { icon: 'pause', text, look: 'talks waits' } : { icon: 'call', text, look: 'talks' };
    }
    default: {
      const isOn = status === 'ready' || status === 'ended';
      return { icon: asks.isSilent ? 'bell' : 'call', look: isOn ? 'calm' : 'off' };
    }
  }
}

/** From the corner outwards: mute, hang up or decline, answer. */
function callButtons(view: FullView): TemplateResult | typeof nothing {
  const { call } = view.state;
  if (call.is === 'none' || call.is === 'ended') return nothing;
  return html`${call.is === 'incoming' ? answerButton(view) : nothing}
  ${endButton(view, call.is === 'incoming')} ${call.is === 'active' ? muteButton(view, call.muted) : nothing}`;
}

function answerButton({ words, act, asked }: FullView): TemplateResult {
  return html`<button
    type="button"
    class="mini call"
    part="call-button"
    aria-label=${words.answer}
    title=${words.answer}
    aria-disabled=${asked ? 'true' : 'false'}
    @click=${() => !asked && act.answer()}
  >
    ${icon('call')}
  </button>`;
}

function endButton({ words, act, asked }: FullView, isIncoming: boolean): TemplateResult {
  const isEnding = asked === 'end';
  const label = isIncoming ? words.decline : words.hangUp;
  return html`<button
    type="button"
    class="mini hang-up"
    part="hangup-button"
    aria-label=${label}
    title=${label}
    aria-disabled=${isEnding ? 'true' : 'false'}
    @click=${() => !isEnding && act.hangUp()}
  >
    ${icon('hangUp')}
  </button>`;
}

function muteButton({ words, act }: FullView, muted: boolean): TemplateResult {
  return html`<button
    type="button"
    class=${muted ? 'mini mute on' : 'mini mute'}
    aria-label=${words.mute}
    title=${words.mute}
    aria-pressed=${muted ? 'true' : 'false'}
    @click=${() => act.setMuted(!muted)}
  >
    ${icon(muted ? 'micOff' : 'mic')}
  </button>`;
}
