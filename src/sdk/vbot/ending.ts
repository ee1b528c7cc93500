/** Ends a call that is over or should be, even if the SDK does not report the end. */
import { later, nextTask } from '../../wait.ts';
import type { EndCause } from './outcome.ts';
import { isIdle, type VbotElement } from './widget.ts';

/** If the SDK does not end the call within this time, its session does. */
const HANG_UP_TIMEOUT_MS = 5000;
/** "Idle", a failure or the end of the session count as the end of the call if the SDK reports none within this time. */
const SILENT_END_MS = 1000;

interface EndingOptions {
  readonly element: VbotElement;
  /** Aborts when the call is over. */
  readonly over: AbortSignal;
  /** Ends the call through the SDK. */
  readonly hangUp: () => void;
  /** Ends the call through its session. */
  readonly terminate: () => void;
  /** The SDK did not report the end. `isForced`: it did not end the call either, and may never leave it. */
  readonly onUnreportedEnd: (isForced: boolean) => void;
}

export class Ending {
  readonly #options: EndingOptions;
  #cause: EndCause | undefined;

  constructor(options: EndingOptions) {
    this.#options = options;
  }

  /** Why this side ended the call; `undefined`: it did not. */
  get cause(): EndCause | undefined {
    return this.#cause;
  }

  hangUp(cause: EndCause): void {
    if (this.#cause) return;
    this.#cause = cause;
    const { hangUp, over, terminate, onUnreportedEnd } = this.#options;
    nextTask(() => {
      if (over.aborted) return;
      try {
        hangUp();
      } catch {
        terminate();
      }
    });
    later(HANG_UP_TIMEOUT_MS, over, () => {
      terminate();
      later(SILENT_END_MS, over, () => onUnreportedEnd(true));
    });
  }

  /** The SDK has reported something that comes only with an end. */
  awaitEnd(): void {
    const { over, onUnreportedEnd } = this.#options;
    later(SILENT_END_MS, over, () => onUnreportedEnd(false));
  }

  /** A late or repeated "idle" may be about an earlier call. */
  awaitEndIfIdle(): void {
    const { element, over, onUnreportedEnd } = this.#options;
    later(SILENT_END_MS, over, () => isIdle(element) && onUnreportedEnd(false));
  }
}
