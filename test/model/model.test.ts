/**
 * Plays random sequences of what pages, agents, brokers, exchanges and browsers do, and checks after every step what has
 * to hold at every moment. fast-check prints seed and path of what failed, in the fewest steps:
 * `MODEL_SEED=… MODEL_PATH=… npx wtr --group model` plays that again, and prints what happened when.
 */
import { expect } from '@open-wc/testing';
import * as fc from 'fast-check';
import { offerToPlay } from './realm.ts';
import { Stage } from './stage.ts';
import { sequence } from './steps.ts';

declare global {
  interface ImportMeta {
    readonly env: Readonly<
      Record<`MODEL_${'SEED' | 'PATH' | 'RUNS' | 'SHRINK' | 'PRESSES'}`, string | undefined>
    >;
  }
}

const { MODEL_SEED, MODEL_PATH, MODEL_RUNS, MODEL_SHRINK } = import.meta.env;
const seed = Number(MODEL_SEED ?? 20_260_302);
const numRuns = Number(MODEL_RUNS);

/** Wall time until a run of so many sequences counts as hanging. */
const TIMEOUT_PER_SEQUENCE_MS = 1000;
/** For the fewest steps after which it still fails. */
const MOST_SHRINKING_MS = 60_000;

/** Sequences that are played twice. */
const REPEATED = 5;

/** With the seed of what the browser leaves to chance. */
const playable = fc.tuple(sequence, fc.nat());

/** This file is the page of the dialers, too: there, nobody has defined any tests. */
if ('describe' in globalThis) {
  describe('the dialer, whatever happens', () => {
    let stage: Stage;
    beforeEach(() => {
      stage = new Stage(import.meta.url);
    });
    afterEach(() => stage.close());

    it('goes the same way again from the same seed', async () => {
      for (const one of fc.sample(playable, { seed, numRuns: REPEATED })) {
        const first = await stage.play(...one);
        const second = await stage.play(...one);
        expect(second.journal.join('\n')).to.equal(first.journal.join('\n'));
      }
    });

    it(`keeps its invariants in ${numRuns} sequences`, async function keep() {
      const limit = 60_000 + numRuns * TIMEOUT_PER_SEQUENCE_MS;
      this.timeout(limit + 2 * MOST_SHRINKING_MS);
      let failedAt: number | undefined;
      const property = fc.asyncProperty(playable, async (one) => {
        // fast-check stops when it finds no shorter one that fails.
        if (failedAt !== undefined && performance.now() > failedAt + MOST_SHRINKING_MS) return;
        const { violations, journal } = await stage.play(...one);
        if (MODEL_PATH !== undefined) console.log(journal.join('\n'));
        const [first] = violations;
        if (!first) return;
        failedAt ??= performance.now();
        throw new Error(`\n${first.key}: ${first.text} (after step ${first.step})`);
      });
      await fc.assert(property, {
        seed,
        path: MODEL_PATH ?? '',
        numRuns,
        // Small values first would be short waits and few kinds of steps.
        unbiased: true,
        endOnFailure: MODEL_SHRINK === 'off' || MODEL_PATH !== undefined,
        includeErrorInReport: true,
      });
      if (MODEL_PATH === undefined)
        expect(stage.notReached(), 'what no sequence has come to').to.deep.equal([]);
    });
  });
} else {
  offerToPlay();
}
