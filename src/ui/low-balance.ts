/** The warning before the money is used up, with a way out; in its place, in the end, what came of that. */
import type { GuideNotice } from '../dialer/state/block.ts';
import { guideWords } from '../i18n/guide-words.ts';
import { html, nothing, type TemplateResult } from 'lit';
import { icon } from './late-controls.ts';
import type { FullView } from './view.ts';

export function lowBalance(view: FullView, money: string): TemplateResult {
  // Where the page draws the guide, that has the way out.
  const isGuided = view.state.status === 'blocked';
  return html`<div class="low-balance" role="status">
    ${icon('warning')}
    <p>${guideWords(view.words).lowBalance(money)}</p>
    ${isGuided ? nothing : wayOut(view)}
  </div>`;
}

const ASKED: ReadonlySet<string | undefined> = new Set<GuideNotice>([
  'help-requested',
  'ask-admin',
  'top-up-off',
  'top-up-limit',
  'top-up-refused',
  'top-up-admin-short',
]);

/** After these there is nothing to ask for again: what is left is to look whether somebody has helped. */
export function isAsked(notice: string | undefined): boolean {
  return ASKED.has(notice);
}

/** Each of them one line, so that no key of the keypad moves. */
function wayOut({ words, topUp, act }: FullView): TemplateResult {
  const own = guideWords(words);
  const texts: Readonly<Record<string, string>> = { ...own.inTime, asking: own.asking };
  const text = topUp === undefined ? own.askTopUp : texts[topUp];
  if (isAsked(topUp)) return html`<p class="answer">${text}</p>`;
  return html`<button
    type="button"
    class="link"
    aria-disabled=${topUp === 'asking' ? 'true' : 'false'}
    @click=${() => act.topUpInTime()}
  >
    ${text}
  </button>`;
}
