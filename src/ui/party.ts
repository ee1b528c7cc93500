/** Who is on the other side: the number large, the name and a detail under it. */
import { html, nothing, type TemplateResult } from 'lit';
import type { CallInfo } from '../dialer/call.ts';
import { formatNumber } from '../dialer/phone-number.ts';

export function party(call: Pick<CallInfo, 'number' | 'name'>, detail: string): TemplateResult {
  return html`<div class="party">
    <p class="party-number" part="number">${formatNumber(call.number)}</p>
    <p class="muted">
      ${call.name ? html`<span>${call.name}</span> · ` : nothing}<span class="detail">${detail}</span>
    </p>
  </div>`;
}
