/** The bubble of a floating dialer: it opens the card, and shows a call, a blocker and missed calls while the card is closed. */
import { html, nothing, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { missedCalls } from '../../dialer/calls/call-log.ts';
import { formatDuration } from '../../i18n/format.ts';
import { whom } from './call-result.ts';
import { answerButton, button, endButton, icon, type IconName } from './controls.ts';
import { statusWord } from '../status.ts';
import type { View } from '../view.ts';

interface Face {
  readonly icon: IconName;
  /** Beside the icon. */
  readonly text?: string;
  /** A running time. It is not part of the button's name, which a screen reader would read every second. */
  readonly time?: string;
  readonly look: 'off' | 'calm' | 'rings' | 'talks' | 'talks waits' | 'open';
}

/**
 * The button that opens and closes the card is in the corner. The button that ends a call keeps its place beside it from the
 * first ring on, so that one press too many never does the opposite.
 *
 * @param said what the closed card would say of the call
 */
export function bubbleView(view: View, said: string | undefined): TemplateResult {
  const { words, state, ui, actions } = view;
  const open = ui.cardOpen;
  const face: Face = open ? { icon: 'close', look: 'open' } : chooseFace(view);
  const missed = open ? 0 : missedCalls(view.calls).length;
  const warns = !open && (state.status === 'blocked' || state.status === 'failed' || said !== undefined);
  const label = [
    open ? words.closeDialer : words.openDialer,
    !open && !state.canCall && statusWord(state, words),
    face.text,
    said,
    missed > 0 && words.recent.missed(missed),
  ];
  // It covers the place of the buttons that have just gone: a second press must not reach the page.
  const shield = keyed(`${state.call.is} ${open}`, html`<span class="shield"></span>`);
  return html`<div class="bubble-bar" lang=${words.language}>
    ${shield} ${open ? nothing : callButtons(view)}
    <button
      type="button"
      class=${`bubble ${face.look}`}
      part="bubble"
      aria-expanded=${open ? 'true' : 'false'}
      data-about=${open}
      aria-label=${label.filter(Boolean).join(', ')}
      title=${said ?? face.text ?? nothing}
      @click=${() => actions.toggleCard()}
    >
      ${icon(face.icon)}<span class="text" data-time=${face.time ?? nothing}>${face.text}</span>
      ${warns ? html`<span class="sign warns">!</span>` : nothing}
      ${missed > 0 ? html`<span class="sign badge" data-count=${missed}></span>` : nothing}
    </button>
  </div>`;
}

function chooseFace({ state: { call, canCall }, waitingCall, words, prompts, now }: View): Face {
  switch (call.is) {
    case 'incoming':
      return { icon: 'bell', text: whom(words, call.info), look: 'rings' };
    case 'placing':
      return { icon: 'call', text: whom(words, call), look: 'talks' };
    case 'dialing':
      return { icon: 'call', text: whom(words, call.info), look: 'talks' };
    case 'active': {
      const time = formatDuration(now - (call.info.answeredAt ?? now));
      return call.held ? { icon: 'pause', time, look: 'talks waits' } : { icon: 'call', time, look: 'talks' };
    }
    default: {
      if (waitingCall) return { icon: 'call', text: whom(words, waitingCall), look: 'talks waits' };
      return { icon: prompts.isSilent ? 'bell' : 'call', look: canCall ? 'calm' : 'off' };
    }
  }
}

/** From the corner outwards: mute, hang up or decline, answer. */
function callButtons(view: View): TemplateResult | typeof nothing {
  const { words } = view;
  const { call } = view.state;
  if (call.is === 'none' || call.is === 'ended') return nothing;
  const isIncoming = call.is === 'incoming';
  const answer = { look: 'mini call', name: words.answer };
  const end = { look: 'mini hang-up', name: isIncoming ? words.decline : words.hangUp };
  return html`${isIncoming ? answerButton(view, icon('call'), answer) : nothing}
  ${endButton(view, icon('hangUp'), end)} ${call.is === 'active' ? muteButton(view, call.muted) : nothing}`;
}

function muteButton({ words, actions }: View, pressed: boolean): TemplateResult {
  const look = pressed ? 'mini mute on' : 'mini mute';
  const press = () => actions.setMuted(!pressed);
  return button(icon(pressed ? 'micOff' : 'mic'), press, { look, name: words.mute, key: 'm', pressed });
}
