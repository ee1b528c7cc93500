/**
 * `npm test`: the element in a browser, the companion and the sandbox in Node, the two together, and the stand-in against
 * the measured contract of the vendor's SDK.
 *
 * Arguments pick parts: `browser`, `node`, `end-to-end`, `conformance`; a part may be narrowed to the files whose path
 * holds a text, as in `npm test -- browser=guides`. What takes long is in `npm run soak`.
 *
 * A test file is `*.test.ts`, with Mocha's functions in the browser and with `node:test` elsewhere. Files of one part
 * share a process, one after the other: a file leaves no server, no listener and no mock behind, and `process.env` is put
 * back for it. A test that hangs, a file that dies and one without a test are failures with a name: a test has 15 s in the
 * browser and 60 s elsewhere, unless it says otherwise, and a process that tells of no test for 90 s is ended. A browser
 * test waits in the page's own clock (`support/clock.ts`), not in real time.
 */
import { readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { findChromium } from './chromium.ts';
import { loadSdk } from './conformance/sdk-script.ts';
import { runSuite } from './conformance/suite.ts';
import { SHARED, startPostgres } from './postgres.ts';
import { buildDemo } from './runner/build-demo.ts';
import { BROWSERS, runInBrowser } from './runner/in-browser.ts';
import { runInNode } from './runner/in-node.ts';
import { printFile, printSummary, type OnFile, type TestResult } from './runner/result.ts';

/** For a test elsewhere than in the browser that names no limit of its own. */
const TEST_TIMEOUT_MS = 60_000;
/** Longer than any test may take: what is silent for so long blocks its process. */
const SILENCE_MS = 90_000;
/** The second one is a partner's, too, who takes the companion alone. */
const TEST_FOLDERS = ['test', 'demo/server/test'];
/** Folders of tests for Node; what is in none of these three lists is for a browser. */
const NODE = ['demo', 'package', 'runner'];
const END_TO_END = ['end-to-end'];
const NO_PART = ['bench', 'conformance', 'soak'];

/** For a busy browser: there is one on each core at a time, of the element's tests first, then of end to end. */
class Place {
  readonly isFree: Promise<void>;
  leave: () => void = () => undefined;

  constructor() {
    this.isFree = new Promise((resolve) => {
      this.leave = resolve;
    });
  }
}
const places = Array.from({ length: BROWSERS }, () => new Place());
const leavePlace = (browser: number) => places[browser]?.leave();

type Part = (narrowing: string) => Promise<TestResult[]>;

const PARTS: Readonly<Record<string, Part>> = {
  browser: async (narrowing) => {
    const files = testFiles(narrowing, (room) => ![...NODE, ...END_TO_END, ...NO_PART].includes(room));
    return files.length > 0 ? runInBrowser({ part: 'browser', files, onShare: leavePlace }, printFile) : [];
  },
  node: async (narrowing) => {
    const files = testFiles(narrowing, (room) => NODE.includes(room));
    // A few files of it start their own where they need one.
    const postgres = narrowing === '' ? await startPostgres() : undefined;
    const env = postgres ? { [SHARED]: postgres.address } : {};
    try {
      return await runInNode(
        { part: 'node', files, workers: 1, env, testTimeoutMs: TEST_TIMEOUT_MS, silenceMs: SILENCE_MS },
        printFile,
      );
    } finally {
      await postgres?.close();
    }
  },
  'end-to-end': async (narrowing) => {
    const files = testFiles(narrowing, (room) => END_TO_END.includes(room));
    const demo = await buildDemo();
    // Where the first file that needs it puts it.
    const script = `${demo}-script`;
    const env = { BUILT_DEMO: demo, BUILT_SCRIPT: script };
    try {
      return await runInNode(
        {
          part: 'end-to-end',
          files,
          workers: places.length,
          turn: async (worker) => places[worker]?.isFree,
          env,
          testTimeoutMs: TEST_TIMEOUT_MS,
          silenceMs: SILENCE_MS,
        },
        printFile,
      );
    } finally {
      await Promise.all([demo, script].map((folder) => rm(folder, { recursive: true, force: true })));
    }
  },
  conformance: (narrowing) => runConformance(narrowing, printFile),
};

/** Files that take long come first, the longest one first, so that none is left at the end alone. */
const LONGEST = [
  'model/model',
  'ui/customers',
  'ui/presses',
  'element/lifecycle',
  'end-to-end/calls-panel',
  'end-to-end/crm',
  'end-to-end/leaving',
  'end-to-end/tabs',
  'end-to-end/calls',
  'end-to-end/socket-faults',
  'end-to-end/pages',
  'end-to-end/dead-ends',
  'end-to-end/readme',
  'end-to-end/microphone',
  'end-to-end/api-faults',
  'end-to-end/host-page',
  'end-to-end/offline',
  'server/calls/companions',
  'tools/doctor',
  'server/provision',
].map((name) => `${name}.test.ts`);

function testFiles(narrowing: string, isWanted: (room: string) => boolean): string[] {
  return TEST_FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(
      (name) => `${folder}/${name.replaceAll('\\', '/')}`,
    ),
  )
    .filter((path) => path.endsWith('.test.ts') && path.includes(narrowing))
    .filter((path) => isWanted(path.startsWith('test/') ? (path.split('/')[1] ?? '') : 'demo'))
    .toSorted((one, other) => rankOf(one) - rankOf(other) || (one < other ? -1 : 1));
}

