/** What happens to a tag before its phone is there. */
import type { EarlySession } from '../broker/early-session.ts';

/** The first signs that an agent wants the dialer. */
export const INTENTS = ['pointerenter', 'focusin', 'click'] as const;

export interface Beginning {
  /** Somebody has shown interest in it. */
  readonly isWanted: boolean;
  /** A connection was asked for, and failed because the phone's code did not come. */
  readonly isOwed: boolean;
  /** It was told to disconnect. */
  readonly isDisconnected: boolean;
  /** The card of its bubble was opened. */
  readonly isOpen: boolean;
  /** The number that was typed. */
  readonly draft: string;
  /** Its session has been asked for. */
  readonly early: EarlySession | undefined;
}
