/** Whether somebody sees the page. */
import { pause } from '../wait.ts';

/** A window that is covered, or a frame out of sight, may paint nothing at all. */
const PAINT_TIMEOUT_MS = 100;

/** Tells when somebody comes back to the page, perhaps from the settings of the browser. */
export function watchReturn(signal: AbortSignal, back: () => void): void {
  addEventListener('focus', back, { signal });
  const listener = () => document.visibilityState === 'visible' && back();
  document.addEventListener('visibilitychange', listener, { signal });
}

/** Waits so many milliseconds, and then until the page is visible. An abort ends the waiting, too. */
export async function visibleAfter(milliseconds: number, signal: AbortSignal): Promise<void> {
  await pause(milliseconds, signal);
  while (!signal.aborted && document.visibilityState === 'hidden') await visibilityChanged(signal);
}

/** Resolves once what has changed by now is painted; at once where the page is hidden. */
export async function painted(): Promise<void> {
  if (document.visibilityState === 'hidden') return;
  const over = new AbortController();
  // A frame is painted between its callbacks and the next task.
  const frame = requestAnimationFrame(() => setTimeout(() => over.abort()));
  await pause(PAINT_TIMEOUT_MS, over.signal);
  cancelAnimationFrame(frame);
}

function visibilityChanged(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = new AbortController();
    const end = () => {
      over.abort();
      resolve();
    };
    signal.addEventListener('abort', end, { signal: over.signal });
    document.addEventListener('visibilitychange', end, { signal: over.signal });
  });
}
