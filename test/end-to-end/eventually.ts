import { setTimeout as sleep } from 'node:timers/promises';

/** Asks again and again until there is an answer. */
export async function eventually<T>(
  ask: () => Promise<T | undefined | false>,
  what: string,
  timeout = 20_000,
): Promise<T> {
  const deadline = Date.now() + timeout;
  while (Date.now() < deadline) {
    const answer = await ask();
    if (answer) return answer;
    await sleep(100);
  }
  throw new Error(`Never came: ${what}.`);
}
