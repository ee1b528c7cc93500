/** The phone is in another tab: what it does there, and a button to bring it here. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Block, TabActivity } from '../../dialer/state/block.ts';
import { formatTime } from '../../i18n/format.ts';
import { isPhoneTaken } from '../announcement.ts';
import { numberText } from './call-result.ts';
import { noticeLine } from './controls.ts';
import { guideButton, reasonView, supportFooter } from './support.ts';
import type { View } from '../view.ts';

export function otherTabView(view: View, block: Extract<Block, { is: 'blocked' }>): TemplateResult {
  const { words, actions } = view;
  const { otherTab } = words;
  const isMoving = block.waitingFor === 'phone';
  const { elsewhere } = block;
  const isTaken = isPhoneTaken(block);
  return html`<div class="guide" part="guide">
    ${reasonView('tabs', otherTab.text)} ${elsewhere === undefined ? nothing : activity(view, elsewhere)}
    ${guideButton(isMoving ? otherTab.moving : otherTab.use, () => actions.useHere(), { isFirst: !isTaken, isWaiting: isMoving })}
    ${isTaken ? html`<p class="muted">${otherTab.later}</p>` : nothing}
    ${noticeLine(block.notice === undefined ? undefined : words.notice[block.notice])}
    ${supportFooter(view, 'PD-TAB')}
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
