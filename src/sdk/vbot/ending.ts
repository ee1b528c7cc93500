/** Sees to it that a call which is over, or should be, ends: with the SDK's word, else without it. */
import type { VbotCall } from './call.ts';
import { nextTask } from '../../wait.ts';
import { later } from '../../wait.ts';
import type { VbotElement } from './widget.ts';
import { isIdle } from './widget-state.ts';

/** A call that the SDK does not end within this time is ended through its session. */
const HANG_UP_TIMEOUT_MS = 5000;
/** The state "idle", a failure or the end of the session come together with the end of a call; alone, they are the end. */
const SILENT_END_MS = 1000;

interface EndListener {
  /** @param isForced the SDK did not end it, and may be in it for ever */
  readonly ended: (isForced: boolean) => void;
}

export class Ending {
  readonly #element: VbotElement;
  readonly #call: VbotCall;
  readonly #ended: EndListener['ended'];

  constructor(element: VbotElement, call: VbotCall, { ended }: EndListener) {
    this.#element = element;
    this.#call = call;
    this.#ended = ended;
  }

  hangUp(): void {
    const call = this.#call;
    if (call.isHungUp) return;
    call.isHungUp = true;
    nextTask(() => {
      if (call.over.aborted) return;
      try {
        this.#element.hangupCall();
      } catch {
        call.terminate();
      }
    });
    later(HANG_UP_TIMEOUT_MS, call.over, () => {
      call.terminate();
      later(SILENT_END_MS, call.over, () => this.#ended(true));
    });
  }

  /** The SDK has said something that comes with an end only. */
  expect(): void {
    later(SILENT_END_MS, this.#call.over, () => this.#ended(false));
  }

  /** Late or doubled, "idle" may be about an earlier call. */
  expectIfIdle(): void {
    later(SILENT_END_MS, this.#call.over, () => isIdle(this.#element) && this.#ended(false));
  }
}
