/** The package's code without what nobody uses of its libraries, and without blanks that mean nothing. */
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { LibraryCuts } from './library-cuts.ts';
import { SHEET, sheetOf, withTightTemplates } from './tight-templates.ts';

const SOURCE = fileURLToPath(new URL('../../src/', import.meta.url));
const LIT = 'lit-without-its-element';
/** The one decorator of the package returns nothing. */
const DECORATE = 'export default ([decorate], prototype, name) => decorate(prototype, name);';

/** @param keepsZod for a page that uses more of zod than the package does */
export function leanCode(keepsZod = true): Plugin {
  const libraries = new LibraryCuts(keepsZod);
  return {
    name: 'lean-code',
    // Without `LitElement`, which nobody uses.
    resolveId: { order: 'pre', handler: (name) => (name === 'lit' ? LIT : name === SHEET ? SHEET : null) },
    load: (id) => {
      if (id === SHEET) return sheetOf;
      return id === LIT ? "export * from '@lit/reactive-element'; export * from 'lit-html';" : null;
    },
    transform(code, id) {
      if (/@oxc-project.*\/decorate/.test(id)) return { code: DECORATE, map: null };
      const lean =
        libraries.apply(code, id) ?? (id.startsWith(SOURCE) ? withTightTemplates(code) : undefined);
      return lean === undefined ? null : { code: lean, map: null };
    },
    generateBundle: () => libraries.requireAllUsed(),
  };
}
