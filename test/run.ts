/**
 * `npm test`: the parts, one after the other, each by its own runner, and the sum of their reports as the last line.
 * With `LONG=1` all cases of each, and the slow ones.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { startPostgres } from '../demo/companion/test/postgres.ts';
import { findChromium } from './chromium.ts';

/** The script of each is `test:NAME`, the report of its runner `reports/NAME.xml`. */
const PARTS = ['browser', 'node', 'e2e', ...(process.env['LONG'] === '1' ? ['slow', 'sdk'] : [])];

interface Sum {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

async function runPart(name: string): Promise<Sum> {
  const child = spawn('npm', ['run', '--silent', `test:${name}`], { stdio: 'inherit' });
  const [status] = (await once(child, 'close')) as [number | null];
  const sum = readReport(`reports/${name}.xml`);
  const hasRun = sum.passed + sum.failed > 0;
  if (status === 0 && hasRun) return sum;
  console.log(`FAILED: npm run test:${name}${hasRun ? '' : ', which has run no test'}`);
  // A file that cannot be loaded, and a runner that did not start, fail no test of the report.
  return { ...sum, failed: Math.max(sum.failed, 1) };
}

function readReport(path: string): Sum {
  const xml = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const count = (pattern: RegExp) => xml.match(pattern)?.length ?? 0;
  const failed = count(/<(?:failure|error)\b/g);
  const skipped = count(/<skipped\b/g);
  return { passed: count(/<testcase\b/g) - failed - skipped, failed, skipped };
}

async function main(): Promise<boolean> {
  findChromium();
  // One for all files that need one.
  const postgres = process.env['TEST_POSTGRES'] === undefined ? await startPostgres() : undefined;
  if (postgres) process.env['TEST_POSTGRES'] = postgres.address;
  rmSync('reports', { recursive: true, force: true });
  const sums: Sum[] = [];
  for (const part of PARTS) sums.push(await runPart(part));
  await postgres?.close();
  const total = (name: keyof Sum) => sums.reduce((sum, part) => sum + part[name], 0);
  console.log(`${total('passed')} passed, ${total('failed')} failed, ${total('skipped')} skipped`);
  return total('failed') === 0;
}

try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
