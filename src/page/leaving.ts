/** The end of a page, by closing, reloading or leaving it, and its return from the back/forward cache. */

export interface LeavingListener {
  /** The page is going away, perhaps for good: what is not sent in this task is not sent. */
  readonly leave: () => void;
  /** A page that was left is shown again as it was. */
  readonly comeBack: () => void;
  /** Would leaving cost somebody a call? */
  readonly isInCall: () => boolean;
}

/**
 * Both tell at most once each, in turn. A frozen page in the background runs no code and could not ring, so it counts as
 * left, too, unless there is a call.
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

/** Has the browser ask whether the page is really to be left. */
export class LeaveConfirmation {
  #asking: AbortController | undefined;

  /** Nothing listens while it is off: a listener of this kind keeps a page out of the back/forward cache. */
  set(on: boolean): void {
    if (on === (this.#asking !== undefined)) return;
    this.#asking?.abort();
    this.#asking = on ? new AbortController() : undefined;
    if (!this.#asking) return;
    addEventListener('beforeunload', ask, { signal: this.#asking.signal });
  }
}

function ask(event: BeforeUnloadEvent): void {
  event.preventDefault();
  // Chrome before 119 asks for this alone.
  event.returnValue = true;
}
