/**
 * The guide: why the member cannot call, who can fix it, what to press. Once it is fixed, the number that was typed. The phone may
 * also be in another tab.
 */
import { html, nothing, type TemplateResult } from 'lit';
import { HELP, type Blocked, type HelpKind, type TabActivity } from '../../dialer/state/block.ts';
import type { Line } from '../../dialer/state/line.ts';
import { formatMoney, formatTime } from '../../i18n/format.ts';
import { errorText } from '../../i18n/words.ts';
import { formatNumber, readNumber } from '../../numbers/read.ts';
import { isRequestAnswered } from './balance.ts';
import { numberText } from './call-result.ts';
import { button, icon, labelled, noticeLine } from './controls.ts';
import { ASK, guideKey, isPhoneTaken } from '../announcement.ts';
import { canCallAgainText } from '../status.ts';
import { fixerText, guideButton, reasonView, SUPPORT, supportFooter, type Support } from './support.ts';
import type { View } from '../view.ts';

export function blockedView(view: View, block: Blocked): TemplateResult {
  const { words, actions, state } = view;
  const text = guideKey(words, block);
  const help = HELP.get(text);
  const support = SUPPORT[text];
  const balance = help === 'topUp' ? state.member?.balance : undefined;
  // A positive balance may be old, because the exchange has just refused the call: show only one that is used up.
  const isUsedUp = balance !== undefined && balance <= 0;
  const waitingNumber = callableNumber(view);
  const isAskFirst =
    help !== undefined && !isRequestAnswered(block.notice) && block.notice !== 'help-unknown';
  return html`<div class="guide" part="guide">
    ${reasonView(support.icon, words.guide[text])}
    <p class="muted fixer">
      ${isUsedUp ? html`${words.balance}: ${formatMoney(balance, words.language)}<br />` : nothing}${fixerText(words, support)}
    </p>
    ${help === undefined ? nothing : helpButton(view, block, help, isAskFirst)}
    ${guideButton(block.waitingFor === 'check' ? words.checking : words.checkAgain, () => actions.recheck(), {
      isPrimary: !isAskFirst,
      isWaiting: block.waitingFor !== undefined,
    })}
    ${noticeLine(block.notice && words.notice[block.notice])}
    ${waitingNumber === undefined ? nothing : html`<p class="waiting-number">${icon('call')}${words.thenCall(waitingNumber)}</p>`}
    ${supportFooter(view, text === 'other' ? `${support.code} · ${block.reason}` : support.code)}
  </div>`;
}

function helpButton(
  { words, actions }: View,
  block: Blocked,
  help: HelpKind,
  isPrimary: boolean,
): TemplateResult {
  // The agent can ask for help also during a check.
  const isWaiting = block.waitingFor === 'help';
  const press = () => actions.requestHelp(help);
  return guideButton(isWaiting ? words.asking : words[ASK[help]], press, {
    isPrimary,
    isFirst: isPrimary,
    isWaiting,
    about: help,
  });
}

/** The dialer does not call by itself: the agent may have moved on. */
export function clearedView(view: View): TemplateResult {
  const { words, actions, state } = view;
  const number = callableNumber(view);
  return html`<div class="guide" part="guide">
    ${reasonView('check', canCallAgainText(state, words), 'good')}
    ${
      number === undefined
        ? nothing
        : button(labelled('call', words.callNumber(number)), () => actions.callTypedNumber(), {
            look: 'primary call',
            part: 'call-button',
            isFirst: true,
            about: number,
          })
    }
    ${guideButton(words.backToKeypad, () => actions.dismiss(), { isPrimary: number === undefined })}
    ${guideButton(words.checkAgain, () => actions.recheck())}
  </div>`;
}

/** `undefined` unless the field holds a complete number. */
function callableNumber({ display, settings }: View): string | undefined {
  const reading = readNumber(display.typedNumber, settings.numberPlan);
  return reading.is === 'number' ? formatNumber(reading.dialled) : undefined;
}

/** By the page's own content security policy. */
const FORBIDDEN: Support = { fixer: 'developer', code: 'PD-CSP', icon: 'code' };

/** The dialer could not connect. */
export function failedView(view: View, { error, retryAt }: Extract<Line, { is: 'failed' }>): TemplateResult {
  const { words, actions } = view;
  const support = error.directive === undefined ? SUPPORT[error.code] : FORBIDDEN;
  const retryIn = retryAt === undefined ? undefined : Math.max(1, Math.ceil((retryAt - view.now) / 1000));
  return html`<div class="guide" part="guide">
    ${reasonView(support.icon, errorText(words, error))}
    <p class="muted fixer">${fixerText(words, support)}</p>
    ${guideButton(words.retry, () => actions.retry(), { isPrimary: true })}
    ${retryIn === undefined ? nothing : html`<p class="muted">${words.retryIn(retryIn)}</p>`}
    ${supportFooter(view, support.code)}
  </div>`;
}

/** What the phone does in the other tab, and a button to bring it here. */
export function otherTabView(view: View, block: Blocked): TemplateResult {
  const { words, actions } = view;
  const { otherTab } = words;
  const isMoving = block.waitingFor === 'phone';
  const { elsewhere } = block;
  const isTaken = isPhoneTaken(block);
  return html`<div class="guide" part="guide">
    ${reasonView('tabs', otherTab.text)} ${elsewhere === undefined ? nothing : activity(view, elsewhere)}
    ${guideButton(isMoving ? otherTab.moving : otherTab.use, () => actions.useHere(), { isPrimary: !isTaken, isWaiting: isMoving })}
    ${isTaken ? html`<p class="muted">${otherTab.later}</p>` : nothing}
    ${noticeLine(block.notice && words.notice[block.notice])} ${supportFooter(view, 'PD-TAB')}
  </div>`;
}

/** What the other tab does, since when and with whom. A name or a number breaks only if it does not fit into a line. */
function activity({ words }: View, { is, number, name, since }: TabActivity): TemplateResult {
  const { otherTab } = words;
  const text =
    is === 'in-call' && since !== undefined
      ? otherTab.since(formatTime(since, words.language))
      : otherTab[is];
  const whom = [name, number === undefined ? undefined : numberText(words, number)].filter(Boolean);
  const last = whom.length - 1;
  return html`<p>${text}</p>
    ${whom.length === 0 ? nothing : html`<p class="activity">${whom.map((part, at) => html`<span>${part}${at < last ? ',' : ''}</span> `)}</p>`}`;
}
