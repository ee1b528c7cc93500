/** What the dialer was ready for, and what kept the member from calling: the latest changes, for support. */
import type { DialerState } from '../state/state.ts';

const MOST_ENTRIES = 20;

/** `at`: epoch milliseconds. */
export interface ReadinessEntry extends Pick<DialerState, 'line' | 'block'> {
  readonly at: number;
}

/** The oldest one first. Returns the same list when nothing has changed that support would ask about. */
export function logReadiness(
  log: readonly ReadinessEntry[],
  { line, block }: DialerState,
  at: number,
): readonly ReadinessEntry[] {
  const last = log.at(-1);
  const isSame = last?.line.is === line.is && blockerOf(last) === blockerOf({ block });
  return isSame ? log : [...log, { at, line, block }].slice(-MOST_ENTRIES);
}

/** Why the member cannot call, and who says so; `undefined`: nothing is in the way. */
export function blockerOf({ block }: Pick<DialerState, 'block'>): string | undefined {
  return block.is === 'blocked' ? `${block.reason} (${block.source})` : undefined;
}
