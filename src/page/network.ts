/** The machine loses its network, gets it back, or wakes from sleep. */
import { every } from '../wait.ts';

const HEARTBEAT_MS = 5000;
/** A background tab's timers run at least about once a minute, so a longer gap means that the machine slept. */
const SLEEP_MS = 90_000;

/** Calls back when the machine loses its network, and when it has one again. */
export function watchOffline(signal: AbortSignal, changed: (isOffline: boolean) => void): void {
  addEventListener('offline', () => changed(true), { signal });
  addEventListener('online', () => changed(false), { signal });
}

/** Calls back when existing connections may be dead: the network is back, or the machine has slept. */
export function watchNetwork(signal: AbortSignal, back: () => void): void {
  addEventListener('online', back, { signal });
  let last = Date.now();
  every(HEARTBEAT_MS, signal, () => {
    const gap = Date.now() - last;
    last = Date.now();
    if (gap > SLEEP_MS) back();
  });
}
