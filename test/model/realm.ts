/** What runs inside the page of the dialers, a document of its own: one that went wrong is thrown away. */
import '../../src/index.ts';
import { partOf, play, sequenceOf } from './runner.ts';
import type { Sequence } from './steps.ts';
import type { Violation } from './world.ts';

export interface Played {
  readonly violations: readonly Violation[];
  /** What happened when. */
  readonly journal: readonly string[];
  readonly sequence: Sequence;
  /** How often what happened, to see that sequences get anywhere. */
  readonly coverage: Readonly<Record<string, number>>;
}

declare global {
  interface Window {
    playModel?: (seed: number, path?: readonly number[]) => Promise<Played>;
  }
}

/** Lets the page around this one play sequences here. */
export function offerToPlay(): void {
  // It answers in real time, and would give one sequence the recent calls of another.
  Object.defineProperty(window, 'indexedDB', { value: undefined });
  window.playModel = async (seed, path) => {
    const whole = sequenceOf(seed);
    const sequence = path ? partOf(whole, path) : whole;
    return { sequence, ...(await play(sequence, seed)) };
  };
}
