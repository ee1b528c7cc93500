/** Runs the element's tests with Web Test Runner: bundled once, then file by file in each of two Chromiums. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { startTestRunner } from '@web/test-runner';
import { chromeLauncher } from '@web/test-runner-chrome';
import { build, type Plugin } from 'vite';
import { CHROMIUM_ARGS, findChromium } from '../chromium.ts';
import { freePort } from './free-port.ts';
import type { OnFile, TestResult } from './result.ts';

/** For each test that does not ask for more itself. */
const TEST_TIMEOUT_MS = 15_000;
/** For a file, which may hang where Mocha cannot see it. */
const FILE_TIMEOUT_MS = 300_000;
/** For each sequence of a long run of `test/model`. */
const SEQUENCE_TIMEOUT_MS = 1000;

/** Each has a focus and a pointer of its own. */
export const BROWSERS = 2;

const args = [...CHROMIUM_ARGS, '--autoplay-policy=no-user-gesture-required'];

export interface BrowserPart {
  readonly part: string;
  readonly files: readonly string[];
  readonly plugins?: readonly Plugin[];
  /** Told when a browser has played its share of the files. */
  readonly onShare?: (browser: number) => void;
}

export async function runInBrowser(plan: BrowserPart, onFile: OnFile): Promise<TestResult[]> {
  const { part, files, plugins = [], onShare = () => undefined } = plan;
  const folder = await mkdtemp(join(tmpdir(), 'browser-tests-'));
  // Each runner replaces these, and puts back what it found: the other one's.
  const output = { ...console };
  try {
    await bundle(files, folder, plugins);
    // In turn, as the longest ones come first.
    const shares = Array.from({ length: BROWSERS }, (_, browser) =>
      files.filter((_file, index) => index % BROWSERS === browser),
    );
    const run = async (share: readonly string[], browser: number) => {
      const results = share.length > 0 ? await runBundled(part, folder, share, onFile) : [];
      onShare(browser);
      return results;
    };
    return (await Promise.all(shares.map(run))).flat();
  } finally {
    Object.assign(console, output);
    await rm(folder, { recursive: true, force: true });
  }
}

/** A page asks for a handful of files then, not for hundreds. */
async function bundle(files: readonly string[], folder: string, plugins: readonly Plugin[]): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    plugins: [...plugins],
    resolve: { conditions: ['browser', 'development', 'module'] },
    define: { 'process.env.NODE_ENV': '"development"' },
    // How many sequences `test/model` plays, and from which seed.
    envPrefix: 'MODEL_',
    build: {
      outDir: folder,
      target: 'es2022',
      minify: false,
      // In files of their own, which are read only when a test has failed: they are three times as large as the code.
      sourcemap: true,
      modulePreload: false,
      chunkSizeWarningLimit: Infinity,
      rolldownOptions: {
        external: [/^\/__web-dev-server__/],
        input: Object.fromEntries(files.map((file) => [withoutEnding(file), file])),
        // Else a file would hold what the dialer's chunks import, and the page would run it twice.
        preserveEntrySignatures: 'strict',
        output: { entryFileNames: '[name].js', chunkFileNames: 'shared/[name]-[hash].js' },
      },
    },
  });
}

async function runBundled(part: string, folder: string, files: readonly string[], onFile: OnFile) {
  const all: TestResult[] = [];
  const runner = await startTestRunner({
    config: {
      rootDir: folder,
      port: await freePort(),
      files: files.map((file) => join(folder, `${withoutEnding(file)}.js`)),
      watch: false,
      staticLogging: true,
      browsers: [chromeLauncher({ launchOptions: { executablePath: findChromium(), args } })],
      concurrency: 1,
      testFramework: { config: { timeout: TEST_TIMEOUT_MS } },
      testsFinishTimeout: Math.max(
        FILE_TIMEOUT_MS,
        SEQUENCE_TIMEOUT_MS * Number(process.env['MODEL_RUNS'] ?? 0),
      ),
      reporters: [
        {
          reportTestFileResults({ testFile, sessionsForTestFile }) {
            const file = relative(folder, testFile).replace(/\.js$/, '.ts');
            const results = sessionsForTestFile.flatMap((session) => resultsOf(part, file, session));
            const logs = sessionsForTestFile.flatMap((session) => session.logs.map((log) => log.join(' ')));
            all.push(...results);
            onFile(file, results, logs.join('\n'));
          },
        },
      ],
    },
    readCliArgs: false,
    readFileConfig: false,
    autoExitProcess: false,
  });
  if (!runner) throw new Error('The browser test runner did not start.');
  await new Promise((resolve) => {
    runner.on('stopped', resolve);
  });
  return all;
}

interface Failure {
  readonly message: string;
  readonly stack?: string;
  readonly expected?: string;
  readonly actual?: string;
}

interface Suite {
  readonly name: string;
  readonly suites: readonly Suite[];
  readonly tests: readonly {
    readonly name: string;
    readonly passed: boolean;
    readonly skipped: boolean;
    readonly duration?: number;
    readonly error?: Failure;
  }[];
}

interface Session {
  readonly testResults?: Suite;
  readonly passed?: boolean;
  readonly errors: readonly Failure[];
}

function resultsOf(part: string, file: string, { testResults, passed, errors }: Session): TestResult[] {
  const results = testResults ? testsOf(part, file, testResults) : [];
  const fail = (reason: string): void => {
    results.push({ part, file, name: 'the file', outcome: 'failed', ms: 0, reason });
  };
  for (const error of errors) fail(textOf(error));
  const isUntold = passed === false && results.every(({ outcome }) => outcome !== 'failed');
  if (isUntold) fail('Something in it failed outside of a test.');
  else if (results.length === 0) fail('It holds no test.');
  return results;
}

function testsOf(part: string, file: string, suite: Suite, groups: readonly string[] = []): TestResult[] {
  const path = suite.name === '' ? groups : [...groups, suite.name];
  const own = suite.tests.map(({ name, passed, skipped, duration = 0, error }): TestResult => ({
    part,
    file,
    name: [...path, name].join(' › '),
    outcome: skipped ? 'skipped' : passed ? 'passed' : 'failed',
    ms: duration,
    reason: error && textOf(error),
  }));
  return [...own, ...suite.suites.flatMap((inner) => testsOf(part, file, inner, path))];
}

function textOf({ message, stack, expected, actual }: Failure): string {
  const difference = expected === undefined ? [] : [`expected: ${expected}`, `actual:   ${actual}`];
  return [message, ...difference, stack ?? ''].join('\n').trim();
}

function withoutEnding(file: string): string {
  return file.replace(/\.ts$/, '');
}
