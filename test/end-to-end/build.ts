/** What end to end needs built: the demo's page, so that a browser asks for a few files instead of for each module, and the plain script. */
import { cp, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import vue from '@vitejs/plugin-vue';
import { build } from 'vite';
import { PACKAGE as ALIAS } from '../../demo/dev/package-alias.ts';
import { PLAIN_PAGES } from '../../demo/dev/plain-pages.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const DEMO = join(ROOT, 'demo');
const CACHE = join(ROOT, 'node_modules/.cache');
export const BUILT_DEMO = join(CACHE, 'demo');
/** With the script for a plain tag in it, as it is published. */
export const BUILT_SCRIPT = join(CACHE, 'script');
/** What attributes and plain pages name, which no bundler reads. */
const ASSETS = /\.(?:wav|svg)$|^pages\/(?:pages\.css|mounts\.js)$/;

export async function buildDemo(): Promise<void> {
  const all = await readdir(DEMO, { recursive: true });
  // The sandbox may have its own packages installed.
  const names = all.filter((name) => !name.includes('node_modules'));
  const pages = names.filter((name) => name.endsWith('.html') && !PLAIN_PAGES.includes(basename(name)));
  await build({
    configFile: false,
    root: DEMO,
    publicDir: false,
    logLevel: 'error',
    plugins: [vue()],
    resolve: { conditions: ['module', 'browser', 'production'], alias: ALIAS },
    // In development React mounts everything twice, and that is what its page is for.
    define: { 'process.env.NODE_ENV': '"development"' },
    build: {
      outDir: BUILT_DEMO,
      emptyOutDir: true,
      target: 'es2022',
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: Infinity,
      rolldownOptions: {
        input: pages.map((name) => join(DEMO, name)),
      },
    },
  });
  const assets = names.filter((name) => ASSETS.test(name));
  await Promise.all(assets.map((name) => cp(join(DEMO, name), join(BUILT_DEMO, name))));
}

export async function buildScript(): Promise<void> {
  await build({
    root: ROOT,
    configFile: join(ROOT, 'vite.config.ts'),
    mode: 'script',
    logLevel: 'error',
    build: { outDir: BUILT_SCRIPT, emptyOutDir: true },
  });
}