function rankOf(path: string): number {
  const rank = LONGEST.findIndex((ending) => path.endsWith(ending));
  return rank < 0 ? LONGEST.length : rank;
}

async function runConformance(narrowing: string, onFile: OnFile): Promise<TestResult[]> {
  const outcomes = await runSuite(await loadSdk(undefined), { only: narrowing, isSlowToo: false });
  const results = outcomes.map(({ family, scenario, passed, durationMs, reason }): TestResult => ({
    part: 'conformance',
    file: 'test/conformance',
    name: `${family}: ${scenario}`,
    outcome: passed ? 'passed' : 'failed',
    ms: durationMs,
    reason,
  }));
  onFile('test/conformance', results, '');
  return results;
}

/** A part that cannot even start is a failure like another, and keeps none of the others from running. */
async function tryPart(name: string, narrowing: string): Promise<TestResult[]> {
  try {
    return (await PARTS[name]?.(narrowing)) ?? [];
  } catch (error) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const failure: TestResult = {
      part: name,
      file: name,
      name: 'the part',
      outcome: 'failed',
      ms: 0,
      reason,
    };
    printFile(name, [failure], '');
    return [failure];
  }
}

async function main(): Promise<void> {
  // A run that stops in its middle, without a word, has not passed.
  process.exitCode = 1;
  process.env['CHROME_PATH'] = findChromium();
  const args = process.argv.slice(2);
  const asked = new Map(args.map((argument) => splitAtEquals(argument)));
  if (asked.size < args.length) throw new Error('A part can be named once.');
  const unknown = [...asked.keys()].filter((name) => !(name in PARTS));
  if (unknown.length > 0)
    throw new Error(`There is no part ${unknown.join(', ')}: ${Object.keys(PARTS).join(', ')}.`);
  const run = async (name: string): Promise<TestResult[]> => {
    const isAsked = asked.size === 0 || asked.has(name);
    const results = isAsked ? await tryPart(name, asked.get(name) ?? '') : [];
    // However it has ended.
    if (name === 'browser') for (const place of places) place.leave();
    return results;
  };
  // Side by side, as much of it is waiting.
  const results = (await Promise.all(Object.keys(PARTS).map(run))).flat();
  printSummary(results);
  // Some servers' timers would keep the process for half a minute more.
  process.exit(results.length === 0 || results.some(({ outcome }) => outcome === 'failed') ? 1 : 0);
}

function splitAtEquals(argument: string): [string, string] {
  const [name = '', ...rest] = argument.split('=');
  return [name, rest.join('=')];
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
