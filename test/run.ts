/**
 * `npm test`: the element in a browser, the companion and the sandbox in Node, then everything together.
 *
 * Arguments pick parts: `browser`, `node`, `end-to-end`, `conformance` (the stand-in against the measured contract of the
 * vendor's SDK); a part may be narrowed to what holds a text, as in `npm test -- browser=guides`.
 */
import { readdirSync } from 'node:fs';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { startTestRunner } from '@web/test-runner';
import { browserConfig } from './browser-config.ts';
import { runConformance } from './conformance/run.ts';
import { findChromium } from './chromium.ts';

interface Count {
  readonly passed: number;
  readonly failed: number;
}

const PARTS = {
  browser: (narrowing: string) => runInBrowser(narrowing),
  node: (narrowing: string) => runInNode('test/demo', narrowing, 2),
  'end-to-end': (narrowing: string) => runInNode('test/end-to-end', narrowing, 1),
  conformance: (narrowing: string) => runConformance(narrowing === '' ? {} : { only: narrowing }),
} as const;

function filesIn(folder: string, narrowing: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name}`)
    .filter((path) => path.endsWith('.test.ts') && path.includes(narrowing))
    .toSorted();
}

async function runInNode(folder: string, narrowing: string, concurrency: number): Promise<Count> {
  const files = filesIn(folder, narrowing);
  const count = { passed: 0, failed: 0 };
  if (files.length === 0) return count;
  const tests = run({ files, concurrency });
  tests.on('test:pass', (test) => {
    if (test.details.type !== 'suite') count.passed += 1;
  });
  tests.on('test:fail', (test) => {
    if (test.details.type !== 'suite') count.failed += 1;
  });
  const report = tests.compose(new spec());
  for await (const text of report) process.stdout.write(text);
  return count;
}

interface BrowserSuite {
  readonly suites: readonly BrowserSuite[];
  readonly tests: readonly { readonly passed: boolean; readonly skipped: boolean }[];
}

async function runInBrowser(narrowing: string): Promise<Count> {
  const browserFolders = ['broker', 'dialer', 'element', 'i18n', 'page', 'sdk', 'ui'];
  const files = filesIn('test', narrowing).filter((path) => {
    const [, folder = '', ...below] = path.split('/');
    return below.length === 0 || browserFolders.includes(folder);
  });
  if (files.length === 0) return { passed: 0, failed: 0 };
  const runner = await startTestRunner({
    config: browserConfig(files, findChromium()),
    readCliArgs: false,
    readFileConfig: false,
    autoExitProcess: false,
  });
  if (!runner) throw new Error('The browser test runner did not start.');
  const passed = await new Promise<boolean>((resolve) => {
    runner.on('stopped', resolve);
  });
  const tests = [...runner.sessions.all()].flatMap(({ testResults }) =>
    testResults ? testsOf(testResults) : [],
  );
  const good = tests.filter((test) => test.passed).length;
  const bad = tests.filter((test) => !test.passed && !test.skipped).length;
  // A file that does not even load has no tests to fail.
  return { passed: good, failed: passed ? bad : Math.max(bad, 1) };
}

function testsOf(suite: BrowserSuite): BrowserSuite['tests'] {
  return [...suite.tests, ...suite.suites.flatMap(testsOf)];
}

async function main(): Promise<void> {
  process.env['CHROME_PATH'] = findChromium();
  const asked = process.argv.slice(2).map((argument) => argument.split('='));
  const total = { passed: 0, failed: 0 };
  for (const [name, runPart] of Object.entries(PARTS)) {
    const choice = asked.find(([part]) => part === name);
    if (asked.length > 0 && !choice) continue;
    const { passed, failed } = await runPart(choice?.[1] ?? '');
    total.passed += passed;
    total.failed += failed;
  }
  console.log(`\n${total.passed} passed, ${total.failed} failed`);
  // Some servers' timers would keep the process for half a minute more.
  process.exit(total.failed > 0 || total.passed === 0 ? 1 : 0);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
