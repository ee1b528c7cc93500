/** The state of the connection to the exchange, and what changes it. */
import type { DialerError } from '../../errors.ts';
import type { SdkEvent } from '../../sdk/calling-sdk.ts';

/**
 *     off ──connect──▶ connecting ──registered──▶ up ◀──registered── lost, failed
 *                        ▲    │                   │                   ▲
 *                connect │  failed                └────── lost ───────┘
 *                        │    ▼
 *            from any    └─ failed ◀────── failed (from up and lost, too)
 *
 * An automatic retry does not change `failed` until it has succeeded or failed.
 */
export type Line =
  | { readonly is: 'off' }
  /** The dialer signs in, or it waits because the member may not call or another tab has the phone. */
  | { readonly is: 'connecting' }
  | { readonly is: 'up' }
  /** The socket is gone; the SDK reconnects by itself. */
  | { readonly is: 'lost' }
  | {
      readonly is: 'failed';
      readonly error: DialerError;
      /** Time of the next automatic attempt, epoch milliseconds; absent: there is none. */
      readonly retryAt: number | undefined;
    };

export type LineEvent =
  | { readonly type: 'connect'; readonly isQuiet?: boolean }
  | Extract<SdkEvent, { type: 'registered' | 'lost' }>
  | { readonly type: 'failed'; readonly error: DialerError; readonly retryAt: number | undefined };

export function moveLine(line: Line, event: LineEvent): Line {
  switch (event.type) {
    case 'connect':
      if (line.is === 'connecting' || (line.is === 'failed' && event.isQuiet)) return line;
      return { is: 'connecting' };
    case 'registered':
      return line.is === 'up' || line.is === 'off' ? line : { is: 'up' };
    case 'lost':
      return line.is === 'up' ? { is: 'lost' } : line;
    case 'failed':
      return line.is === 'off' ? line : { is: 'failed', error: event.error, retryAt: event.retryAt };
  }
}
