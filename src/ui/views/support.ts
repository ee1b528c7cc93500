/** Who can fix what, and the lines below every guide: a code to read out, and details to copy. */
import { html, type TemplateResult } from 'lit';
import type { DialerErrorCode } from '../../errors.ts';
import type { Words } from '../../i18n/words.ts';
import type { View } from '../view.ts';

export interface Support {
  readonly fixer: keyof Words['fixer'];
  /** Short, for the agent to read out; each cause has its own. */
  readonly code: string;
}

export const SUPPORT: Readonly<Record<DialerErrorCode | keyof Words['guide'], Support>> = {
  configuration: { fixer: 'developer', code: 'PD-SETUP' },
  'broker-unauthorized': { fixer: 'agent', code: 'PD-SIGN-IN' },
  'broker-unreachable': { fixer: 'admin', code: 'PD-BROKER' },
  'broker-invalid-answer': { fixer: 'developer', code: 'PD-ANSWER' },
  'vendor-unreachable': { fixer: 'vendor', code: 'PD-VENDOR' },
  'sdk-load-failed': { fixer: 'vendor', code: 'PD-SDK' },
  'sdk-auth-failed': { fixer: 'admin', code: 'PD-TOKEN' },
  'registration-failed': { fixer: 'vendor', code: 'PD-EXCHANGE' },
  'insufficient-funds': { fixer: 'admin', code: 'PD-402' },
  'no-hotline': { fixer: 'admin', code: 'PD-HOTLINE' },
  'member-expired': { fixer: 'admin', code: 'PD-EXPIRED' },
  'microphone-denied': { fixer: 'agent', code: 'PD-MIC-DENIED' },
  'microphone-forbidden': { fixer: 'developer', code: 'PD-MIC-POLICY' },
  'microphone-missing': { fixer: 'agent', code: 'PD-MIC-MISSING' },
  'insecure-context': { fixer: 'developer', code: 'PD-HTTPS' },
  'unsupported-browser': { fixer: 'agent', code: 'PD-BROWSER' },
  'not-ready': { fixer: 'agent', code: 'PD-NOT-READY' },
  busy: { fixer: 'agent', code: 'PD-BUSY' },
  'invalid-number': { fixer: 'agent', code: 'PD-NUMBER' },
  'call-rejected': { fixer: 'agent', code: 'PD-CALL' },
  'network-lost': { fixer: 'agent', code: 'PD-NETWORK' },
  'active-elsewhere': { fixer: 'agent', code: 'PD-TWICE' },
  offline: { fixer: 'agent', code: 'PD-OFFLINE' },
  other: { fixer: 'admin', code: 'PD-BLOCKED' },
};

/** What the views need of a `DialerError`. */
export interface Failure {
  readonly code: DialerErrorCode;
  readonly directive?: string | undefined;
}

export function fixerText(words: Words, { fixer }: Support): string {
  return `${words.whoCanFix}: ${words.fixer[fixer]}`;
}

export function supportFooter(view: View, code: string): TemplateResult {
  return html`<p class="support muted"><span>${view.words.code} ${code}</span> ${copyButton(view, code)}</p>`;
}

/** @param code absent: nothing keeps the agent from calling */
export function copyButton({ words, ui, actions }: View, code?: string): TemplateResult {
  return html`<button type="button" class="link" @click=${() => actions.copyDetails(code)}>
    ${ui.copied ? words.copied : words.copyDetails}
  </button>`;
}
