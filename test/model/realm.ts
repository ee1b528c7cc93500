/** What runs inside the page of the dialers, a document of its own: one that went wrong is thrown away. */
import '../../src/index.ts';
import { play, type Result } from './runner.ts';
import type { Sequence } from './steps.ts';

declare global {
  interface Window {
    playModel?: (sequence: Sequence, seed: number) => Promise<Result>;
  }
}

/** Lets the page around this one play sequences here. */
export function offerToPlay(): void {
  // Objects of this page, as those of its own scripts are.
  window.playModel = (sequence, seed) => play(structuredClone(sequence), seed);
}
