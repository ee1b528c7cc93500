/** Defects that are known and being mended. Both lists end empty. */
import type { Step } from './steps.ts';

/** Invariants that are known not to hold: they do not fail the run. */
export const KNOWN: readonly string[] = [
  'd ready while the SDK still places a call',
  'd said that a call can be placed',
  'c overtaken, yet resolved',
];

/** Steps that are known to go wrong: they are left out of every sequence. */
export const AVOIDED: readonly Step['do'][] = [];
