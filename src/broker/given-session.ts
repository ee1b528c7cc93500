/** A sign-in that the page has begun before this script ran. */
import { warnOnce } from '../page/console.ts';
import { orAbort, stopwatch } from '../wait.ts';
import { parseSession, type Session } from './answers.ts';

/** The broker's answer, its `Response`, or a promise of either. */
export type SessionSource = object;

export interface GivenSession {
  readonly source: unknown;
  /** Milliseconds since the page has given it. */
  readonly age: () => number;
}

const TIMEOUT_MS = 10_000;
/** How long a token can be used for a start when the broker does not say when it ends. */
export const UNKNOWN_LIFE_MS = 10 * 60_000;

/** A component that is made again gives the same answer, perhaps that of a member who has left. */
const known = new WeakSet<object>();

/** @returns `undefined`: nothing was given, or the same as before */
export function receiveSession(source: unknown): GivenSession | undefined {
  if (source === null || source === undefined) return undefined;
  if (typeof source !== 'object') return void warnOnce('session', 'is no object');
  if (known.has(source)) return undefined;
  known.add(source);
  // A failure is told when the answer is needed.
  Promise.resolve(source).catch(() => undefined);
  return { source, age: stopwatch() };
}

/** @returns `undefined`: it has failed, is wrong, too late or too old */
export async function readGivenSession(
  { source, age }: GivenSession,
  brokerUrl: string,
  signal: AbortSignal,
): Promise<Session | undefined> {
  const end = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  try {
    const answer: unknown = await orAbort(Promise.resolve(source), end);
    const response = answer instanceof Response ? answer : new Response(JSON.stringify(answer));
    const { status, headers } = response;
    const session = parseSession({ status, headers, body: await orAbort(response.text(), end) }, brokerUrl);
    return (session.expiresIn ?? UNKNOWN_LIFE_MS) > age() ? session : undefined;
  } catch {
    return undefined;
  }
}
