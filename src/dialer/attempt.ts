/** A call that is asked for, until the SDK has begun it or it has come to nothing; and what may keep it from being placed. */
import { DialerError, type DialerErrorCode } from '../errors.ts';
import { warnOnce } from '../page/console.ts';
import type { CallOptions } from './state/call-info.ts';
import type { DialerState } from './state/state.ts';

export interface Attempt {
  readonly abort: AbortController;
  /** What the call goes out with, once that is settled. */
  options: CallOptions;
}

/** @throws {DialerError} the blocker's code, or `not-ready` */
export function requireReady({ block, line }: DialerState): void {
  if (block.is === 'blocked') {
    throw new DialerError(blockedCode(block.reason), `The member cannot call: ${block.reason}.`);
  }
  if (line.is !== 'up') throw new DialerError('not-ready', 'The dialer is not connected.');
}

export function isBlockedByBrowser({ block }: DialerState): boolean {
  return block.is === 'blocked' && block.source === 'browser';
}

/** The code of a call that is not placed for that reason. */
export function blockedCode(reason: string): DialerErrorCode {
  return CODES.get(reason) ?? 'not-ready';
}

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

/** Gives up waiting, not the work itself. */
export async function unlessAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const aborted = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await Promise.race([work, aborted]);
  throwIfGivenUp(signal);
}

export function throwIfGivenUp(signal: AbortSignal): void {
  if (signal.aborted) throw new DialerError('call-rejected', 'The call was given up.');
}

/** What the browser lacks, found when a call was placed or answered. */
export function isBrowserCode(code: DialerErrorCode): boolean {
  return BROWSER_CODES.has(code);
}

const BROWSER_CODES: ReadonlySet<DialerErrorCode> = new Set([
  'microphone-denied',
  'microphone-missing',
  'insecure-context',
  'unsupported-browser',
]);

/** The vendor's rule; the SDK puts the id into a SIP header unfiltered, where a line break would add headers. */
function isExternalCallId(id: string): boolean {
  return /^[a-z0-9]{1,32}$/.test(id);
}

/** What the attribute has, for a call without an id of its own: a mistake there keeps nobody from calling. */
export function usableId(id: string): string | undefined {
  if (id === '') return undefined;
  if (isExternalCallId(id)) return id;
  warnOnce('external-call-id', id, 'is not at most 32 of a-z and 0-9');
  return undefined;
}

/** @throws {DialerError} `configuration` */
export function checkExternalCallId(id: string | undefined): void {
  if (id === undefined || isExternalCallId(id)) return;
  throw new DialerError('configuration', 'An external call id is at most 32 of a-z and 0-9.');
}
