/** `npm run bench -- broker`: measures, and fails when a goal is missed; with `--json` for programs. Ratios, so that any machine will do. */
import { drawTable } from '../../demo/tools/table.ts';
import { benchBoot } from './boot.ts';
import { benchBroker } from './broker.ts';
import { benchLedger } from './ledger.ts';
import { benchInteraction } from './interaction.ts';
import type { Measure } from './measure.ts';
import { benchStorm } from './storm.ts';

const BENCHES: Readonly<Record<string, () => Promise<Measure[]>>> = {
  broker: async () => [...(await benchBroker()), ...(await benchLedger())],
  boot: benchBoot,
  storm: benchStorm,
  interaction: benchInteraction,
};

const [name = ''] = process.argv.slice(2);
const bench = BENCHES[name];
if (bench) {
  const measures = await bench();
  const rows = measures.map(({ name: what, value, goal, note }) => [
    value <= goal ? '✔' : '✖',
    what,
    value.toFixed(2),
    `≤ ${goal}`,
    note,
  ]);
  const isForPrograms = process.argv.includes('--json');
  console.log(
    isForPrograms
      ? JSON.stringify(measures, undefined, 2)
      : drawTable(['', 'measure', 'value', 'goal', ''], rows),
  );
  process.exitCode = measures.every(({ value, goal }) => value <= goal) ? 0 : 1;
} else {
  console.error(`Usage: npm run bench -- ${Object.keys(BENCHES).join('|')}`);
  process.exitCode = 2;
}
