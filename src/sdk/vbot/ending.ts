/** Makes sure that a call which is over, or should be, ends, also where the SDK does not say so. */
import { later, nextTask } from '../../wait.ts';
import type { EndCause } from './outcome.ts';
import { isIdle, type VbotElement } from './widget.ts';

/** A call that the SDK does not end within this time is ended through its session. */
const HANG_UP_TIMEOUT_MS = 5000;
/** "Idle", a failure or the end of the session come together with the end of a call; without it, they are the end. */
const SILENT_END_MS = 1000;

interface EndingOptions {
  readonly element: VbotElement;
  /** Aborts when the call is over. */
  readonly over: AbortSignal;
  /** Ends the call through its session. */
  readonly terminate: () => void;
  /** The SDK did not say that the call ended. Forced: it did not end the call either, and may be in it for ever. */
  readonly onUntoldEnd: (isForced: boolean) => void;
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
    const { element, over, terminate, onUntoldEnd } = this.#options;
    nextTask(() => {
      if (over.aborted) return;
      try {
        element.hangupCall();
      } catch {
        terminate();
      }
    });
    later(HANG_UP_TIMEOUT_MS, over, () => {
      terminate();
      later(SILENT_END_MS, over, () => onUntoldEnd(true));
    });
  }

  /** The SDK has said something that comes only with an end. */
  expect(): void {
    const { over, onUntoldEnd } = this.#options;
    later(SILENT_END_MS, over, () => onUntoldEnd(false));
  }

  /** A late or doubled "idle" may be about an earlier call. */
  expectIfIdle(): void {
    const { element, over, onUntoldEnd } = this.#options;
    later(SILENT_END_MS, over, () => isIdle(element) && onUntoldEnd(false));
  }
}
