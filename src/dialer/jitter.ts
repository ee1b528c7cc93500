/** Whoever begins to wait at the same time must not come back in the same second: all dialers of a company, say. */
const JITTER = 0.2;

/** About so many milliseconds, a fifth more or less. */
export function jittered(ms: number): number {
  return ms * (1 - JITTER + 2 * JITTER * Math.random());
}
