/** Spreads waits: all dialers of a company begin to wait at the same moment, and must not come back in the same second. */
const JITTER = 0.2;

/** About so many milliseconds, a fifth more or less. */
export function jittered(ms: number): number {
  return ms * (1 - JITTER + 2 * JITTER * Math.random());
}
