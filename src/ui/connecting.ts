/** While the line comes up, and when it does not. */
import { html, type TemplateResult } from 'lit';
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
  const code = state.line.is === 'failed' ? state.line.error.code : 'not-ready';
  return html`<div class="guide" part="guide">
    <p>${words.error[code]}</p>
    <p class="muted">${words.whoCanFix}: ${words.fixer[fixerOf(code)]}</p>
    <button type="button" class="primary accent" part="guide-action" data-focus @click=${() => act.retry()}>
      ${words.retry}
    </button>
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
      return 'vendor';
    default:
      return 'agent';
  }
}
