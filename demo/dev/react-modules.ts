/**
 * React as modules, for development: it comes as CommonJS, which browsers do not run. Bundled when a page first asks for
 * it, and in memory, see `optimizeDeps` in vite.config.ts.
 */
import { createRequire } from 'node:module';
import { build, type Plugin, type Rollup } from 'vite';

const ENTRIES = ['react', 'react-dom/client', 'react/jsx-dev-runtime'];
const BUNDLE = '\0react-bundle';
const ENTRY = '/react-entry.js';
const PREFIX = '\0react:';

export function reactModules(): Plugin {
  let bundle: Promise<string> | undefined;
  return {
    name: 'react-modules',
    apply: 'serve',
    enforce: 'pre',
    resolveId(name) {
      if (name === BUNDLE) return BUNDLE;
      return ENTRIES.includes(name) ? PREFIX + name : undefined;
    },
    load(id) {
      if (id === BUNDLE) return (bundle ??= makeBundle());
      if (!id.startsWith(PREFIX)) return undefined;
      const name = id.slice(PREFIX.length);
      const names = Object.keys(createRequire(import.meta.url)(name) as object);
      return `import { _${ENTRIES.indexOf(name)} as all } from ${JSON.stringify(BUNDLE)};
        export default all;
        export const { ${names.join(', ')} } = all;`;
    },
  };
}

/** All of it, so that there is one React. */
async function makeBundle(): Promise<string> {
  const entry: Plugin = {
    name: 'react-entry',
    resolveId: (name) => (name === ENTRY ? ENTRY : undefined),
    load: (id) =>
      id === ENTRY
        ? ENTRIES.map((name, index) => `export * as _${index} from ${JSON.stringify(name)};`).join('\n')
        : undefined,
  };
  const output = (await build({
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"development"' },
    plugins: [entry],
    build: { write: false, minify: false, target: 'es2022', lib: { entry: ENTRY, formats: ['es'] } },
  })) as Rollup.RollupOutput[];
  const [chunk] = output[0]?.output ?? [];
  if (!chunk) throw new Error('React could not be bundled.');
  return chunk.code;
}
