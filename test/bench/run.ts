/**
 * `npm run bench`: boot, presses and broker as one table, which fails where a goal is missed; with `--json` for programs. A
 * name runs one part: `npm run bench -- boot`. Ratios, where they can be, so that any machine will do. It
 * ends with 1 if a goal is missed, and with 75 if the machine is too busy to tell.
 */
import { benchBoot } from './boot.ts';
import { benchBroker } from './broker.ts';
import { benchCalls } from './calls.ts';
import { benchInteraction } from './interaction.ts';
import type { Measure } from './measure.ts';
import { benchStorm } from './storm.ts';

const BENCHES: Readonly<Record<string, () => Promise<Measure[]>>> = {
  boot: benchBoot,
  interaction: benchInteraction,
  broker: benchBroker,
};
/** Each takes minutes. */
const ON_REQUEST: typeof BENCHES = { calls: benchCalls, storm: benchStorm };
const ALL = { ...BENCHES, ...ON_REQUEST };

/** `EX_TEMPFAIL`: nothing was missed, but not everything could be judged. */
const TRY_AGAIN = 75;

const isHeld = ({ value, goal }: Measure) => value <= goal;
const isTooBusy = ({ control = 0, goal }: Measure) => control > goal;

const isForPrograms = process.argv.includes('--json');
const names = process.argv.slice(2).filter((each) => each !== '--json');
if (names.some((name) => !Object.hasOwn(ALL, name))) {
  console.error(`Usage: npm run bench -- [${Object.keys(ALL).join('|')}] [--json]`);
  process.exitCode = 2;
} else {
  const measures: Measure[] = [];
  for (const part of names.length > 0 ? names : Object.keys(BENCHES)) {
    measures.push(...((await ALL[part]?.()) ?? []));
  }
  if (isForPrograms) console.log(JSON.stringify(measures, undefined, 2));
  else {
    console.table(
      measures.map((measure) => ({
        name: measure.name,
        value: Number(measure.value.toFixed(2)),
        goal: measure.goal,
        held: isTooBusy(measure) ? 'the machine is too busy' : isHeld(measure),
      })),
    );
    for (const { name, note } of measures) if (note) console.log(`${name}: ${note}`);
  }
  const isMissed = measures.some((measure) => !isTooBusy(measure) && !isHeld(measure));
  process.exitCode = isMissed ? 1 : measures.some(isTooBusy) ? TRY_AGAIN : 0;
}
