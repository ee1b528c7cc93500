/** Why a call is not placed, as the code that the page gets. */
import { DialerError, type DialerErrorCode } from '../../errors.ts';
import type { Block, DialerState } from '../state/state.ts';

/** A map, because the reason may be whatever a broker writes. */
const CODES: ReadonlyMap<string, DialerErrorCode> = new Map([
  ['insufficient-funds', 'insufficient-funds'],
  ['no-hotline', 'no-hotline'],
  ['microphone-denied', 'microphone-denied'],
  ['microphone-forbidden', 'microphone-denied'],
  ['microphone-missing', 'microphone-missing'],
  ['insecure-context', 'insecure-context'],
  ['unsupported-browser', 'unsupported-browser'],
  ['offline', 'network-lost'],
  ['active-elsewhere', 'active-elsewhere'],
]);

/** What the browser lacks, found when a call is placed or answered. */
const BROWSER_CODES: ReadonlySet<DialerErrorCode> = new Set([
  'microphone-denied',
  'microphone-missing',
  'insecure-context',
  'unsupported-browser',
]);

/** @throws {DialerError} the code of the block, or `not-ready` */
export function requireReady({ block, line }: DialerState): void {
  if (block.is === 'blocked') {
    throw new DialerError(blockCode(block.reason), `The member cannot call: ${block.reason}.`);
  }
  if (line.is !== 'up') throw new DialerError('not-ready', 'The dialer is not connected.');
}

/** The code of a call that is not placed for that reason. */
function blockCode(reason: string): DialerErrorCode {
  return CODES.get(reason) ?? 'not-ready';
}

/** Does this block refuse calls with this code? */
export function isBlockedAs(block: Block, code: DialerErrorCode): boolean {
  return block.is === 'blocked' && blockCode(block.reason) === code;
}

export function isBlockedByBrowser(block: Block): boolean {
  return block.is === 'blocked' && block.source === 'browser';
}

export function isBrowserError({ code }: DialerError): boolean {
  return BROWSER_CODES.has(code);
}
