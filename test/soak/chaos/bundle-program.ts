/** Puts a program in one file, as a test that starts it dozens of times has no time to have each module compiled. */
import { rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** Inside the project, as what is not bundled is found from there. */
const FOLDER = join(ROOT, 'node_modules/.cache', `programs-${process.pid}`);

const bundled = new Map<string, Promise<string>>();

/** @returns the path of the file, which is there until this process ends */
export function bundleProgram(source: string): Promise<string> {
  const known = bundled.get(source);
  if (known) return known;
  if (bundled.size === 0) process.once('exit', () => rmSync(FOLDER, { recursive: true, force: true }));
  const building = bundle(source, join(FOLDER, String(bundled.size)));
  bundled.set(source, building);
  return building;
}

async function bundle(source: string, outDir: string): Promise<string> {
  const name = basename(source).replace(/\.ts$/, '.mjs');
  await build({
    configFile: false,
    root: ROOT,
    publicDir: false,
    logLevel: 'error',
    // Native, or what the sandbox makes its script with.
    ssr: { noExternal: true, external: ['libsql', 'vite'] },
    build: {
      ssr: source,
      outDir,
      target: 'node20',
      minify: false,
      rolldownOptions: { output: { entryFileNames: name } },
    },
  });
  return join(outDir, name);
}
