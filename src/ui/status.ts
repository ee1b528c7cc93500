/** The state as a word, and as the key of a view. */
import { isBlockedBy } from '../dialer/state/block.ts';
import { isLive } from '../dialer/state/call.ts';
import type { DialerState } from '../dialer/state/state.ts';
import { formatMoney } from '../i18n/format.ts';
import type { Words } from '../i18n/words.ts';

export type ViewKey = 'keypad' | 'incoming' | 'call' | 'blocked' | 'cleared' | 'failed';

/** Which view the state asks for. The keypad stays while the dialer connects: what is typed meanwhile is kept. */
export function viewKey({ status, block }: DialerState): ViewKey {
  switch (status) {
    case 'dialing':
    case 'in-call':
      return 'call';
    case 'idle':
    case 'connecting':
    case 'ended':
      return 'keypad';
    case 'ready':
      return block.is === 'cleared' ? 'cleared' : 'keypad';
    case 'blocked':
      // The page draws the guide; the number stays in sight here.
      return block.is === 'blocked' && block.drawnByPage ? 'keypad' : 'blocked';
    case 'failed':
    case 'incoming':
      return status;
  }
}

/** What tells the present call from the next one: two callers may both withhold their number. */
export function liveCallKey({ call }: DialerState): string | undefined {
  if (call.is === 'placing') return call.number;
  if (!isLive(call)) return undefined;
  return call.info.direction === 'incoming' ? call.info.id : call.info.number;
}

export function statusWord({ status, call, line, block }: DialerState, words: Words): string {
  if (status === 'in-call' && call.is === 'active' && call.held) return words.status.held;
  if (status === 'connecting' && line.is === 'lost') return words.status.reconnecting;
  if (status === 'blocked' && isBlockedBy(block, 'tab')) return words.status.elsewhere;
  // The next call can be placed; a strip above the keypad says how the last one ended.
  return words.status[status === 'ended' ? 'ready' : status];
}

export function canCallAgainText({ member }: DialerState, words: Words): string {
  return words.canCallAgain(
    member?.balance === undefined ? undefined : formatMoney(member.balance, words.language),
  );
}
