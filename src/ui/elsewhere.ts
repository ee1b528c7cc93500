/** The phone is in another tab: what goes on there, and the way to bring it here. */
import { guideWords } from '../i18n/guide-words.ts';
import { html, nothing, type TemplateResult } from 'lit';
import type { TabActivity } from '../dialer/state/block.ts';
import type { Block } from '../dialer/state/state.ts';
import { formatTime } from '../i18n/times.ts';
import { noticeLine } from './late-controls.ts';
import { supportFooter } from './support.ts';
import { numberText } from './result-strip.ts';
import type { FullView } from './view.ts';

export function elsewhereView(view: FullView, block: Extract<Block, { is: 'blocked' }>): TemplateResult {
  const { words, act } = view;
  const own = guideWords(words);
  const isMoving = block.waitingFor === 'phone';
  const { elsewhere } = block;
  const isTaken = elsewhere !== undefined && elsewhere.is !== 'idle';
  return html`<div class="guide" part="guide">
    <p>${own.elsewhere.text}</p>
    ${elsewhere === undefined ? nothing : activity(view, elsewhere)}
    <button
      type="button"
      class=${isTaken ? 'secondary' : 'primary accent'}
      part="guide-action"
      data-focus
      aria-disabled=${isMoving ? 'true' : 'false'}
      @click=${() => !isMoving && act.useHere()}
    >
      ${isMoving ? own.elsewhere.moving : own.elsewhere.use}
    </button>
    ${isTaken ? html`<p class="muted">${own.elsewhere.later}</p>` : nothing}
    ${noticeLine(block.notice === undefined ? undefined : own.notice[block.notice])}
    ${supportFooter(view, 'PD-TAB')}
  </div>`;
}

/** Since when by the clock, and with whom: a name and a number are broken only where they do not fit into a line. */
function activity({ words }: FullView, { is, number, name, since }: TabActivity): TemplateResult {
  const { elsewhere: own } = guideWords(words);
  const text = is === 'in-call' && since !== undefined ? own.since(formatTime(since)) : own[is];
  const whom = [name, number === undefined ? undefined : numberText(words, number)].filter(Boolean);
  const last = whom.length - 1;
  return html`<p>${text}</p>
    ${whom.length === 0 ? nothing : html`<p class="activity">${whom.map((part, at) => html`<span>${part}${at < last ? ',' : ''}</span> `)}</p>`}`;
}
