/** What a screen reader is told when the status changes, where that is more than the word for it. */
import type { DialerState } from '../dialer/state/state.ts';
import { formatMoney } from '../i18n/money.ts';
import { errorText, outcomeText, type Words } from '../i18n/words.ts';
import { statusWord } from './status-bar.ts';
import type { FullView } from './view.ts';

export function announcement({ state, words }: FullView): string | undefined {
  const { status, call, block, line } = state;
  if (call.is === 'incoming') return `${statusWord(state, words)}: ${call.info.name ?? call.info.number}`;
  if (call.is === 'dialing' && call.ringingSince !== undefined) return words.ringing;
  if (status === 'ready' && block.is === 'cleared') return canCallAgain(state, words);
  if (call.is === 'ended' && status === 'ended') return outcomeText(words, call.info);
  return line.is === 'failed' && status === 'failed' ? errorText(words, line.error) : undefined;
}

export function canCallAgain({ member }: DialerState, words: Words): string {
  return words.canCallAgain(member?.balance === undefined ? undefined : formatMoney(member.balance));
}
