/**
 * `npm run bench`: one table of sizes, boot, main thread, memory, presses and broker, which fails where a goal is missed; with
 * `--json` for programs. A name runs one part: `npm run bench -- boot`. Ratios, where they can be, so that any machine will do.
 */
import { drawTable } from './table.ts';
import { benchBoot } from './boot.ts';
import { benchCalls } from './calls.ts';
import { benchBroker } from './broker.ts';
import { benchLedger } from './ledger.ts';
import { benchInteraction } from './interaction.ts';
import type { Measure } from './measure.ts';
import { benchMemory } from './memory.ts';
import { benchSizes } from './sizes.ts';
import { benchStorm } from './storm.ts';

const BENCHES: Readonly<Record<string, () => Promise<Measure[]>>> = {
  sizes: benchSizes,
  boot: benchBoot,
  memory: benchMemory,
  interaction: benchInteraction,
  broker: async () => [...(await benchBroker()), ...(await benchLedger())],
};
/** Each takes minutes, the storm PostgreSQL as well. */
const ON_REQUEST: typeof BENCHES = { calls: benchCalls, storm: benchStorm };
const ALL = { ...BENCHES, ...ON_REQUEST };

const isForPrograms = process.argv.includes('--json');
const names = process.argv.slice(2).filter((each) => each !== '--json');
if (names.some((name) => !Object.hasOwn(ALL, name))) {
  console.error(`Usage: npm run bench -- [${Object.keys(ALL).join('|')}] [--json]`);
  process.exitCode = 2;
} else {
  const measures: (Measure & { readonly part: string })[] = [];
  for (const part of names.length > 0 ? names : Object.keys(BENCHES)) {
    measures.push(...((await ALL[part]?.()) ?? []).map((measure) => ({ part, ...measure })));
  }
  const rows = measures.map(({ part, name, value, goal, note }) => [
    value <= goal ? '✔' : '✖ over goal',
    part,
    name,
    value.toFixed(2),
    `≤ ${goal}`,
    note,
  ]);
  console.log(
    isForPrograms
      ? JSON.stringify(measures, undefined, 2)
      : drawTable(['', 'part', 'measure', 'value', 'goal', ''], rows),
  );
  process.exitCode = measures.every(({ value, goal }) => value <= goal) ? 0 : 1;
}
