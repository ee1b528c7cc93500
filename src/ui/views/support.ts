/** Who can fix what, and the lines below every guide: a code to read out, and details to copy. */
import { html, nothing, type TemplateResult } from 'lit';
import type { DialerErrorCode } from '../../errors.ts';
import type { Words } from '../../i18n/words.ts';
import { button, icon, type ButtonOptions, type IconName } from './controls.ts';
import type { View } from '../view.ts';

export interface Support {
  readonly fixer: keyof Words['fixer'];
  /** Short, for the agent to read out; each cause has its own. */
  readonly code: string;
  readonly icon: IconName;
}

export const SUPPORT: Readonly<Record<DialerErrorCode | keyof Words['guide'], Support>> = {
  configuration: { fixer: 'developer', code: 'PD-SETUP', icon: 'code' },
  'broker-unauthorized': { fixer: 'agent', code: 'PD-SIGN-IN', icon: 'lock' },
  'broker-unreachable': { fixer: 'admin', code: 'PD-BROKER', icon: 'cloud' },
  'broker-invalid-answer': { fixer: 'developer', code: 'PD-ANSWER', icon: 'code' },
  'vendor-unreachable': { fixer: 'vendor', code: 'PD-VENDOR', icon: 'cloud' },
  'sdk-load-failed': { fixer: 'vendor', code: 'PD-SDK', icon: 'cloud' },
  'sdk-auth-failed': { fixer: 'admin', code: 'PD-TOKEN', icon: 'lock' },
  'registration-failed': { fixer: 'vendor', code: 'PD-EXCHANGE', icon: 'cloud' },
  'insufficient-funds': { fixer: 'admin', code: 'PD-402', icon: 'wallet' },
  'no-hotline': { fixer: 'admin', code: 'PD-HOTLINE', icon: 'call' },
  'member-expired': { fixer: 'admin', code: 'PD-EXPIRED', icon: 'clock' },
  'microphone-denied': { fixer: 'agent', code: 'PD-MIC-DENIED', icon: 'micOff' },
  'microphone-forbidden': { fixer: 'developer', code: 'PD-MIC-POLICY', icon: 'micOff' },
  'microphone-missing': { fixer: 'agent', code: 'PD-MIC-MISSING', icon: 'micOff' },
  'insecure-context': { fixer: 'developer', code: 'PD-HTTPS', icon: 'lock' },
  'unsupported-browser': { fixer: 'agent', code: 'PD-BROWSER', icon: 'browser' },
  'not-ready': { fixer: 'agent', code: 'PD-NOT-READY', icon: 'clock' },
  busy: { fixer: 'agent', code: 'PD-BUSY', icon: 'call' },
  'invalid-number': { fixer: 'agent', code: 'PD-NUMBER', icon: 'keypad' },
  'call-rejected': { fixer: 'agent', code: 'PD-CALL', icon: 'call' },
  'network-lost': { fixer: 'agent', code: 'PD-NETWORK', icon: 'offline' },
  'active-elsewhere': { fixer: 'agent', code: 'PD-TWICE', icon: 'tabs' },
  offline: { fixer: 'agent', code: 'PD-OFFLINE', icon: 'offline' },
  other: { fixer: 'admin', code: 'PD-BLOCKED', icon: 'person' },
};

export function fixerText(words: Words, { fixer }: Support): string {
  return `${words.whoCanFix}: ${words.fixer[fixer]}`;
}

/** Why the agent cannot call: an icon, the sentence in large letters, and below it who does what. */
export function reasonView(name: IconName, text: string, tone = ''): TemplateResult {
  const [first = '', rest] = text.split(/(?<=[.!?]) (.+)/s);
  return html`<div class=${`sign ${tone}`}>${icon(name)}</div>
    <p class="matter">${first}</p>
    ${rest ? html`<p>${rest}</p>` : nothing}`;
}

export function guideButton(
  label: string,
  press: () => void,
  {
    isPrimary = false,
    ...options
  }: Pick<ButtonOptions, 'isFirst' | 'isWaiting' | 'about'> & { readonly isPrimary?: boolean } = {},
): TemplateResult {
  const look = isPrimary ? 'primary accent' : 'secondary';
  return button(label, press, { look, part: 'guide-action', isFirst: true, ...options });
}

export function supportFooter(view: View, code: string): TemplateResult {
  return html`<p class="support muted"><span>${view.words.code} ${code}</span> ${copyButton(view, code)}</p>`;
}

/** @param code absent: nothing keeps the agent from calling */
export function copyButton({ words, ui, actions }: View, code?: string): TemplateResult {
  const { detailsCopied } = ui;
  const result = detailsCopied === undefined ? undefined : detailsCopied ? words.copied : words.notCopied;
  const copy = button(result ?? words.copyDetails, () => actions.copyDetails(code), { look: 'link' });
  // The new name of a button is not read out.
  return html`${copy}<span class="visually-hidden" role="status">${result ?? nothing}</span>`;
}
