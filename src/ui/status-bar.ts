/** The line at the top that always answers "can I call?". */
import { html, nothing, type TemplateResult } from 'lit';
import { isElsewhere } from '../dialer/block-state.ts';
import type { DialerState } from '../dialer/state.ts';
import { errorText, formatMoney, outcomeText, type Words } from '../i18n/words.ts';
import { icon } from './controls.ts';

export function statusBar(state: DialerState, words: Words): TemplateResult {
  const { member, status } = state;
  // In a call the status is longer, and the name has to find room beside it on the narrowest card.
  const extension = status === 'in-call' ? undefined : member?.extension;
  const who = member ? [member.name ?? member.memberNo, extension].filter(Boolean).join(' · ') : '';
  const warns = status === 'failed' || status === 'blocked';
  return html`<header class="status" part="status">
    ${warns ? icon('warning') : html`<span class=${`dot ${tone(state)}`}></span>`}
    <p class="word">${statusWord(state, words)}</p>
    ${who === '' || warns || status === 'connecting' ? nothing : html`<span class="who" title=${who}>${who}</span>`}
  </header>`;
}

/** What a screen reader is told when the status changes. */
export function announcement(state: DialerState, words: Words): string {
  const word = statusWord(state, words);
  if (state.call.is === 'incoming') return `${word}: ${state.call.info.name ?? state.call.info.number}`;
  if (state.call.is === 'dialing' && state.call.ringingSince !== undefined) return words.ringing;
  if (state.status === 'ready' && state.block.is === 'cleared') return canCallAgain(state, words);
  if (state.call.is === 'ended' && state.status === 'ended') return outcomeText(words, state.call.info);
  if (state.line.is === 'failed' && state.status === 'failed') return errorText(words, state.line.error);
  return word;
}

/** The status in words. */
export function statusWord({ status, call, line, block }: DialerState, words: Words): string {
  if (status === 'in-call' && call.is === 'active' && call.held) return words.status.held;
  if (status === 'connecting' && line.is === 'lost') return words.status.reconnecting;
  if (status === 'blocked' && isElsewhere(block)) return words.status.elsewhere;
  // The next call can be placed; how the last one ended is said above the keypad.
  return words.status[status === 'ended' ? 'ready' : status];
}

/** A shape of its own for each, too: a dot, a square in a call, a ring while nobody can call yet. */
function tone({ status }: DialerState): 'good' | 'good busy' | '' {
  if (status === 'ready' || status === 'ended') return 'good';
  return status === 'in-call' || status === 'dialing' || status === 'incoming' ? 'good busy' : '';
}

export function canCallAgain({ member }: DialerState, words: Words): string {
  return words.canCallAgain(member?.balance === undefined ? undefined : formatMoney(member.balance));
}
