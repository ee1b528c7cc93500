/** How large the plain script is, in kB with `gzip -9`. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import type { Measure } from './measure.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const GOAL_KB = 82;

/** @returns the folder with the plain script, to be removed by the caller */
export async function buildScript(): Promise<string> {
  const outDir = await mkdtemp(join(tmpdir(), 'plain-script-'));
  const configFile = join(ROOT, 'vite.config.ts');
  await build({ root: ROOT, configFile, logLevel: 'error', mode: 'script', build: { outDir } });
  return outDir;
}

export async function benchSizes(): Promise<Measure[]> {
  const folder = await buildScript();
  try {
    const { length } = gzipSync(await readFile(join(folder, 'partner-dialer.js')), { level: 9 });
    return [{ name: 'kB: partner-dialer.js', value: length / 1000, goal: GOAL_KB, note: '' }];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
