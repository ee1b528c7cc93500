/** What a bench tells: one figure and the goal it is held to. */
export interface Measure {
  readonly name: string;
  readonly value: number;
  /** At most this. */
  readonly goal: number;
  readonly note: string;
  /** The same figure without the dialer. Above the goal, the machine is too busy, and the value proves nothing. */
  readonly control?: number;
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
