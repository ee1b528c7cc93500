/** An outgoing call that nobody has answered yet. */
import { html, type TemplateResult } from 'lit';
import type { CallInfo } from '../dialer/call.ts';
import { icon } from './icons.ts';
import { party } from './party.ts';
import type { View } from './view.ts';

export function dialingView({ words, act }: View, call: CallInfo): TemplateResult {
  return html`<div class="in-call">
    ${party(call, words.status.dialing)}
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
