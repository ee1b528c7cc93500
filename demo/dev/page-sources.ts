/** What the demo's pages are written in, and where: they import the package by its name, and get its sources. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transformWithOxc, type Plugin } from 'vite';

const source = (path: string) => fileURLToPath(new URL(`../../src/${path}.ts`, import.meta.url));

/** For development and for builds. */
export function pageSources(): Plugin {
  return {
    name: 'page-sources',
    config: () => ({
      resolve: {
        alias: [
          { find: /^partner-dialer\/(react|vue|element)$/, replacement: source('$1') },
          { find: /^partner-dialer\/testing$/, replacement: source('testing/fake-phone') },
          { find: /^partner-dialer$/, replacement: source('index') },
        ],
      },
      define: {
        // Vue asks for them to be named.
        __VUE_OPTIONS_API__: 'true',
        __VUE_PROD_DEVTOOLS__: 'false',
        __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
      },
    }),
    /** What `@vitejs/plugin-vue` does, as far as a component without styles needs it. */
    async load(id) {
      if (!id.endsWith('.vue')) return undefined;
      const { compileScript, parse } = await import('vue/compiler-sfc');
      const { descriptor } = parse(await readFile(id, 'utf8'), { filename: id });
      const { content } = compileScript(descriptor, { id: 'page', inlineTemplate: true });
      return transformWithOxc(content, `${id}.ts`, { sourcemap: false });
    },
  };
}
