/** Runs a command line as a process of its own, to its end. */
import { spawn } from 'node:child_process';
import { bundleProgram } from '../runner/bundle-program.ts';

export interface Outcome {
  readonly exit: number | null;
  readonly out: string;
  readonly err: string;
}

const TIMEOUT_MS = 60_000;

/** From its source, as npm runs it. One test of each program does, and the others take the bundled one, which starts faster. */
export function runFromSource(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  return run(['--import', import.meta.resolve('tsx'), program, ...args], env);
}

export async function runBundled(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  return run([await bundleProgram(program), ...args], env);
}

function run(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Outcome> {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    timeout: TIMEOUT_MS,
  });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  return new Promise((resolve) => {
    child.on('close', (exit) => resolve({ exit, out, err }));
  });
}
