/** The package `partner-dialer-sandbox`: the command for Node, and the script that it serves. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig(({ mode }) =>
  mode === 'script'
    ? {
        root: here('.'),
        publicDir: false,
        // A library build leaves this name to the next bundler, and there is none.
        define: { 'process.env.NODE_ENV': '"production"' },
        build: {
          emptyOutDir: false,
          license: { fileName: 'THIRD-PARTY-LICENSES.md' },
          lib: {
            entry: here('sdk/widget.ts'),
            formats: ['iife'],
            name: 'VBotWidget',
            fileName: () => 'vbot-sdk.js',
          },
        },
      }
    : {
        root: here('.'),
        publicDir: false,
        build: {
          ssr: here('command.ts'),
          target: 'node20',
          minify: false,
          license: { fileName: 'THIRD-PARTY-LICENSES.command.md' },
          // The packages stay dependencies, but for one whose files Node does not find by their own names.
          rolldownOptions: { output: { entryFileNames: 'command.js', chunkFileNames: '[name].js' } },
        },
        ssr: { noExternal: ['sip.js'] },
      },
);
