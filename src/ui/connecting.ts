/** While the line comes up, and when it does not. */
import { html, nothing, type TemplateResult } from 'lit';
import type { DialerErrorCode } from '../errors.ts';
import { supportFooter } from './support.ts';
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
  const retryAt = line.is === 'failed' ? line.retryAt : undefined;
  const retryIn = retryAt === undefined ? undefined : Math.max(1, Math.ceil((retryAt - view.now) / 1000));
  return html`<div class="guide" part="guide">
    <p>${words.error[code]}</p>
    <p class="muted">${words.whoCanFix}: ${words.fixer[fixerOf(code)]}</p>
    <button type="button" class="primary accent" part="guide-action" data-focus @click=${() => act.retry()}>
      ${words.retry}
    </button>
    ${retryIn === undefined ? nothing : html`<p class="muted">${words.retryIn(retryIn)}</p>`}
    ${supportFooter(view, `PD-${code}`)}
  </div>`;
}

function fixerOf(code: DialerErrorCode): 'agent' | 'admin' | 'vendor' | 'developer' {
  switch (code) {
    case 'configuration':
    case 'broker-invalid-answer':
    case 'insecure-context':
      return 'developer';
    case 'broker-unreachable':
    case 'sdk-auth-failed':
      return 'admin';
    case 'sdk-load-failed':
    case 'registration-failed':
    case 'vendor-unreachable':
      return 'vendor';
    default:
      return 'agent';
  }
}
