/**
 * `npm run soak`: the long forms of tests of which `npm test` runs a short one. Arguments pick steps, as in
 * `npm run soak -- chaos model`.
 */
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';
import { printFile, printSummary, type TestResult } from '../runner/result.ts';

interface Step {
  readonly name: string;
  /** What it proves, as a sentence. */
  readonly title: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const TIMEOUT_MS = 20 * 60_000;
const MODEL_SEQUENCES = 10_000;
const MODEL_PROCESSES = 2;
/** Always the same in CI, so that a commit is judged by what it changes; other runs go where nobody has been. */
const FIRST_SEED = process.env['CI'] ? 1 : Date.now() % 100_000_000;

const model = (process_: number): Step => {
  const runs = MODEL_SEQUENCES / MODEL_PROCESSES;
  const seed = FIRST_SEED + process_ * runs;
  return {
    name: 'model',
    title: `the dialer keeps its invariants in ${runs} sequences from seed ${seed} on`,
    args: ['test/run.ts', 'browser=test/model/'],
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
      args: ['test/soak/chaos/run.ts', '--kills', '100'],
    },
    {
      name: 'mutants',
      title: 'each money rule that is broken on purpose is noticed',
      args: ['test/soak/chaos/run.ts', '--mutants'],
    },
  ],
  [
    model(1),
    {
      name: 'breakages',
      title: 'each promise of the dialer that is broken on purpose is noticed',
      args: ['test/soak/break-dialer.ts'],
    },
    {
      name: 'fuzz',
      title: 'the companion answers 2500 random requests per test, and tells no secret',
      args: ['test/run.ts', 'node=fuzz'],
      env: { FUZZ_RUNS: '2500' },
    },
    {
      name: 'end-to-end',
      title:
        'an agent gets on after every fault, and the dialer is taken out of its page and put back 50 times',
      args: ['test/run.ts', 'end-to-end'],
      env: { MOVES: '50', LONG: '1' },
    },
    {
      name: 'walk',
      title: 'the dialer keeps its promises at the exchange whatever agent, page, other party and network do',
      args: ['test/soak/walk/run.ts'],
    },
    {
      name: 'tabs',
      title: 'one of several tabs has the phone whatever becomes of them',
      args: ['test/soak/tabs.ts'],
    },
    {
      name: 'browsers',
      title: 'an agent calls and is called in Firefox, and reads in WebKitGTK that it cannot call',
      args: ['--test', 'test/soak/browsers/firefox.test.ts', 'test/soak/browsers/webkit.test.ts'],
    },
    {
      name: 'folder',
      title: 'the companion works from its folder alone, and from its packed tarball',
      args: ['--test', 'test/soak/folder.test.ts'],
    },
    {
      name: 'tarball',
      title: 'the packed element is small, complete and well-formed',
      args: ['--test', 'test/soak/tarball.test.ts'],
    },
    {
      name: 'package',
      title: 'fresh projects install the packed packages, compile, and call',
      args: ['--test', 'test/soak/package.test.ts', 'test/soak/sandbox-package.test.ts'],
    },
    {
      name: 'conformance',
      title: 'the stand-in does all that was measured with the vendor’s build',
      args: ['test/conformance/run.ts'],
    },
  ],
];
/** Measures, so nothing runs beside it. */
const AT_LAST: readonly Step[] = [
  {
    name: 'stores',
    title: 'agents get their sessions whatever the store does, and top-ups come back with it',
    args: ['--test', 'test/soak/stores.test.ts'],
  },
];

async function runStep({ name, title, args, env }: Step): Promise<TestResult> {
  const began = performance.now();
  const child = spawn(process.execPath, [...process.execArgv, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: TIMEOUT_MS,
    killSignal: 'SIGTERM',
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  const reason = await new Promise<string | undefined>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) =>
      resolve(code === 0 ? undefined : `It ended with ${code ?? signal}:\n${output}`),
    );
  });
  const ms = performance.now() - began;
  const outcome = reason === undefined ? 'passed' : 'failed';
  const result: TestResult = { part: 'soak', file: name, name: title, outcome, ms, reason };
  printFile(`${name}: ${title}`, [result], output);
  return result;
}

async function runRow(steps: readonly Step[], isWanted: (step: Step) => boolean): Promise<TestResult[]> {
  const results: TestResult[] = [];
  // oxlint-disable-next-line no-await-in-loop -- one step after the other
  for (const step of steps.filter(isWanted)) results.push(await runStep(step));
  return results;
}

const { positionals } = parseArgs({ allowPositionals: true });
const isWanted = ({ name }: Step) => positionals.length === 0 || positionals.includes(name);
const results = (await Promise.all(ROWS.map((row) => runRow(row, isWanted)))).flat();
results.push(...(await runRow(AT_LAST, isWanted)));
printSummary(results);
process.exitCode = results.length === 0 || results.some(({ outcome }) => outcome === 'failed') ? 1 : 0;
