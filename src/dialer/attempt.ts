/** A call that is asked for, until the SDK has begun it or it has come to nothing; and what may keep it from being placed. */
import { DialerError, type DialerErrorCode } from '../errors.ts';
import { isExternalCallId, type CallOptions } from './call.ts';
import type { DialerState } from './state.ts';

export interface Attempt {
  readonly abort: AbortController;
  /** What the call goes out with, once that is settled. */
  options: CallOptions;
}

/** @throws {DialerError} the blocker's code, or `not-ready` */
export function requireReady({ block, line }: DialerState): void {
  if (block.is === 'blocked' && block.source !== 'browser') {
    const { reason } = block;
    const code = reason === 'insufficient-funds' || reason === 'no-hotline' ? reason : 'not-ready';
    throw new DialerError(code, `The member cannot call: ${reason}.`);
  }
  if (line.is !== 'up') throw new DialerError('not-ready', 'The dialer is not connected.');
}

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

export function isMicrophoneCode(code: DialerErrorCode): boolean {
  return code === 'microphone-denied' || code === 'microphone-missing' || code === 'insecure-context';
}

/** @throws {DialerError} `configuration` */
export function checkExternalCallId(id: string | undefined): void {
  if (id === undefined || isExternalCallId(id)) return;
  throw new DialerError('configuration', 'An external call id is at most 32 of a-z and 0-9.');
}
