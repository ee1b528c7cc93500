/** Which view the state asks for. */
import type { DialerState } from '../dialer/state/state.ts';

/** Changes when another view takes over, and only then. */
export function viewKey({ status, block }: DialerState): string {
  switch (status) {
    case 'dialing':
    case 'in-call':
      return 'call';
    case 'idle':
    case 'ended':
      return 'keypad';
    case 'ready':
      return block.is === 'cleared' ? 'cleared' : 'keypad';
    case 'blocked':
      return block.is === 'blocked' && block.drawnByPage ? 'keypad' : 'blocked';
    default:
      return status;
  }
}
