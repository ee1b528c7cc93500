/** What the plain script makes a page fetch, in kB with `gzip -9`: the parts that have a goal. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { measure } from '../../demo/tools/budgets.ts';
import type { Measure } from './measure.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const KB = 1000;

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
    const rows = await measure(folder);
    return rows
      .filter(({ limit }) => limit < Infinity)
      .map(({ what, bytes, limit }) => ({
        name: `kB: ${what}`,
        value: bytes / KB,
        goal: limit / KB,
        note: '',
      }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
