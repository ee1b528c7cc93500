/** Runs a command line to its end: in a process of its own, or in this one. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';

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

/** The function behind it, with what it writes to the console. */
export async function runHere(t: TestContext, command: () => Promise<number>): Promise<Outcome> {
  const [out, err] = (['log', 'error'] as const).map((name) => t.mock.method(console, name, () => {}));
  const exit = await command();
  const written = [out, err].map((stream) => {
    stream?.mock.restore();
    return (stream?.mock.calls ?? []).map(({ arguments: [line] }) => `${String(line)}\n`).join('');
  });
  return { exit, out: written[0] ?? '', err: written[1] ?? '' };
}
