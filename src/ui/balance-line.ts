/** The money, in its place above "Call": a plain line, and a warning with a way out before there is none left. */
import { html, nothing, type TemplateResult } from 'lit';
import { isLow } from '../dialer/host.ts';
import { formatMoney } from '../i18n/money.ts';
import type { FullView, View } from './view.ts';

export function balanceLine(view: View, full: FullView | undefined): TemplateResult | typeof nothing {
  const { state, words, guide } = view;
  const balance = state.member?.balance;
  if (balance === undefined) return nothing;
  const money = formatMoney(balance);
  if (full && guide && isLow(balance, view.lowBalance)) return guide.lowBalance(full, money);
  return html`<p class="muted">${words.balanceOf(money)}</p>`;
}
