/** Why the member cannot call, who can fix it, what to press; and, once it is fixed, the number that was waiting. */
import { guideWords } from '../i18n/guide-words.ts';
import type { GuideWords } from '../i18n/guide-en.ts';
import { isAsked } from './low-balance.ts';
import { guideStyles } from './guide.css.ts';
import { lateStyles } from './late.css.ts';
import { html, nothing, type TemplateResult } from 'lit';
import { isElsewhere } from '../dialer/state/block.ts';
import type { Block } from '../dialer/state/state.ts';
import { formatNumber, readNumber } from '../numbers/read.ts';
import { formatMoney } from '../i18n/money.ts';
import { icon, noticeLine } from './late-controls.ts';
import { elsewhereView } from './elsewhere.ts';
import { canCallAgain } from './announcement.ts';
import { fixerText, SUPPORT, supportFooter } from './support.ts';
import type { FullView } from './view.ts';

export { failedView } from './failed-view.ts';
export { lowBalance } from './low-balance.ts';

export const styles = [...lateStyles, guideStyles];

type Blocked = Extract<Block, { is: 'blocked' }>;

interface Guide {
  readonly text: keyof GuideWords['guide'];
  readonly help?: 'topUp' | 'hotline';
}

/** A map, because the reason is whatever a broker writes: `constructor` is an unknown one, too. */
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

export function guideView(view: FullView): TemplateResult {
  const { block } = view.state;
  return block.is === 'blocked' ? blockedView(view, block) : clearedView(view);
}

function blockedView(view: FullView, block: Blocked): TemplateResult {
  if (isElsewhere(block)) return elsewhereView(view, block);
  const { words, act, state, draft } = view;
  const own = guideWords(words);
  const { text, help }: Guide = GUIDES.get(block.reason) ?? { text: 'other' };
  const support = SUPPORT[text];
  const balance = help === 'topUp' ? state.member?.balance : undefined;
  // The exchange knows better than a balance read before the call.
  const isTold = balance !== undefined && balance <= 0;
  const waiting = block.waitingFor !== undefined;
  const waitingNumber = callableNumber(draft);
  const isAskFirst = help !== undefined && !isAsked(block.notice);
  return html`<div class="guide" part="guide">
    <p>${own.guide[text]}</p>
    <p class="muted">
      ${isTold ? html`${own.balance}: ${formatMoney(balance)}<br />` : nothing}${fixerText(words, support)}
    </p>
    ${help === undefined ? nothing : helpButton(view, block, help, isAskFirst)}
    <button
      type="button"
      class=${isAskFirst ? 'secondary' : 'primary accent'}
      part="guide-action"
      ?data-focus=${!isAskFirst}
      aria-disabled=${waiting ? 'true' : 'false'}
      @click=${() => !waiting && act.recheck()}
    >
      ${block.waitingFor === 'check' ? own.checking : own.checkAgain}
    </button>
    ${noticeLine(block.notice === undefined ? undefined : own.notice[block.notice])}
    ${waitingNumber === undefined ? nothing : html`<p class="waiting-number">${words.thenCall(waitingNumber)}</p>`}
    ${supportFooter(view, text === 'other' ? `${support.code} · ${block.reason}` : support.code)}
  </div>`;
}

function helpButton(
  { words, act }: FullView,
  block: Blocked,
  help: 'topUp' | 'hotline',
  isFirst: boolean,
): TemplateResult {
  const waiting = block.waitingFor !== undefined;
  const own = guideWords(words);
  const label = help === 'topUp' ? own.askTopUp : own.askHotline;
  return html`<button
    type="button"
    class=${isFirst ? 'primary accent' : 'secondary'}
    part="guide-action"
    ?data-focus=${isFirst}
    aria-disabled=${waiting ? 'true' : 'false'}
    @click=${() => !waiting && act.requestHelp(help)}
  >
    ${block.waitingFor === 'help' ? own.asking : label}
  </button>`;
}

/** It does not dial by itself: the agent may have moved on. */
function clearedView({ words, draft, act, state }: FullView): TemplateResult {
  const own = guideWords(words);
  const number = callableNumber(draft);
  const first =
    number === undefined
      ? html`<button
          type="button"
          class="primary accent"
          part="guide-action"
          data-focus
          @click=${() => act.dismiss()}
        >
          ${own.backToKeypad}
        </button>`
      : html`<button
          type="button"
          class="primary call"
          part="call-button"
          data-focus
          @click=${() => act.call(draft)}
        >
          ${icon('call')}<span>${words.callNumber(number)}</span>
        </button>`;
  return html`<div class="guide" part="guide">
    <p>${canCallAgain(state, words)}</p>
    ${first}
    <div class="links">
      <button type="button" class="link" @click=${() => act.recheck()}>${own.checkAgain}</button>
      ${
        number === undefined
          ? nothing
          : html`<button type="button" class="link" @click=${() => act.dismiss()}>
              ${own.backToKeypad}
            </button>`
      }
    </div>
  </div>`;
}

/** What is still being typed, or is no number, is not offered; it waits in the field. */
function callableNumber(draft: string): string | undefined {
  const reading = readNumber(draft);
  return reading.is === 'number' ? formatNumber(reading.dialled) : undefined;
}
