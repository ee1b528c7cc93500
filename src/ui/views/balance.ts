/** The call balance above "Call", and how long it lasts. When it is low, a warning with a button to ask for a top-up. */
import { html, nothing, type TemplateResult } from 'lit';
import type { GuideNotice } from '../../dialer/state/block.ts';
import { isLow } from '../../dialer/settings.ts';
import { talkTime } from '../talk-time.ts';
import { formatMoney } from '../../i18n/format.ts';
import { button, icon } from './controls.ts';
import type { View } from '../view.ts';

const MINUTE_MS = 60_000;

/** The line is as high as the warning, so that no key moves. */
export function balanceLine(view: View): TemplateResult {
  const { state, settings, words } = view;
  const balance = state.member?.balance;
  if (balance === undefined) return html`<div class="balance"></div>`;
  const time = state.member && talkTime(state.member);
  const money = formatMoney(balance, words.language);
  const text = time === undefined ? money : `${money} · ${words.talkTime(Math.floor(time / MINUTE_MS))}`;
  const isEnough = !isLow(balance, settings);
  // The icon says that it is low: beside money and time there is no room for the words.
  const warning =
    time === undefined
      ? words.lowBalance(money)
      : html`<span class="visually-hidden">${words.lowBalance('')}</span>${text}`;
  return html`<div class="balance">
    ${isEnough ? html`<p class="muted">${words.balanceOf(text)}</p>` : nothing}
    <div class="low-balance" role="status">${isEnough ? nothing : lowBalance(view, warning)}</div>
  </div>`;
}

function lowBalance(view: View, warning: string | TemplateResult): TemplateResult {
  // The page's own guide offers the top-up.
  const isGuided = view.state.status === 'blocked';
  return html`${icon('warning')}
    <p>${warning}</p>
    ${isGuided ? nothing : topUpRequest(view)}`;
}

const ANSWERED: ReadonlySet<string | undefined> = new Set<GuideNotice>([
  'help-requested',
  'ask-admin',
  'help-refused',
  'top-up-off',
  'top-up-limit',
  'top-up-refused',
  'top-up-admin-short',
  'top-up-too-small',
]);

/** Asking again would change nothing: the agent can only check whether somebody has helped. */
export function isRequestAnswered(notice: string | undefined): boolean {
  return ANSWERED.has(notice);
}

/** One line, whatever the answer. */
function topUpRequest({ words, ui: { topUp }, actions }: View): TemplateResult {
  const texts: Readonly<Record<string, string>> = { ...words.topUpResult, asking: words.asking };
  const text = topUp === undefined ? words.askTopUp : texts[topUp];
  if (isRequestAnswered(topUp)) return html`<p class="answer">${text}</p>`;
  return button(text, () => actions.topUpEarly(), { look: 'link', isWaiting: topUp === 'asking' });
}
