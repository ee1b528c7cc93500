/**
 * `npm test`: the parts, one after the other, each by its own runner, and the sum of their reports as the last line.
 * Chromium and PostgreSQL are installed first where they are missing and can be installed.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { findChromium } from './chromium.ts';
import { findPostgres } from './postgres.ts';

/** An npm script, and the report that its runner writes. */
const PARTS = { 'test:browser': 'browser.xml', 'test:node': 'node.xml', 'test:e2e': 'playwright.xml' };

interface Sum {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

function readReport(path: string): Sum {
  // A runner that did not even start.
  if (!existsSync(path)) return { passed: 0, failed: 1, skipped: 0 };
  const xml = readFileSync(path, 'utf8');
  const count = (pattern: RegExp) => xml.match(pattern)?.length ?? 0;
  const failed = count(/<(?:failure|error)\b/g);
  const skipped = count(/<skipped\b/g);
  return { passed: count(/<testcase\b/g) - failed - skipped, failed, skipped };
}

function main(): boolean {
  findChromium();
  findPostgres();
  rmSync('reports', { recursive: true, force: true });
  const sums = Object.entries(PARTS).map(([script, report]) => {
    const { status } = spawnSync('npm', ['run', '--silent', script], { stdio: 'inherit' });
    const sum = readReport(`reports/${report}`);
    if (status !== 0) console.log(`FAILED: npm run ${script}`);
    // A file that cannot be loaded fails the run, and is no test in its report.
    return status === 0 || sum.failed > 0 ? sum : { ...sum, failed: 1 };
  });
  const total = (name: keyof Sum) => sums.reduce((sum, part) => sum + part[name], 0);
  console.log(`${total('passed')} passed, ${total('failed')} failed, ${total('skipped')} skipped`);
  return total('failed') === 0;
}

try {
  process.exitCode = main() ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
