/** An outgoing call that nobody has answered yet. */
import { html, type TemplateResult } from 'lit';
import type { Call } from '../dialer/state.ts';
import { icon } from './icons.ts';
import { noticeLine } from './live-line.ts';
import { party } from './party.ts';
import type { View } from './view.ts';

export function dialingView(
  { words, act }: View,
  call: Extract<Call, { is: 'dialing' | 'placing' }>,
): TemplateResult {
  const asks = call.is === 'placing' && call.asksMicrophone;
  const who = call.is === 'placing' ? { number: call.number } : call.info;
  return html`<div class="in-call">
    ${party(who, words.status.dialing)} ${noticeLine(asks ? words.allowMicrophone : undefined)}
    <button
      type="button"
      class="primary hang-up"
      part="hangup-button"
      data-focus
      @click=${() => act.hangUp()}
    >
      ${icon('hangUp')}<span>${words.hangUp}</span>
    </button>
  </div>`;
}
