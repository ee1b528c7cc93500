/** Waiting for what has no event. */
import assert from 'node:assert/strict';

const POLL_MS = 20;
const TIMEOUT_MS = 10_000;

/** Looks again and again. Rejects after 10 s. */
export async function eventually(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const until = performance.now() + TIMEOUT_MS;
  while (!(await holds())) {
    if (performance.now() > until) assert.fail(`Never came true: ${what}`);
    await pause(POLL_MS);
  }
}

/** For what has to be watched over a time; whatever can be waited for should be. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
