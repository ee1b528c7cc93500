/** `npm run dev`: the demo's pages, the companion and the sandbox on one port. */
import { fileURLToPath } from 'node:url';
import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vite';
import { demoServer } from './dev/dev-server.ts';
import { PACKAGE } from './dev/package-alias.ts';
import { plainPages } from './dev/plain-pages.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: here('.'),
  // Only what exists is a page: a program that asks for a wrong address gets a 404 and not the CRM.
  appType: 'mpa',
  resolve: {
    // Lit's development build would talk in the console of whoever tries the demo.
    conditions: ['module', 'browser', 'production'],
    alias: PACKAGE,
  },
  // All pages: what is found only when somebody opens one would reload the others.
  optimizeDeps: { entries: ['*.html', 'pages/*.html'] },
  server: {
    host: '127.0.0.1',
    port: 5173,
    // The companion and the sandbox say for themselves which origins may ask; Vite would answer in their place.
    cors: false,
    // And nothing else: the databases lie in the same folder.
    fs: { allow: ['.', '../src', '../node_modules', '../custom-elements.json'].map(here) },
  },
  // `npx vite build demo`: the playground as files, for any web server.
  base: './',
  build: { rolldownOptions: { input: here('playground.html') } },
  plugins: [vue(), demoServer(), plainPages()],
});
