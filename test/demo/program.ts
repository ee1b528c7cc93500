/** Runs a command line to its end. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

export interface Outcome {
  readonly exit: number | null;
  readonly out: string;
  readonly err: string;
}

const TIMEOUT_MS = 60_000;

/** From its source, in a process of its own, as npm runs it. */
export async function runProgram(
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
