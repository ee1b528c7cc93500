/** `npm run soak`: what no `npm run check` plays, one part after the other; `npm run soak -- mutants` plays one. Each week CI plays all. */
import { spawnSync } from 'node:child_process';

/** For the shell. */
const PARTS: Readonly<Record<string, string>> = {
  model: 'MODEL_RUNS=${MODEL_RUNS:-10000} MODEL_SEED=${MODEL_SEED:-$(date +%s)} wtr --group model',
  chaos: 'npm run chaos -- --kills 100',
  mutants: 'npm run chaos -- --mutants',
  breakages: 'tsx test/soak/break-dialer.ts',
  fuzz: 'FUZZ_RUNS=2500 node --import tsx --test test/slow/fuzz.test.ts',
  bench: 'npm run bench -- boot interaction broker calls storm',
};

function hasPassed(name: string): boolean {
  console.log(`\n${name}: ${PARTS[name]}`);
  return spawnSync(PARTS[name] ?? '', { shell: true, stdio: 'inherit' }).status === 0;
}

const named = process.argv.slice(2);
if (named.some((name) => !Object.hasOwn(PARTS, name))) {
  console.error(`Usage: npm run soak -- [${Object.keys(PARTS).join('|')}]…`);
  process.exitCode = 2;
} else {
  const failed = (named.length > 0 ? named : Object.keys(PARTS)).filter((name) => !hasPassed(name));
  console.log(failed.length === 0 ? 'All passed.' : `FAILED: ${failed.join(', ')}`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}
