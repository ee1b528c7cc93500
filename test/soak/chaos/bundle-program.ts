/** Puts a program in one file, as a test that starts it dozens of times has no time to have each module compiled. */
import { rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** Inside the project, as what is not bundled is found from there. */
const FOLDER = join(ROOT, 'node_modules/.cache', `program-${process.pid}`);

/** @returns the path of the file, which is there until this process ends */
export async function bundleProgram(source: string): Promise<string> {
  process.once('exit', () => rmSync(FOLDER, { recursive: true, force: true }));
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
      outDir: FOLDER,
      target: 'node20',
      minify: false,
      rolldownOptions: { output: { entryFileNames: name } },
    },
  });
  return join(FOLDER, name);
}
