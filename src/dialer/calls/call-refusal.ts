/** Why a call is not placed, as the code that the page gets. */
import { DialerError, type DialerErrorCode } from '../../errors.ts';
import type { Block } from '../state/block.ts';
import type { DialerState } from '../state/state.ts';

/** What the browser lacks, found when a call is placed or answered. */
export const BROWSER_CODES: readonly DialerErrorCode[] = [
  'microphone-denied',
  'microphone-missing',
  'insecure-context',
  'unsupported-browser',
];
/** Each is a reason of a block, too. */
const BLOCK_CODES = [...BROWSER_CODES, 'insufficient-funds', 'no-hotline', 'active-elsewhere'] as const;

export function requireReady({ block, line }: DialerState): void {
  if (block.is === 'blocked')
    throw new DialerError(blockCode(block.reason), `The member cannot call: ${block.reason}.`);
  if (line.is !== 'up') throw new DialerError('not-ready', 'The dialer is not connected.');
}

/** The code of a call that is not placed for that reason; a broker may write any. */
function blockCode(reason: string): DialerErrorCode {
  if (reason === 'microphone-forbidden') return 'microphone-denied';
  if (reason === 'offline') return 'network-lost';
  return BLOCK_CODES.find((code) => code === reason) ?? 'not-ready';
}

/** Does this block refuse calls with this code? */
export function isBlockedAs(block: Block, code: DialerErrorCode): boolean {
  return block.is === 'blocked' && blockCode(block.reason) === code;
}
