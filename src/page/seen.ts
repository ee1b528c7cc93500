/** Waiting with somebody watching: what an agent is to see need not happen in a page that nobody looks at. */

/** Waits so many milliseconds, and then until the page can be seen. An abort ends the waiting, too. */
export async function seenAfter(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
  while (!signal.aborted && document.visibilityState === 'hidden') await change(signal);
}

function change(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const heard = new AbortController();
    const done = () => {
      heard.abort();
      resolve();
    };
    document.addEventListener('visibilitychange', done, { signal: heard.signal });
    signal.addEventListener('abort', done, { signal: heard.signal });
  });
}
