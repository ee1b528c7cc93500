/** What happens to the machine under the page: it comes back to the network, or wakes from sleep. */

const HEARTBEAT_MS = 5000;
/** Background tabs are woken about once a minute; a longer gap is sleep. */
const SLEEP_MS = 90_000;

/** Tells whenever the machine loses its network, and when it has one again. */
export function watchOffline(signal: AbortSignal, changed: (isOffline: boolean) => void): void {
  addEventListener('offline', () => changed(true), { signal });
  addEventListener('online', () => changed(false), { signal });
}

/** Tells when connections made before may be dead without anybody having noticed. */
export function watchNetwork(signal: AbortSignal, back: () => void): void {
  addEventListener('online', back, { signal });
  let last = Date.now();
  const heart = setInterval(() => {
    const gap = Date.now() - last;
    last = Date.now();
    if (gap > SLEEP_MS) back();
  }, HEARTBEAT_MS);
  signal.addEventListener('abort', () => clearInterval(heart), { once: true });
}
