/** Three uses of Vite: the demo in development, the package as modules, and the package as one plain script. */
import { fileURLToPath } from 'node:url';
import vue from '@vitejs/plugin-vue';
import { defineConfig, type UserConfig } from 'vite';
import { demoServer } from './demo/dev/dev-server.ts';
import { PACKAGE } from './demo/dev/package-alias.ts';
import { plainPages } from './demo/dev/plain-pages.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** `npm run dev`: the page, the companion and the sandbox on one port. */
const demo: UserConfig = {
  root: here('demo'),
  // Only what exists is a page: a program that asks for a wrong address gets a 404 and not the CRM.
  appType: 'mpa',
  resolve: {
    // Lit's development build would talk in the console of whoever tries the demo.
    conditions: ['module', 'browser', 'production'],
    alias: PACKAGE,
  },
  server: {
    host: '127.0.0.1',
    port: 5173,
    // The companion and the sandbox say for themselves which origins may ask; Vite would answer in their place.
    cors: false,
    // And nothing else: the databases lie in the same folder.
    fs: { allow: ['demo', 'src', 'node_modules'].map(here) },
  },
  plugins: [vue(), demoServer(), plainPages()],
};

/**
 * The modules for bundlers, each a file of `dist` by its name here, and an entry of `exports` in package.json. What two of
 * them share comes as a chunk beside them.
 */
const ENTRIES: Readonly<Record<string, string>> = {
  index: 'src/index.ts',
  // A file of its own, because it has to run before Lit.
  'trusted-types': 'src/page/trusted-types.ts',
  element: 'src/element.ts',
  react: 'src/react.ts',
  vue: 'src/vue.ts',
  testing: 'src/testing/fake-phone.ts',
};

/** Left to the page's own bundler to find, and to share with the rest of the page. */
const EXTERNAL = [/^lit/, /^ky/, /^zod/, /^react/, 'vue'];

/** Readable: the page's bundler minifies. */
const modules: UserConfig = {
  publicDir: false,
  build: {
    target: 'es2022',
    minify: false,
    lib: {
      entry: Object.fromEntries(Object.entries(ENTRIES).map(([name, path]) => [name, here(path)])),
      formats: ['es'],
    },
    rolldownOptions: { external: EXTERNAL, output: { chunkFileNames: 'chunks/[name].js' } },
  },
};

/** `dist/partner-dialer.js`, for a plain script tag: one classic script. */
const script: UserConfig = {
  publicDir: false,
  build: {
    target: 'es2022',
    emptyOutDir: false,
    lib: {
      entry: here('src/script.ts'),
      formats: ['iife'],
      name: 'unused',
      fileName: () => 'partner-dialer.js',
    },
  },
};

export default defineConfig(({ command, mode }) => {
  if (command === 'serve') return demo;
  return mode === 'script' ? script : modules;
});
