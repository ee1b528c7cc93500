/** The phone is in another tab: what goes on there, and the way to bring it here. */
import { guideWords } from '../i18n/guide-words.ts';
import { html, nothing, type TemplateResult } from 'lit';
import type { TabActivity } from '../dialer/block-state.ts';
import { formatNumber } from '../dialer/phone-number.ts';
import type { Block } from '../dialer/state.ts';
import { formatTime } from '../i18n/times.ts';
import type { GuideWords } from '../i18n/guide-en.ts';
import { noticeLine } from './late-controls.ts';
import { supportFooter } from './support.ts';
import type { FullView } from './view.ts';

export function elsewhereView(view: FullView, block: Extract<Block, { is: 'blocked' }>): TemplateResult {
  const { words, act } = view;
  const own = guideWords(words);
  const isMoving = block.waitingFor === 'phone';
  return html`<div class="guide" part="guide">
    <p>${own.elsewhere.text}</p>
    ${block.elsewhere === undefined ? nothing : html`<p class="activity">${activityText(own, block.elsewhere)}</p>`}
    <button
      type="button"
      class="primary accent"
      part="guide-action"
      data-focus
      aria-disabled=${isMoving ? 'true' : 'false'}
      @click=${() => !isMoving && act.useHere()}
    >
      ${isMoving ? own.elsewhere.moving : own.elsewhere.use}
    </button>
    ${noticeLine(block.notice === undefined ? undefined : own.notice[block.notice])}
    ${supportFooter(view, 'PD-TAB')}
  </div>`;
}

/** With whom, and since when by the clock. */
export function activityText(
  { elsewhere: words }: GuideWords,
  { is, number, name, since }: TabActivity,
): string {
  if (is === 'idle') return words.idle;
  const whom = [name, number && formatNumber(number)].filter(Boolean).join('\u00a0· ');
  const text = words[is](whom);
  return since === undefined ? text : `${text} ${words.since(formatTime(since))}`;
}
