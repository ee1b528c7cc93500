/** While the dialer connects, and when it could not. */
import { html, nothing, type TemplateResult } from 'lit';
import { fixerText, SUPPORT, supportFooter } from './support.ts';
import type { View } from './view.ts';

export function connectingView({ words, state }: View): TemplateResult {
  const text = state.line.is === 'lost' ? words.status.reconnecting : words.status.connecting;
  return html`<div class="center">
    <div class="spinner"></div>
    <p>${text}</p>
  </div>`;
}

export function failedView(view: View): TemplateResult {
  const { state, words, act } = view;
  const { line } = state;
  const code = line.is === 'failed' ? line.error.code : 'not-ready';
  const directive = line.is === 'failed' ? line.error.directive : undefined;
  const retryAt = line.is === 'failed' ? line.retryAt : undefined;
  const retryIn = retryAt === undefined ? undefined : Math.max(1, Math.ceil((retryAt - view.now) / 1000));
  return html`<div class="guide" part="guide">
    <p>${directive === undefined ? words.error[code] : words.blockedByPolicy(directive)}</p>
    <p class="muted">${fixerText(words, SUPPORT[code])}</p>
    <button type="button" class="primary accent" part="guide-action" data-focus @click=${() => act.retry()}>
      ${words.retry}
    </button>
    ${retryIn === undefined ? nothing : html`<p class="muted">${words.retryIn(retryIn)}</p>`}
    ${supportFooter(view, SUPPORT[code].code)}
  </div>`;
}
