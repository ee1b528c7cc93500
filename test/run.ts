/**
 * `npm test`: runs the parts one after the other, each with its own runner; the last lines name what failed, and sum up.
 * `LONG=1` adds the long cases and the slow parts; `npm test -- node e2e` runs these parts only.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { startPostgres } from '../demo/companion/test/postgres.ts';
import { findChromium } from './chromium.ts';
import { PARTS } from './parts.ts';

const QUICK = ['browser', 'node', 'e2e'];
const NEED_POSTGRES = ['node', 'slow'];

interface Sum {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly names: readonly string[];
}

async function runPart(name: string, command: string): Promise<Sum> {
  const report = `reports/${name}.xml`;
  const env = { ...process.env, PLAYWRIGHT_JUNIT_OUTPUT_FILE: report };
  const child = spawn(command, { shell: true, stdio: 'inherit', env });
  const [status] = (await once(child, 'close')) as [number | null];
  const sum = readReport(report);
  const hasRun = sum.passed + sum.failed > 0;
  if (status === 0 && hasRun) return sum;
  console.log(`FAILED: npm test -- ${name}${hasRun ? '' : ', which has run no test'}`);
  // A file that cannot be loaded, and a runner that did not start, fail no test of the report.
  return { ...sum, failed: Math.max(sum.failed, 1) };
}

function readReport(path: string): Sum {
  const xml = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const count = (pattern: RegExp) => xml.match(pattern)?.length ?? 0;
  const failed = count(/<(?:failure|error)\b/g);
  const skipped = count(/<skipped\b/g);
  const named = xml.matchAll(
    /<testcase name="([^"]*)"(?:(?!<\/?testcase)[^])*?<(?:failure|error)\b(?:[^>]*?message="([^"]{0,300}))?/g,
  );
  const names = Array.from(named, ([, name = '', why = '']) => `${name}: ${why}`);
  return { passed: count(/<testcase\b/g) - failed - skipped, failed, skipped, names };
}

function chosenParts(): (readonly [string, string])[] {
  const named = process.argv.slice(2);
  const isLong = process.env['LONG'] === '1';
  const names = named.length > 0 ? named : isLong ? Object.keys(PARTS) : QUICK;
  return names.map((name) => {
    const command = PARTS[name];
    if (command === undefined) throw new Error(`Usage: npm test -- [${Object.keys(PARTS).join('|')}]…`);
    return [name, command];
  });
}

async function main(): Promise<boolean> {
  const parts = chosenParts();
  findChromium();
  // One server for all test files that need one.
  const needsPostgres = parts.some(([name]) => NEED_POSTGRES.includes(name));
  const isOurs = needsPostgres && process.env['TEST_POSTGRES'] === undefined;
  const postgres = isOurs ? await startPostgres() : undefined;
  if (postgres) process.env['TEST_POSTGRES'] = postgres.address;
  rmSync('reports', { recursive: true, force: true });
  mkdirSync('reports');
  const sums: Sum[] = [];
  for (const [name, command] of parts) sums.push(await runPart(name, command));
  await postgres?.close();
  for (const name of sums.flatMap(({ names }) => names)) console.log(`failed: ${name}`);
  const total = (name: Exclude<keyof Sum, 'names'>) => sums.reduce((sum, part) => sum + part[name], 0);
  console.log(`${total('passed')} passed, ${total('failed')} failed, ${total('skipped')} skipped`);
  return total('failed') === 0;
}

try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
