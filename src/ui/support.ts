/** The line under every obstacle: its code, and everything a colleague needs to help, ready to be pasted. */
import { html, type TemplateResult } from 'lit';
import type { View } from './view.ts';

export function supportFooter(view: View, code: string): TemplateResult {
  const { words, copied, act } = view;
  return html`<p class="support muted">
    <span>${words.code} ${code}</span>
    <button type="button" class="link" @click=${() => act.copyDetails(supportDetails(view, code))}>
      ${copied ? words.copied : words.copyDetails}
    </button>
  </p>`;
}

/** Never a token: it is not in the state to begin with. */
function supportDetails({ state, now }: View, code: string): string {
  const lines = {
    code,
    status: state.status,
    line: state.line.is,
    request: state.line.is === 'failed' ? state.line.error.requestId : undefined,
    error: state.line.is === 'failed' ? state.line.error.message : undefined,
    member: state.member?.memberNo,
    extension: state.member?.extension,
    balance: state.member?.balance,
    hotlines: state.hotlines.length,
    source: state.block.is === 'blocked' ? state.block.source : undefined,
    at: new Date(now).toISOString(),
    page: `${location.origin}${location.pathname}`,
    browser: navigator.userAgent,
  };
  return Object.entries(lines)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}
