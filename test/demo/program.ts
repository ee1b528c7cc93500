/** Runs a command line to its end. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { bundleProgram } from '../runner/bundle-program.ts';

export interface Outcome {
  readonly exit: number | null;
  readonly out: string;
  readonly err: string;
}

const TIMEOUT_MS = 60_000;

/** From its source in a process of its own, as npm runs it. One test of each program does. */
export async function runFromSource(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  const child = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), program, ...args], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    timeout: TIMEOUT_MS,
  });
  const [[exit], out, err] = await Promise.all([
    once(child, 'close') as Promise<[number | null]>,
    text(child.stdout),
    text(child.stderr),
  ]);
  return { exit, out, err };
}

/** Bundled, in a thread of this process with an environment of its own: that starts much faster. */
export async function runBundled(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  const worker = new Worker(await bundleProgram(program), {
    argv: [...args],
    env: { PATH: process.env['PATH'] ?? '', ...env },
    execArgv: [],
    stdout: true,
    stderr: true,
  });
  const [[exit], out, err] = await Promise.all([
    once(worker, 'exit', { signal: AbortSignal.timeout(TIMEOUT_MS) }) as Promise<[number]>,
    text(worker.stdout),
    text(worker.stderr),
  ]);
  return { exit, out, err };
}
