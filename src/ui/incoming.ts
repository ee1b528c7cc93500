/** Somebody is calling: answer comes first, in sight and in focus. */
import { html, type TemplateResult } from 'lit';
import type { Call } from '../dialer/state.ts';
import { hangUpButton } from './hang-up-button.ts';
import { icon } from './icons.ts';
import { alertLine, noticeLine } from './live-line.ts';
import { party } from './party.ts';
import type { View } from './view.ts';

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
