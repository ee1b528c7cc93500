/** The companion as people start it: a process of its own. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { SignJWT } from 'jose';
import { runCommand } from '../commands.ts';
import type { Ending, StubVendor } from './vendor.ts';

export const FOLDER = fileURLToPath(new URL('..', import.meta.url));
const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));
/** Of Node, to start the companion. */
export const ARGS = ['--import', import.meta.resolve('tsx'), MAIN];

export type Environment = Readonly<Record<string, string>>;

/** As for the companion of this vendor. */
export function environmentOf({ baseUrl, apiKey }: StubVendor, databaseUrl: string): Environment {
  return {
    VENDOR_BASE_URL: baseUrl,
    VENDOR_API_KEY: apiKey,
    DATABASE_URL: databaseUrl,
    AUTH_JWT_SECRET: 's'.repeat(32),
    AUTH_AUDIENCE: 'companion',
    PORT: '0',
  };
}

/** A bearer token that `environmentOf` accepts. */
export function signToken(memberNo: string): Promise<string> {
  return new SignJWT({ member_no: memberNo })
    .setProtectedHeader({ alg: 'HS256' })
    .setAudience('companion')
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode('s'.repeat(32)));
}

/** Runs a command to its end, in a process of its own. */
export function spawnCommand(args: readonly string[], env: Environment = {}): Promise<Outcome> {
  return runProgram(MAIN, args, env);
}

export interface Outcome {
  readonly exit: number | null;
  readonly out: string;
  readonly err: string;
}

/** From its source, in a process of its own, to its end. */
export async function runProgram(
  program: string,
  args: readonly string[],
  env: Environment = {},
): Promise<Outcome> {
  const child = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), program, ...args], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    timeout: 60_000,
  });
  const [[exit], out, err] = await Promise.all([
    once(child, 'close') as Promise<[number | null]>,
    text(child.stdout),
    text(child.stderr),
  ]);
  return { exit, out, err };
}

/** Runs a command to its end, in this process. */
export async function run(args: readonly string[], env: Environment = {}): Promise<Outcome> {
  let [out, err] = ['', ''];
  const terminal = {
    env,
    out: (line: string) => void (out += `${line}\n`),
    err: (line: string) => void (err += `${line}\n`),
  };
  const exit = await runCommand(args, undefined, terminal);
  return { exit, out, err };
}

export interface Running {
  readonly origin: string;
  readonly child: ChildProcess;
  output(): string;
}

/** Starts it, or another command that starts it; resolves when it serves. */
export async function start(
  t: Ending,
  env: Environment,
  command?: readonly [string, ...string[]],
): Promise<Running> {
  const [program, ...args] = command ?? [process.execPath, ...ARGS];
  const child = spawn(program, args, {
    cwd: FOLDER,
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...env },
    // Longer than any test: a child that is left would keep the run from ending.
    timeout: 120_000,
    killSignal: 'SIGKILL',
  });
  t.after(() => child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => (output += part));
  }
  while (!/"msg":"Vendor: /.test(output)) {
    if (child.exitCode !== null) throw new Error(`The companion has ended:\n${output}`);
    await Promise.race([once(child.stdout, 'data'), once(child, 'close')]);
  }
  return { origin: /http:[^\s"]+/.exec(output)?.[0] ?? '', child, output: () => output };
}
