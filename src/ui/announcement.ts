/** What a screen reader hears when the state changes: what has happened, and in a guide why, and what to press. */
import type { WaitingCall } from '../dialer/calls/outgoing-calls.ts';
import { HELP, isBlockedBy, type Blocked, type HelpKind } from '../dialer/state/block.ts';
import type { ActiveCall } from '../dialer/state/call.ts';
import type { DialerState } from '../dialer/state/state.ts';
import { errorText, type Words } from '../i18n/words.ts';
import { canCallAgainText, statusWord } from './status.ts';
import { outcomeText, whom } from './views/call-result.ts';

export const ASK = {
  topUp: 'askTopUp',
  hotline: 'askHotline',
} as const satisfies Record<HelpKind, keyof Words>;

export function announcement(state: DialerState, words: Words, waitingCall?: WaitingCall): string {
  const { status, call, block, line } = state;
  const word = statusWord(state, words);
  if (call.is === 'incoming') return `${word}: ${whom(words, call.info)}`;
  if (waitingCall && status !== 'failed') return `${words.callsOnceConnected}: ${whom(words, waitingCall)}`;
  if (call.is === 'dialing' && call.ringingSince !== undefined) return words.ringing;
  if (call.is === 'active') return activeText(call, word, words);
  if (status === 'ready' && block.is === 'cleared') return canCallAgainText(state, words);
  if (call.is === 'ended' && status === 'ended') return outcomeText(words, call.info);
  if (status === 'blocked' && block.is === 'blocked' && !block.drawnByPage)
    return `${word}. ${guideText(block, words)}`;
  return line.is === 'failed' && status === 'failed' ? errorText(words, line.error) : word;
}

/** Without the microphone's state, an "In call" after "Muted" would leave open who hears the agent. An alert says that it is lost. */
function activeText({ muted, held, microphoneLost }: ActiveCall, word: string, words: Words): string {
  const isHeard = !held && !microphoneLost;
  return [word, muted ? words.muted : isHeard && words.unmuted].filter(Boolean).join('. ');
}

function guideText(block: Blocked, words: Words): string {
  const { otherTab, guide, checkAgain } = words;
  if (isBlockedBy(block, 'tab')) return isPhoneTaken(block) ? otherTab.later : otherTab.use;
  const text = guideKey(words, block);
  const help = HELP.get(text);
  return `${guide[text]} ${help ? words[ASK[help]] : checkAgain}`;
}

/** A call keeps the phone in the other tab. */
export function isPhoneTaken({ elsewhere }: Blocked): boolean {
  return elsewhere !== undefined && elsewhere.is !== 'idle';
}

/** A broker may write any reason, also `constructor`. */
export function guideKey({ guide }: Words, { reason }: Blocked): keyof Words['guide'] {
  return Object.hasOwn(guide, reason) ? (reason as keyof Words['guide']) : 'other';
}
