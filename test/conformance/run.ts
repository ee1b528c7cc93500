/**
 * `npm run test:sdk`: tries a calling SDK against the sandbox's exchange, scenario by scenario.
 *
 * `--sdk URL-or-file` names the script (else the stand-in), `--only TEXT` narrows, `--json FILE` keeps the results.
 */
import { realpathSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { loadSdk } from './sdk-script.ts';
import { runSuite, type Outcome } from './suite.ts';
import { drawHeader, drawReasons, drawTable } from './table.ts';

export interface ConformanceOptions {
  /** Address or file of the script; absent: the stand-in. */
  readonly sdk?: string | undefined;
  /** Only scenarios whose family and name contain this. */
  readonly only?: string | undefined;
  /** Where to write the results as JSON. */
  readonly json?: string | undefined;
}

export interface Count {
  readonly passed: number;
  readonly failed: number;
}

/** Runs the suite and prints its table. Rejects when there is no such script, or no browser. */
export async function runConformance({ sdk, only, json }: ConformanceOptions = {}): Promise<Count> {
  const script = await loadSdk(sdk);
  console.log(drawHeader(script));
  const outcomes = await runSuite(script, { only, onOutcome: showProgress });
  const { source, bytes, sha256 } = script;
  if (json) await writeFile(json, JSON.stringify({ source, bytes, sha256, outcomes }, null, 2));
  console.log(drawTable(outcomes));
  console.log(drawReasons(outcomes));
  const passed = outcomes.filter((outcome) => outcome.passed).length;
  return { passed, failed: outcomes.length - passed };
}

/** A dot is a scenario that holds; only where somebody is looking. */
function showProgress({ passed }: Outcome): void {
  if (process.stdout.isTTY) process.stdout.write(passed ? '.' : 'x');
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { sdk: { type: 'string' }, only: { type: 'string' }, json: { type: 'string' } },
  });
  const { passed, failed } = await runConformance(values);
  console.log(`${passed} passed, ${failed} failed`);
  // Not by itself: the SIP timers of the last calls would keep the process for half a minute.
  process.exit(failed > 0 || passed === 0 ? 1 : 0);
}

const script = process.argv[1];
if (script && realpathSync(script) === fileURLToPath(import.meta.url)) {
  main().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
}
