/** Changes parts of code, and leaves the rest of it as it is. */

export interface Cut {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The code with the given parts of it replaced. */
export function withCuts(code: string, cuts: readonly Cut[]): string {
  let kept = code;
  for (const { start, end, text } of cuts.toSorted((a, b) => b.start - a.start)) {
    kept = kept.slice(0, start) + text + kept.slice(end);
  }
  return kept;
}
