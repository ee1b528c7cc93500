/** The page is closed, reloaded or left, or comes back from the back/forward cache. */

interface LeavingListener {
  /** The page goes away, perhaps for good: send everything in this task. */
  readonly leave: () => void;
  /** The page that was left is shown again. */
  readonly comeBack: () => void;
  /** Is an outgoing call being placed or ringing, or is there a conversation? */
  readonly isInCall: () => boolean;
}

/**
 * Calls `leave` and `comeBack` in turn. A frozen page in the background runs no code and cannot ring, so it counts as left,
 * unless there is a call.
 */
export function watchLeaving({ leave, comeBack, isInCall }: LeavingListener, signal: AbortSignal): void {
  let isLeft = false;
  const onLeave = () => {
    if (isLeft) return;
    isLeft = true;
    leave();
  };
  const onReturn = () => {
    if (!isLeft) return;
    isLeft = false;
    comeBack();
  };
  addEventListener('pagehide', onLeave, { signal });
  addEventListener('pageshow', onReturn, { signal });
  document.addEventListener('freeze', () => isInCall() || onLeave(), { signal });
  document.addEventListener('resume', onReturn, { signal });
}

/** Lets the browser ask the agent before the page is left. */
export class LeaveConfirmation {
  readonly #ask = (event: BeforeUnloadEvent) => event.preventDefault();

  /** While off, there is no listener: a `beforeunload` listener keeps the page out of the back/forward cache. */
  set(on: boolean): void {
    if (on) addEventListener('beforeunload', this.#ask);
    else removeEventListener('beforeunload', this.#ask);
  }
}
