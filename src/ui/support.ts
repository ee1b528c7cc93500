/** Who can fix what, and the lines under every trouble: its code, and all a colleague needs to help, to be pasted. */
import { guideWords } from '../i18n/guide-words.ts';
import { html, type TemplateResult } from 'lit';
import type { DialerErrorCode } from '../errors.ts';
import type { GuideWords } from '../i18n/guide-en.ts';
import type { Words } from '../i18n/words.ts';
import type { FullView } from './view.ts';

interface Support {
  readonly fixer: keyof GuideWords['fixer'];
  /** What an agent reads out to whoever helps. */
  readonly code: string;
}

export const SUPPORT: Readonly<Record<DialerErrorCode | keyof GuideWords['guide'], Support>> = {
  configuration: { fixer: 'developer', code: 'PD-configuration' },
  'broker-unauthorized': { fixer: 'agent', code: 'PD-broker-unauthorized' },
  'broker-unreachable': { fixer: 'admin', code: 'PD-broker-unreachable' },
  'broker-invalid-answer': { fixer: 'developer', code: 'PD-broker-invalid-answer' },
  'vendor-unreachable': { fixer: 'vendor', code: 'PD-vendor-unreachable' },
  'sdk-load-failed': { fixer: 'vendor', code: 'PD-sdk-load-failed' },
  'sdk-auth-failed': { fixer: 'admin', code: 'PD-sdk-auth-failed' },
  'registration-failed': { fixer: 'vendor', code: 'PD-registration-failed' },
  'insufficient-funds': { fixer: 'admin', code: 'PD-402' },
  'no-hotline': { fixer: 'admin', code: 'PD-HOTLINE' },
  'member-expired': { fixer: 'admin', code: 'PD-EXPIRED' },
  'microphone-denied': { fixer: 'agent', code: 'PD-MIC-DENIED' },
  'microphone-forbidden': { fixer: 'developer', code: 'PD-MIC-POLICY' },
  'microphone-missing': { fixer: 'agent', code: 'PD-MIC-MISSING' },
  'insecure-context': { fixer: 'developer', code: 'PD-HTTPS' },
  'unsupported-browser': { fixer: 'agent', code: 'PD-unsupported-browser' },
  'not-ready': { fixer: 'agent', code: 'PD-not-ready' },
  busy: { fixer: 'agent', code: 'PD-busy' },
  'invalid-number': { fixer: 'agent', code: 'PD-invalid-number' },
  'call-rejected': { fixer: 'agent', code: 'PD-call-rejected' },
  'network-lost': { fixer: 'agent', code: 'PD-network-lost' },
  'active-elsewhere': { fixer: 'agent', code: 'PD-active-elsewhere' },
  offline: { fixer: 'agent', code: 'PD-OFFLINE' },
  other: { fixer: 'admin', code: 'PD-BLOCKED' },
};

/** What the views need of a `DialerError`. */
export interface Failure {
  readonly code: DialerErrorCode;
  readonly directive?: string | undefined;
}

export function fixerText(words: Words, { fixer }: Support): string {
  const { whoCanFix, fixer: who } = guideWords(words);
  return `${whoCanFix}: ${who[fixer]}`;
}

export function supportFooter(view: FullView, code: string): TemplateResult {
  const { copied, act } = view;
  const words = guideWords(view.words);
  return html`<p class="support muted">
    <span>${words.code} ${code}</span>
    <button type="button" class="link" @click=${() => act.copyDetails(supportDetails(view, code))}>
      ${copied ? words.copied : words.copyDetails}
    </button>
  </p>`;
}

/** Never a token: it is not in the state to begin with. */
function supportDetails({ state, now }: FullView, code: string): string {
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
