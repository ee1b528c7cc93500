/** The money, in its place above "Call": a plain line, and a warning with a way out before there is none left. */
import { html, nothing, type TemplateResult } from 'lit';
import { formatMoney } from '../i18n/words.ts';
import { icon, noticeLine } from './controls.ts';
import type { View } from './view.ts';

export function balanceLine(view: View): TemplateResult | typeof nothing {
  const { state, words, lowBalance } = view;
  const balance = state.member?.balance;
  if (balance === undefined) return nothing;
  if (balance < lowBalance) return warning(view, formatMoney(balance));
  return html`<p class="muted">${words.balanceOf(formatMoney(balance))}</p>`;
}

function warning({ words, topUp, act }: View, money: string): TemplateResult {
  const isAsking = topUp === 'asking';
  return html`<div class="low-balance" role="status">
      ${icon('warning')}
      <p>${words.lowBalance(money)}</p>
      <button
        type="button"
        class="link"
        aria-disabled=${isAsking ? 'true' : 'false'}
        @click=${() => act.topUpInTime()}
      >
        ${isAsking ? words.asking : words.askTopUp}
      </button>
    </div>
    ${noticeLine(topUp === undefined || topUp === 'asking' ? undefined : words.notice[topUp])}`;
}
