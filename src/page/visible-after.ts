/** Waiting that leaves out the time in which nobody looks at the page. */

/** Waits so many milliseconds, and then until the page can be seen. An abort ends the waiting, too. */
export async function visibleAfter(ms: number, signal: AbortSignal): Promise<void> {
  await waitFor(signal, (done, over) => {
    const timer = setTimeout(done, ms);
    over.addEventListener('abort', () => clearTimeout(timer));
  });
  while (!signal.aborted && document.visibilityState === 'hidden') {
    await waitFor(signal, (done, over) =>
      document.addEventListener('visibilitychange', done, { signal: over }),
    );
  }
}

/** @param begin is given what ends the waiting, and a signal that leaves nothing behind once it has ended */
function waitFor(signal: AbortSignal, begin: (done: () => void, over: AbortSignal) => void): Promise<void> {
  return new Promise((resolve) => {
    const over = new AbortController();
    const done = () => {
      over.abort();
      resolve();
    };
    signal.addEventListener('abort', done, { signal: over.signal });
    begin(done, over.signal);
  });
}
