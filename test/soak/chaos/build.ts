/** Puts the companion of the chaos test in one file: it is started hundreds of times, often on a busy machine. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

export interface Built {
  readonly script: string;
  remove(): Promise<void>;
}

export async function buildCompanion(): Promise<Built> {
  // Inside the project, as the native part of SQLite is found from there.
  const outDir = join(ROOT, 'node_modules/.cache', `chaos-${process.pid}`);
  const name = 'companion.mjs';
  await build({
    configFile: false,
    root: ROOT,
    publicDir: false,
    logLevel: 'warn',
    ssr: { noExternal: true, external: ['libsql'] },
    build: {
      ssr: join(ROOT, 'test/soak/chaos/companion.ts'),
      outDir,
      target: 'node20',
      minify: false,
      rolldownOptions: { output: { entryFileNames: name } },
    },
  });
  return { script: join(outDir, name), remove: () => rm(outDir, { recursive: true, force: true }) };
}
