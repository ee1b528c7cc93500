/** What is shown while the dialer could not connect. */
import { html, nothing, type TemplateResult } from 'lit';
import { guideWords } from '../i18n/guide-words.ts';
import { errorText } from '../i18n/words.ts';
import { fixerText, SUPPORT, supportFooter, type Failure, type Support } from './support.ts';
import type { FullView } from './view.ts';

const NOT_READY: Failure = { code: 'not-ready' };
/** By the page's own content security policy. */
const FORBIDDEN: Support = { fixer: 'developer', code: 'PD-CSP' };

export function failedView(view: FullView): TemplateResult {
  const { state, words, act } = view;
  const { line } = state;
  const error = line.is === 'failed' ? line.error : NOT_READY;
  const support = error.directive === undefined ? SUPPORT[error.code] : FORBIDDEN;
  const retryAt = line.is === 'failed' ? line.retryAt : undefined;
  const retryIn = retryAt === undefined ? undefined : Math.max(1, Math.ceil((retryAt - view.now) / 1000));
  return html`<div class="guide" part="guide">
    <p>${errorText(words, error)}</p>
    <p class="muted">${fixerText(words, support)}</p>
    <button type="button" class="primary accent" part="guide-action" data-focus @click=${() => act.retry()}>
      ${words.retry}
    </button>
    ${retryIn === undefined ? nothing : html`<p class="muted">${guideWords(words).retryIn(retryIn)}</p>`}
    ${supportFooter(view, support.code)}
  </div>`;
}
