/** Limits to waits; a signal leaves no timer behind. */

/** Runs once after so many milliseconds, unless the signal comes first. */
export function later(milliseconds: number, signal: AbortSignal, work: () => void): void {
  if (signal.aborted) return;
  const stop = () => clearTimeout(timer);
  const timer = setTimeout(() => {
    signal.removeEventListener('abort', stop);
    work();
  }, milliseconds);
  signal.addEventListener('abort', stop, { once: true });
}

export async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => {
    signal.addEventListener('abort', resolve, { once: true });
  });
}
