/** The guide: why the member cannot call, who can fix it, what to press. Once it is fixed, the number that was typed. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Block } from '../../dialer/state/block.ts';
import { formatMoney } from '../../i18n/format.ts';
import { errorText, type Words } from '../../i18n/words.ts';
import { formatNumber, readNumber } from '../../numbers/read.ts';
import { isAnswered } from './balance.ts';
import { icon, noticeLine } from './controls.ts';
import { canCallAgain } from '../status.ts';
import { fixerText, matter, SUPPORT, supportFooter, type Failure, type Support } from './support.ts';
import type { View } from '../view.ts';

type Blocked = Extract<Block, { is: 'blocked' }>;

interface Guide {
  readonly text: keyof Words['guide'];
  readonly help?: 'topUp' | 'hotline';
}

/** A map, because a broker may write any reason, also `constructor`. */
const GUIDES: ReadonlyMap<string, Guide> = new Map<string, Guide>([
  ['insufficient-funds', { text: 'insufficient-funds', help: 'topUp' }],
  ['no-hotline', { text: 'no-hotline', help: 'hotline' }],
  ['member-expired', { text: 'member-expired' }],
  ['microphone-denied', { text: 'microphone-denied' }],
  ['microphone-missing', { text: 'microphone-missing' }],
  ['microphone-forbidden', { text: 'microphone-forbidden' }],
  ['insecure-context', { text: 'insecure-context' }],
  ['unsupported-browser', { text: 'unsupported-browser' }],
  ['offline', { text: 'offline' }],
]);

export function blockedView(view: View, block: Blocked): TemplateResult {
  const { words, actions, state, ui } = view;
  const { text, help }: Guide = GUIDES.get(block.reason) ?? { text: 'other' };
  const support = SUPPORT[text];
  const balance = help === 'topUp' ? state.member?.balance : undefined;
  // The exchange knows better than a balance read before the call.
  const isUsedUp = balance !== undefined && balance <= 0;
  const waiting = block.waitingFor !== undefined;
  const waitingNumber = callableNumber(ui.typedNumber);
  const isAskFirst = help !== undefined && !isAnswered(block.notice);
  return html`<div class="guide" part="guide">
    ${matter(support.icon, words.guide[text])}
    <p class="muted fixer">
      ${isUsedUp ? html`${words.balance}: ${formatMoney(balance)}<br />` : nothing}${fixerText(words, support)}
    </p>
    ${isAskFirst ? helpButton(view, block, help, true) : nothing}
    <button
      type="button"
      class=${isAskFirst ? 'secondary' : 'primary accent'}
      part="guide-action"
      ?data-focus=${!isAskFirst}
      aria-disabled=${waiting ? 'true' : 'false'}
      @click=${() => !waiting && actions.recheck()}
    >
      ${block.waitingFor === 'check' ? words.checking : words.checkAgain}
    </button>
    ${help === undefined || isAskFirst ? nothing : helpButton(view, block, help, false)}
    ${noticeLine(block.notice === undefined ? undefined : words.notice[block.notice])}
    ${waitingNumber === undefined ? nothing : html`<p class="waiting-number">${icon('call')}${words.thenCall(waitingNumber)}</p>`}
    ${supportFooter(view, text === 'other' ? `${support.code} · ${block.reason}` : support.code)}
  </div>`;
}

function helpButton(
  { words, actions }: View,
  block: Blocked,
  help: 'topUp' | 'hotline',
  isFirst: boolean,
): TemplateResult {
  // The agent can ask for help also during a check.
  const waiting = block.waitingFor === 'help';
  const label = help === 'topUp' ? words.askTopUp : words.askHotline;
  return html`<button
    type="button"
    class=${isFirst ? 'primary accent' : 'secondary'}
    part="guide-action"
    ?data-focus=${isFirst}
    aria-disabled=${waiting ? 'true' : 'false'}
    @click=${() => !waiting && actions.requestHelp(help)}
  >
    ${block.waitingFor === 'help' ? words.asking : label}
  </button>`;
}

/** It does not dial by itself: the agent may have moved on. */
export function clearedView({ words, ui, actions, state }: View): TemplateResult {
  const number = callableNumber(ui.typedNumber);
  const first =
    number === undefined
      ? html`<button
          type="button"
          class="primary accent"
          part="guide-action"
          data-focus
          @click=${() => actions.dismiss()}
        >
          ${words.backToKeypad}
        </button>`
      : html`<button
          type="button"
          class="primary call"
          part="call-button"
          data-focus
          @click=${() => actions.call(ui.typedNumber)}
        >
          ${icon('call')}<span>${words.callNumber(number)}</span>
        </button>`;
  return html`<div class="guide" part="guide">
    ${matter('check', canCallAgain(state, words), 'good')} ${first}
    ${
      number === undefined
        ? nothing
        : html`<button type="button" class="secondary" @click=${() => actions.dismiss()}>
            ${words.backToKeypad}
          </button>`
    }
    <button type="button" class="secondary" @click=${() => actions.recheck()}>${words.checkAgain}</button>
  </div>`;
}

/** `undefined` unless the field holds a complete number. */
function callableNumber(typed: string): string | undefined {
  const reading = readNumber(typed);
  return reading.is === 'number' ? formatNumber(reading.dialled) : undefined;
}

const NOT_READY: Failure = { code: 'not-ready' };
/** By the page's own content security policy. */
const FORBIDDEN: Support = { fixer: 'developer', code: 'PD-CSP', icon: 'code' };

/** The dialer could not connect. */
export function failedView(view: View): TemplateResult {
  const { state, words, actions } = view;
  const { line } = state;
  const error = line.is === 'failed' ? line.error : NOT_READY;
  const support = error.directive === undefined ? SUPPORT[error.code] : FORBIDDEN;
  const retryAt = line.is === 'failed' ? line.retryAt : undefined;
  const retryIn = retryAt === undefined ? undefined : Math.max(1, Math.ceil((retryAt - view.now) / 1000));
  return html`<div class="guide" part="guide">
    ${matter(support.icon, errorText(words, error))}
    <p class="muted fixer">${fixerText(words, support)}</p>
    <button
      type="button"
      class="primary accent"
      part="guide-action"
      data-focus
      @click=${() => actions.retry()}
    >
      ${words.retry}
    </button>
    ${retryIn === undefined ? nothing : html`<p class="muted">${words.retryIn(retryIn)}</p>`}
    ${supportFooter(view, support.code)}
  </div>`;
}
