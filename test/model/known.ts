/** Defects that are known and being mended. Both lists are empty unless one is being mended. */
import type { Step } from './steps.ts';

/** Invariants that are known not to hold: they do not fail the run. */
export const KNOWN: readonly string[] = [];

/** Steps that are known to go wrong: they are left out of every sequence. */
export const AVOIDED: readonly Step['do'][] = [];
