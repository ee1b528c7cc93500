/** The package as it is published. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Inside the project, as what a package needs is found from there. */
const CACHE = join(ROOT, 'node_modules/.cache');
const TIMEOUT_MS = 120_000;

export interface Tarball {
  readonly path: string;
  readonly bytes: number;
  /** What is in it, unpacked. */
  readonly folder: string;
  /** Paths within it. */
  readonly files: readonly string[];
  remove(): Promise<void>;
}

/** Of what `npm run build` has written: tests that pack at the same time do not build over each other. */
export async function pack(folder: string = ROOT): Promise<Tarball> {
  await mkdir(CACHE, { recursive: true });
  const target = await mkdtemp(join(CACHE, 'tarball-'));
  await run('npm', ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', target], folder);
  const [name = ''] = await readdir(target);
  const path = join(target, name);
  await run('tar', ['-xzf', path], target);
  const unpacked = join(target, 'package');
  const entries = await readdir(unpacked, { recursive: true, withFileTypes: true });
  return {
    path,
    bytes: (await stat(path)).size,
    folder: unpacked,
    files: entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name: file }) => join(parentPath, file).slice(unpacked.length + 1))
      .toSorted(),
    remove: () => rm(target, { recursive: true, force: true }),
  };
}

/** @returns what it printed; rejects with all that it printed where it fails */
export async function run(command: string, args: readonly string[], cwd: string): Promise<string> {
  try {
    const { stdout, stderr } = await promisify(execFile)(command, args, { cwd, timeout: TIMEOUT_MS });
    return stdout + stderr;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${command} ${args.join(' ')}:\n${stdout}${stderr}`, { cause: error });
  }
}

export async function readJson(path: string): Promise<unknown> {
  return JSON.parse(await readFile(path, 'utf8'));
}
