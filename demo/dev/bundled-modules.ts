/**
 * Dependencies as one file each, for development: React comes as CommonJS, which browsers do not run, and zod in a hundred
 * files. Bundled when a page first asks for them, and in memory, see `optimizeDeps` in vite.config.ts.
 */
import { createRequire } from 'node:module';
import { build, type Plugin, type Rollup } from 'vite';

/** In one bundle, so that there is one React. */
const REACT = ['react', 'react-dom/client', 'react/jsx-dev-runtime'];
const REACT_BUNDLE = '\0bundle:react';
const ZOD = ['zod/mini', 'zod/v4/core'];
const PREFIX = '\0bundled:';
const ENTRY = '/entry-of-bundle.js';

export function bundledModules(): Plugin {
  const bundles = new Map<string, Promise<string>>();
  const bundle = (name: string, entry: string) => {
    const made = bundles.get(name) ?? makeBundle(entry);
    bundles.set(name, made);
    return made;
  };
  return {
    name: 'bundled-modules',
    apply: 'serve',
    enforce: 'pre',
    resolveId(name) {
      if (name === REACT_BUNDLE) return name;
      return [...ZOD, ...REACT].includes(name) ? PREFIX + name : undefined;
    },
    load(id) {
      if (id === REACT_BUNDLE) {
        const lines = REACT.map((name, index) => `export * as _${index} from ${JSON.stringify(name)};`);
        return bundle(id, lines.join('\n'));
      }
      if (!id.startsWith(PREFIX)) return undefined;
      const name = id.slice(PREFIX.length);
      if (ZOD.includes(name)) return bundle(id, `export * from ${JSON.stringify(name)};`);
      const names = Object.keys(createRequire(import.meta.url)(name) as object);
      return `import { _${REACT.indexOf(name)} as all } from ${JSON.stringify(REACT_BUNDLE)};
        export default all;
        export const { ${names.join(', ')} } = all;`;
    },
  };
}

async function makeBundle(code: string): Promise<string> {
  const entry: Plugin = {
    name: 'entry-of-bundle',
    resolveId: (name) => (name === ENTRY ? ENTRY : undefined),
    load: (id) => (id === ENTRY ? code : undefined),
  };
  const output = (await build({
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"development"' },
    plugins: [entry],
    build: { write: false, minify: false, target: 'es2022', lib: { entry: ENTRY, formats: ['es'] } },
  })) as Rollup.RollupOutput[];
  const [chunk] = output[0]?.output ?? [];
  if (!chunk) throw new Error('Nothing was bundled.');
  return chunk.code;
}
