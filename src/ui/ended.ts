/** How the call ended, and what most agents do next. */
import { html, nothing, type TemplateResult } from 'lit';
import type { CallInfo } from '../dialer/call.ts';
import { formatDuration } from '../i18n/words.ts';
import { icon } from './icons.ts';
import { party } from './party.ts';
import type { View } from './view.ts';

export function endedView({ words, act }: View, call: CallInfo): TemplateResult {
  const { answeredAt, endedAt, outcome = 'failed' } = call;
  const talked = answeredAt !== undefined && endedAt !== undefined;
  const why = call.status === undefined ? undefined : words.sip[call.status];
  return html`<div class="in-call">
    ${party(call, words.outcome[outcome])} ${why ? html`<p class="center-text">${why}</p>` : nothing}
    ${talked ? html`<p class="muted center-text">${words.duration(formatDuration(endedAt - answeredAt))}</p>` : nothing}
    <button type="button" class="primary accent" data-focus @click=${() => act.dismiss()}>
      ${words.done}
    </button>
    <button type="button" class="secondary" part="call-button" @click=${() => act.call(call.number)}>
      ${icon('call')}<span>${words.callAgain}</span>
    </button>
  </div>`;
}
