import { readFileSync } from 'node:fs';
import { customElementJetBrainsPlugin } from 'custom-element-jet-brains-integration';
import { customElementVsCodePlugin } from 'custom-element-vs-code-integration';

const { DEFAULT_SDK_URL } =
  /const (?<name>DEFAULT_SDK_URL) = (?<DEFAULT_SDK_URL>'[^']*')/.exec(
    readFileSync(new URL('src/element/attributes.ts', import.meta.url), 'utf8'),
  )?.groups ?? {};

/** Only what a page may use belongs into the manifest. */
const publicOnly = {
  name: 'public-only',
  packageLinkPhase({ customElementsManifest }) {
    for (const module of customElementsManifest.modules) {
      for (const declaration of module.declarations ?? []) {
        declaration.members = declaration.members?.filter(
          ({ privacy, name }) => (privacy ?? 'public') === 'public' && !name.startsWith('#'),
        );
        // The analyzer takes constructor arguments of other events for names; ours all have a description.
        declaration.events = declaration.events?.filter(({ description }) => description);
        for (const field of [...(declaration.members ?? []), ...(declaration.attributes ?? [])]) {
          if (field.default === 'DEFAULT_SDK_URL') field.default = DEFAULT_SDK_URL;
          // The constructor's argument of the same name.
          if (field.default === field.name) delete field.default;
        }
      }
    }
  },
};

const DEFINITION = 'dist/index.js';
const CLASSES = 'dist/element.js';

/** Whoever reads the manifest has the package, and not the sources. */
const shippedFiles = {
  name: 'shipped-files',
  packageLinkPhase({ customElementsManifest }) {
    const { modules } = customElementsManifest;
    const { exports: exported } = modules.find(({ path }) => path === 'src/element.ts');
    const declarations = modules
      .flatMap((module) => module.declarations ?? [])
      .filter(({ name }) => exported.some((one) => one.name === name));
    const exports = declarations.map(({ name }) => ({
      kind: 'js',
      name,
      declaration: { name, module: CLASSES },
    }));
    const definitions = modules
      .flatMap((module) => module.exports ?? [])
      .filter(({ kind }) => kind === 'custom-element-definition')
      .map((one) => ({ ...one, declaration: { ...one.declaration, module: CLASSES } }));
    for (const declaration of declarations) {
      const { superclass } = declaration;
      // What two events of ours have in common is nobody else's.
      if (superclass?.module)
        declaration.superclass = { name: superclass.name === 'Error' ? 'Error' : 'CustomEvent' };
    }
    customElementsManifest.modules = [
      { kind: 'javascript-module', path: CLASSES, declarations, exports },
      {
        kind: 'javascript-module',
        path: DEFINITION,
        declarations: [],
        exports: [...exports, ...definitions],
      },
    ];
  },
};

const EDITORS = { outdir: 'dist', hideLogs: true };

export default {
  globs: ['element/partner-dialer', 'index', 'element', 'element/events', 'errors'].map(
    (name) => `src/${name}.ts`,
  ),
  outdir: '.',
  litelement: true,
  plugins: [
    publicOnly,
    shippedFiles,
    customElementVsCodePlugin(EDITORS),
    customElementJetBrainsPlugin(EDITORS),
  ],
};
