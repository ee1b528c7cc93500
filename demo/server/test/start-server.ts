/** The small server in each language, as a process. */
import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export const FOLDER = fileURLToPath(new URL('..', import.meta.url));
export const SERVER = join(FOLDER, 'server.ts');
export const PYTHON = join(FOLDER, 'other-languages/broker.py');
const PHP = join(FOLDER, 'other-languages/broker.php');
const COMMANDS: Readonly<Record<string, (port: number) => readonly [string, ...string[]]>> = {
  Node: () => [process.execPath, '--import', 'tsx', SERVER],
  Python: () => ['python3', PYTHON],
  PHP: (port) => ['php', '-S', `127.0.0.1:${port}`, PHP],
};
export const LANGUAGES = Object.keys(COMMANDS);
export type Environment = Readonly<Record<string, string>>;

/** Resolves when it responds. Undefined: its interpreter is missing, and the test is skipped; in CI it fails. */
export async function startServer(
  t: TestContext,
  language: string,
  env: Environment,
): Promise<{ child: ChildProcess; url: string; log(): string } | undefined> {
  const port = await freePort();
  const [program = '', ...args] = COMMANDS[language]?.(port) ?? [];
  if (spawnSync(program, ['--version']).error) {
    const sentence = `There is no ${program}: apt-get install php-cli python3, as root.`;
    assert.ok(!process.env['CI'], sentence);
    t.skip(sentence);
    return undefined;
  }
  const child = spawn(program, args, { env: { ...process.env, ...env, PORT: String(port) } });
  t.after(() => child.kill('SIGKILL'));
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (log += String(part)));
  const url = `http://127.0.0.1:${port}/dialer/`;
  while (!(await fetch(url).catch(() => undefined))) {
    assert.equal(child.exitCode, null, log);
    await delay(50);
  }
  return { child, url, log: () => log };
}

/** Nobody listens on it, and the system gives it to nobody: those that it gives begin above 32,000. */
export async function freePort(): Promise<number> {
  const port = randomInt(20_000, 32_000);
  const probe = createServer().listen(port, '127.0.0.1');
  try {
    await once(probe, 'listening');
  } catch {
    return freePort();
  }
  await once(probe.close(), 'close');
  return port;
}
