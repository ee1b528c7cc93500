/**
 * `npm run soak`: the long forms of tests of which `npm test` runs a short one. Arguments pick steps, as in
 * `npm run soak -- chaos model`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';

interface Step {
  readonly name: string;
  /** What it proves, as a sentence. */
  readonly title: string;
  /** As one would type it. */
  readonly command: string;
  readonly env?: Readonly<Record<string, string>>;
}

const TIMEOUT_MS = 20 * 60_000;
/** In CI, which plays the same ones each time, fewer: all of `.ci/run` takes half an hour. */
const MODEL_SEQUENCES = process.env['CI'] ? 4000 : 10_000;
const MODEL_PROCESSES = 2;
const FIRST_PORT = 8765;
/** Always the same in CI, so that a commit is judged by what it changes; other runs go where nobody has been. */
const FIRST_SEED = process.env['CI'] ? 1 : Date.now() % 100_000_000;

const model = (process_: number): Step => {
  const runs = MODEL_SEQUENCES / MODEL_PROCESSES;
  const seed = FIRST_SEED + process_ * runs;
  return {
    name: 'model',
    title: `the dialer keeps its invariants in ${runs} sequences from seed ${seed} on`,
    // Two that look for a free port in the same moment would find the same one.
    command: `wtr --group model --port ${FIRST_PORT + process_}`,
    env: { MODEL_RUNS: String(runs), MODEL_SEED: String(seed) },
  };
};

/** Rows run side by side, the steps of a row one after the other. */
const ROWS: readonly (readonly Step[])[] = [
  [
    model(0),
    {
      name: 'chaos',
      title: 'the money is exact while companions are killed, databases crash and disks fill',
      command: 'tsx test/soak/chaos/run.ts --kills 100',
    },
    {
      name: 'mutants',
      title: 'each money rule that is broken on purpose is noticed',
      command: 'tsx test/soak/chaos/run.ts --mutants',
    },
  ],
  [
    model(1),
    {
      name: 'breakages',
      title: 'each promise of the dialer that is broken on purpose is noticed',
      command: 'tsx test/soak/break-dialer.ts',
    },
    {
      name: 'fuzz',
      title: 'the companion answers 2500 random requests per test, and tells no secret',
      command: 'node --import tsx --test test/slow/fuzz.test.ts',
      env: { FUZZ_RUNS: '2500' },
    },
    {
      name: 'end-to-end',
      title:
        'an agent gets on after every fault, and the dialer is taken out of its page and put back 50 times',
      command: 'playwright test --project end-to-end',
      env: { MOVES: '50', LONG: '1' },
    },
    {
      name: 'browsers',
      title: 'an agent calls and is called in Firefox',
      command: 'npm run test:firefox',
    },
    {
      name: 'folder',
      title: 'the companion works from its folder alone, and from its packed tarball',
      command: 'node --import tsx --test test/soak/folder.test.ts',
    },
    {
      name: 'tarball',
      title: 'the packed element is small, complete and well-formed',
      command: 'node --import tsx --test test/soak/tarball.test.ts',
    },
    {
      name: 'package',
      title: 'fresh projects install the packed packages, compile, and call',
      command: 'node --import tsx --test test/soak/package.test.ts test/soak/sandbox-package.test.ts',
    },
  ],
];
/** Measures, so nothing runs beside it. */
const AT_LAST: readonly Step[] = [
  {
    name: 'stores',
    title: 'agents get their sessions whatever the store does, and top-ups come back with it',
    command: 'node --import tsx --test test/soak/stores.test.ts',
  },
];

/** @returns whether it held */
async function runStep({ name, title, command, env }: Step): Promise<boolean> {
  const began = performance.now();
  const child = spawn(command, {
    shell: true,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: TIMEOUT_MS,
    killSignal: 'SIGTERM',
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  const seconds = Math.round((performance.now() - began) / 1000);
  if (code !== 0) console.log(output);
  console.log(`${code === 0 ? 'ok    ' : `FAILED (${code ?? signal})`} ${name}: ${title} (${seconds} s)`);
  return code === 0;
}

async function runRow(steps: readonly Step[]): Promise<boolean[]> {
  const results: boolean[] = [];
  for (const step of steps) results.push(await runStep(step));
  return results;
}

const { positionals } = parseArgs({ allowPositionals: true });
const wanted = (steps: readonly Step[]) =>
  steps.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const results = (await Promise.all(ROWS.map((row) => runRow(wanted(row))))).flat();
results.push(...(await runRow(wanted(AT_LAST))));
const failed = results.filter((isWell) => !isWell).length;
console.log(`${results.length - failed} passed, ${failed} failed`);
process.exitCode = results.length === 0 || failed > 0 ? 1 : 0;
