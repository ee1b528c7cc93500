/** `npm run build`: the package as modules for bundlers, and as one plain script (`--mode script`). */
import { fileURLToPath } from 'node:url';
import terser from '@rollup/plugin-terser';
import { minifyTemplateLiterals } from 'rollup-plugin-minify-template-literals';
import { defineConfig, type UserConfig } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Each module is a file of `dist` by its name here, and an entry of `exports` in package.json. */
const ENTRIES: Readonly<Record<string, string>> = {
  index: here('src/index.ts'),
  // A file of its own, because it has to run before Lit.
  'trusted-types': here('src/page/trusted-types.ts'),
  element: here('src/element.ts'),
  react: here('src/react.ts'),
  vue: here('src/vue.ts'),
  testing: here('src/testing/fake-phone.ts'),
};

/** The page's own bundler finds these, shares them with the rest of the page, and minifies. */
const modules: UserConfig = {
  publicDir: false,
  build: {
    target: 'es2022',
    minify: false,
    sourcemap: true,
    lib: { entry: ENTRIES, formats: ['es'] },
    rolldownOptions: {
      external: [/^lit/, /^ky/, /^zod/, /^react/, 'vue'],
      output: { chunkFileNames: 'chunks/[name].js' },
      // 'use client' stays at the top of react.js: it has a file of its own.
      checks: { moduleLevelDirective: false },
    },
  },
};

/** The minifier drops the licences of what it packs together, and a page may copy this one file alone. */
const LICENCES = `/*! partner-dialer (MIT, Copyright (c) 2026 the partner-dialer authors) with
lit (BSD-3-Clause, Copyright (c) 2017 Google LLC), ky (MIT, Copyright (c) Sindre Sorhus) and
zod (MIT, Copyright (c) 2025 Colin McDonnell). Their texts: THIRD-PARTY-LICENSES.txt of the package. */
`;

/** `dist/partner-dialer.js`: one classic script for a plain tag. */
const script: UserConfig = {
  plugins: [
    // In the markup, a space can be text: one of several stays. Without its slash, a shape of an icon would hold the next one.
    minifyTemplateLiterals({
      include: 'src/**',
      options: {
        minifyOptions: { collapseWhitespace: true, conservativeCollapse: true, keepClosingSlash: true },
      },
    }),
    // What Vite's own minifier makes of this is 1.5 kB smaller (gzip). Inlined functions repeat code: with fewer, it packs better.
    // No getter has an effect, so what Lit exports for other packages goes.
    terser({
      ecma: 2020,
      compress: { passes: 3, inline: 1, pure_getters: true },
      format: { comments: /^!/ },
    }),
  ],
  publicDir: false,
  build: {
    target: 'es2022',
    emptyOutDir: false,
    sourcemap: true,
    lib: {
      entry: here('src/script.ts'),
      formats: ['iife'],
      // Vite wants a name; the script exports nothing, and so has no global.
      name: 'unused',
      fileName: () => 'partner-dialer.js',
    },
    // A byte order mark: else a page without a charset would show the Vietnamese words in its own encoding.
    rolldownOptions: { output: { postBanner: `\ufeff${LICENCES}` } },
  },
};

export default defineConfig(({ mode }) => (mode === 'script' ? script : modules));
