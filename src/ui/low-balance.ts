/** The warning before the money is used up, with a way out. */
import { guideWords } from '../i18n/guide-words.ts';
import { html, type TemplateResult } from 'lit';
import { icon, noticeLine } from './late-controls.ts';
import type { FullView } from './view.ts';

export function lowBalance({ words, topUp, act }: FullView, money: string): TemplateResult {
  const isAsking = topUp === 'asking';
  const own = guideWords(words);
  return html`<div class="low-balance" role="status">
      ${icon('warning')}
      <p>${own.lowBalance(money)}</p>
      <button
        type="button"
        class="link"
        aria-disabled=${isAsking ? 'true' : 'false'}
        @click=${() => act.topUpInTime()}
      >
        ${isAsking ? own.asking : own.askTopUp}
      </button>
    </div>
    ${noticeLine(topUp === undefined || topUp === 'asking' ? undefined : own.notice[topUp])}`;
}
