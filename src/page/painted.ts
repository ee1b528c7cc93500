/** What a press sets going can wait until the press has shown. */

/** A window that is covered, or a frame out of sight, may paint nothing at all. */
const LONGEST_WAIT_MS = 100;

/** Resolves once what has changed by now is painted; at once where the page is hidden. */
export function painted(): Promise<void> {
  if (document.visibilityState === 'hidden') return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      cancelAnimationFrame(frame);
      resolve();
    };
    const timer = setTimeout(done, LONGEST_WAIT_MS);
    // A frame is painted between its callbacks and the next task.
    const frame = requestAnimationFrame(() => setTimeout(done));
  });
}
