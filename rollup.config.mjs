/** The types: what `tsc` has written of each module becomes one file per entry, with what they share beside them. */
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dts } from 'rollup-plugin-dts';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const SOURCE = here('src');
const EMITTED = here('node_modules/.cache/types');

/** The compiler leaves the endings of relative imports as they are in the sources. */
const emittedImports = {
  name: 'emitted-imports',
  resolveId(name, importer) {
    if (importer === undefined || !/^\.{1,2}\/.*\.ts$/.test(name)) return null;
    return resolve(dirname(importer), name).replace(SOURCE, EMITTED).replace(/\.ts$/, '.d.ts');
  },
};

/** A page has React or Vue, or neither: what is not installed must not fail where libraries are checked as well. */
const optionalPeers = {
  name: 'optional-peers',
  renderChunk: (code, { name }) =>
    name === 'frameworks'
      ? code.replaceAll(/^import .* from '(?:react|vue)';$/gm, '// @ts-ignore\n$&')
      : null,
};

const MODULES = {
  index: 'index',
  element: 'element',
  react: 'react',
  vue: 'vue',
  testing: 'testing/fake-phone',
};
const entries = Object.entries(MODULES).map(([name, path]) => [name, `${EMITTED}/${path}.d.ts`]);

export default {
  // Nobody imports what only adds to the types of others.
  input: { ...Object.fromEntries(entries), frameworks: `${SOURCE}/frameworks.d.ts` },
  output: {
    dir: 'dist/types',
    chunkFileNames: '[name].ts',
    minifyInternalExports: false,
    banner: ({ name }) => (name === 'index' ? "import './frameworks.js';" : ''),
  },
  external: [/^lit/, /^ky/, /^zod/, /^react/, 'vue'],
  plugins: [emittedImports, dts(), optionalPeers],
};
