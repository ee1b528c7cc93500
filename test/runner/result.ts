/** What came of the tests, and how it is printed. */

export interface TestResult {
  /** `node`, `browser`, … */
  readonly part: string;
  /** Path of the test's file. */
  readonly file: string;
  /** The names of its groups and its own. */
  readonly name: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  readonly ms: number;
  /** Why it failed, or was skipped. */
  readonly reason?: string | undefined;
}

/** Told of a file as soon as all of it is over; `output` is what it printed. */
export type OnFile = (file: string, results: readonly TestResult[], output: string) => void;

const SLOWEST = 10;

/** One line for each file, and everything about what failed in it. */
export const printFile: OnFile = (file, results, output) => {
  const failed = results.filter(({ outcome }) => outcome === 'failed');
  const skipped = results.filter(({ outcome }) => outcome === 'skipped');
  const ms = results.reduce((sum, result) => sum + result.ms, 0);
  const head = `${failed.length > 0 ? 'FAILED' : 'ok    '} ${file}: ${results.length} in ${seconds(ms)}`;
  const told = [...failed, ...skipped].map(
    ({ name, outcome, reason = '' }) => `  ${outcome}: ${name}\n${reason.replaceAll(/^/gm, '    ')}`,
  );
  const printed =
    failed.length > 0 && output !== '' ? [`  It printed:\n${output.replaceAll(/^/gm, '    ')}`] : [];
  console.log([head, ...told, ...printed].join('\n'));
};

/** The slowest tests, and as the very last line how many passed and failed. */
export function printSummary(results: readonly TestResult[]): void {
  const slowest = results.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST);
  const failed = results.filter(({ outcome }) => outcome === 'failed');
  const passed = results.filter(({ outcome }) => outcome === 'passed');
  const skipped = results.length - passed.length - failed.length;
  console.log(`\nThe ${slowest.length} slowest:`);
  for (const { ms, file, name } of slowest) console.log(`${seconds(ms).padStart(8)}  ${file}: ${name}`);
  if (failed.length > 0) console.log('\nFailed:');
  for (const { file, name } of failed) console.log(`  ${file}: ${name}`);
  if (skipped > 0) console.log(`\n${skipped} skipped`);
  console.log(`\n${passed.length} passed, ${failed.length} failed`);
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
