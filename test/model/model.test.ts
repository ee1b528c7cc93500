/**
 * Plays random sequences of what pages, agents, brokers, exchanges and browsers do, and checks after every step what has
 * to hold at every moment. One seed gives one sequence: `MODEL_SEED=… MODEL_PATH=… npx wtr --group model` plays a
 * failing one again, and prints what happened when.
 */
import { expect } from '@open-wc/testing';
import { KNOWN } from './known.ts';
import { offerToPlay } from './realm.ts';
import { firstSeed, mostAttempts, mostKinds, path, runs } from './settings.ts';
import { Stage } from './stage.ts';

/** Wall time until a run of so many sequences counts as hanging. */
const TIMEOUT_PER_SEQUENCE_MS = 1000;

const isUnknown = (key: string) => !KNOWN.includes(key);

/** Sequences that are played twice. */
const REPEATED = 5;

/** This file is the page of the dialers, too: there, nobody has defined any tests. */
if ('describe' in globalThis) {
  describe('the dialer, whatever happens', () => {
    it('goes the same way again from the same seed', async () => {
      const stage = new Stage(import.meta.url);
      for (let seed = firstSeed; seed < firstSeed + REPEATED; seed += 1) {
        const first = await stage.play(seed, path);
        const second = await stage.play(seed, path);
        expect(second.journal.join('\n'), `seed ${seed}`).to.equal(first.journal.join('\n'));
      }
      stage.close();
    });

    it(`keeps its invariants in ${runs} sequences`, async function keep() {
      this.timeout(60_000 + runs * TIMEOUT_PER_SEQUENCE_MS);
      const stage = new Stage(import.meta.url);
      const seeds = new Map<string, number[]>();
      for (let seed = firstSeed; seed < firstSeed + runs; seed += 1) {
        const { violations, journal } = await stage.play(seed, path);
        if (path) console.log(journal.join('\n'));
        for (const key of new Set(violations.map((violation) => violation.key))) {
          seeds.set(key, [...(seeds.get(key) ?? []), seed]);
        }
        if ([...seeds.keys()].filter(isUnknown).length >= mostKinds) break;
      }
      const counts = [...seeds].map(
        ([key, { length }]) => `${length} × ${key}${isUnknown(key) ? '' : ' (known)'}`,
      );
      const reports: string[] = [];
      for (const [key, [seed = 0]] of [...seeds].filter(([each]) => isUnknown(each)).slice(0, mostKinds)) {
        reports.push(await explain(stage, seed, key));
      }
      stage.close();
      if (reports.length > 0) throw new Error([...reports, ...counts].join('\n\n'));
      if (!path) expect(stage.notReached(), 'what no sequence has come to').to.deep.equal([]);
    });
  });
} else {
  offerToPlay();
}

async function explain(stage: Stage, seed: number, key: string): Promise<string> {
  const kept = path ?? (await stage.shrink(seed, key, mostAttempts));
  const { violations, sequence } = await stage.play(seed, kept);
  const found = violations.find((violation) => violation.key === key);
  return [
    `${key}: ${found?.text ?? 'not again'} (after step ${found?.step ?? '?'})`,
    `MODEL_SEED=${seed} MODEL_PATH=${kept.join(',')} npx wtr --group model`,
    `mode ${sequence.mode}, ${sequence.isFree ? 'with' : 'without'} events that come late or not at all`,
    ...sequence.steps.map((step, index) => `${index}. ${JSON.stringify(step)}`),
  ].join('\n');
}
