/** The line at the top that always answers "can I call?". */
import { html, nothing, type TemplateResult } from 'lit';
import { isElsewhere } from '../dialer/state/block.ts';
import type { DialerState } from '../dialer/state/state.ts';
import type { KeypadWords } from '../i18n/keypad-en.ts';
import { icon } from './controls.ts';

export function statusBar(state: DialerState, words: KeypadWords): TemplateResult {
  const { member, status } = state;
  const who = member ? [member.name ?? member.memberNo, member.extension].filter(Boolean).join(' · ') : '';
  const warns = status === 'failed' || status === 'blocked';
  return html`<header class="status" part="status">
    ${warns ? icon('warning') : html`<span class=${`dot ${tone(state)}`}></span>`}
    <p class="word">${statusWord(state, words)}</p>
    ${who === '' || warns || status === 'connecting' ? nothing : html`<span class="who" title=${who}>${who}</span>`}
  </header>`;
}

/** The status in words. */
export function statusWord({ status, call, line, block }: DialerState, words: KeypadWords): string {
  if (status === 'in-call' && call.is === 'active' && call.held) return words.status.held;
  if (status === 'connecting' && line.is === 'lost') return words.status.reconnecting;
  if (status === 'blocked' && isElsewhere(block)) return words.status.elsewhere;
  // The next call can be placed; how the last one ended is said above the keypad.
  return words.status[status === 'ended' ? 'ready' : status];
}

/** A shape of its own for each, too: a dot, a square in a call, a ring while nobody can call yet. */
function tone({ status, call, block }: DialerState): string {
  if (status === 'ready' || status === 'ended') return 'good';
  // The browser has no network, or no microphone.
  const isSilent = block.is === 'blocked' && block.source === 'browser';
  if (call.is === 'active' && (call.held || call.microphoneLost || isSilent)) return 'good busy waits';
  return status === 'in-call' || status === 'dialing' || status === 'incoming' ? 'good busy' : '';
}
