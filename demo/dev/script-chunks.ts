/**
 * Makes plain scripts of the chunks that the bundler writes as modules. Each leaves a function on its own tag, which is
 * given what it needs of the others; so nothing is global, and every browser can check the hash of every file.
 */
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { minify_sync as foldSync } from 'terser';
import { minifySync, parseAst, Visitor, type ESTree, type Plugin, type Rollup } from 'vite';
import { withCuts, type Cut } from './code-cuts.ts';

const LOADER = fileURLToPath(new URL('../../src/page/script-chunks.ts', import.meta.url));
const PHONE = fileURLToPath(new URL('../../src/element/phone.ts', import.meta.url));
const ENTRY = fileURLToPath(new URL('../../src/script.ts', import.meta.url));
const SOURCE = fileURLToPath(new URL('../../src/', import.meta.url));
const FIRST = 'partner-dialer.js';
/** A chunk that pins those which come once the phone is ready: what has to be there before pins this one only. */
const PINS = 'pins';
/**
 * A plain script is read in the page's encoding, and not every page names one. A byte order mark counts before all that is
 * said of the encoding, and is shorter than Vietnamese in ASCII.
 */
const UTF_8 = '\ufeff';
const MAKE = 'document.currentScript.make=';
/** A chunk of the bundler's own, with one function: it makes the object that an import on demand resolves to. */
const RUNTIME = 'rolldown-runtime.js';
const EXPORT_ALL =
  '=(all)=>{let made={};for(let name in all)Object.defineProperty(made,name,{get:all[name]});return made};';
export function scriptChunks(): Plugin {
  return {
    name: 'script-chunks',
    transform(code, id) {
      if (!id.startsWith(SOURCE) || !/\bimport\(/.test(code)) return null;
      const wrapped = code.replaceAll(/\bimport\(([^()]*)\)/g, 'loadChunk(import($1))');
      return { code: `import { loadChunk } from ${JSON.stringify(LOADER)};\n${wrapped}`, map: null };
    },
    generateBundle(_, bundle, isWritten) {
      // A page of the demo that waits for it is better served soon than with the smallest code.
      const minify = isWritten ? folded : minified;
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const first = chunks.find(({ isEntry }) => isEntry);
      if (!first) throw new Error('There is no first file.');
      const early = reachOf(first, chunks);
      const files = new Map<string, string>();
      const pin = (name: string, code: string) => {
        const hash = createHash('sha256').update(code).digest('base64');
        // The loader makes the same name of the hash.
        files.set(`partner-dialer.${name}.${hash.slice(0, 8).replaceAll(/\W/g, '_')}.js`, code);
        return hash;
      };
      const rowsOf = (several: readonly Rollup.OutputChunk[], rows?: string) =>
        JSON.stringify(
          Object.fromEntries(
            several.map((chunk) => {
              const { code, needs } = asFunction(
                chunk,
                chunk.dynamicImports.length > 0 ? rows : undefined,
                minify,
              );
              const name = nameOfFile(chunk.fileName);
              const needed = needs.map((need) => (need === first.fileName ? '' : nameOfFile(need)));
              return [name, [pin(name, code), ...needed]];
            }),
          ),
        );
      const others = chunks.filter(({ fileName }) => fileName !== first.fileName && fileName !== RUNTIME);
      const late = rowsOf(others.filter(({ fileName }) => !early.has(fileName)));
      const pins = JSON.stringify({ [PINS]: [pin(PINS, `${UTF_8}${MAKE}(()=>({chunks:${late}}));\n`)] });
      first.code = asScript(
        first,
        rowsOf(
          others.filter(({ fileName }) => early.has(fileName)),
          pins,
        ),
        minify,
      );
      first.fileName = FIRST;
      delete bundle[RUNTIME];
      for (const { fileName } of others) delete bundle[fileName];
      for (const [fileName, source] of files) this.emitFile({ type: 'asset', fileName, source });
    },
  };
}

/** What a chunk imports on demand, with all that this needs. */
function reachOf(from: Rollup.OutputChunk, chunks: readonly Rollup.OutputChunk[]): ReadonlySet<string> {
  const found = new Set<string>([from.fileName]);
  const add = (fileName: string) => {
    if (found.has(fileName)) return;
    found.add(fileName);
    for (const need of chunks.find((each) => each.fileName === fileName)?.imports ?? [])
      if (need !== RUNTIME) add(need);
  };
  for (const fileName of from.dynamicImports) add(fileName);
  return found;
}

function asScript(first: Rollup.OutputChunk, rows: string, minify: Minify): string {
  const { body, exported } = take(first);
  const code = body.replaceAll('FIRST_FILE', `({${exported}})`).replaceAll('CHUNKS', rows);
  return `${UTF_8}${minify(`(()=>{"use strict";${code}})();`)}`;
}

/** @param pins what pins the chunks that it loads */
function asFunction(chunk: Rollup.OutputChunk, pins: string | undefined, minify: Minify) {
  const { body, imported, exported } = take(chunk);
  const needs = [...imported.keys()];
  const names = needs.map((_, index) => `$${index}`);
  const given = needs.map((need, index) => `const{${imported.get(need)}}=$${index};`).join('');
  const result = `{${[exported, pins && `chunks:${pins}`].filter(Boolean).join(',')}}`;
  const code = `${MAKE}(${names.join(',')})=>{"use strict";${given}${body};return${result}};`;
  const make = minify(code).trim().slice(MAKE.length).replace(/;$/, '');
  // In parentheses: browsers parse such a function at once, off the main thread where they can, and not again for its call.
  const script = `${MAKE}(${make});\n`;
  return { code: `${UTF_8}${script}`, needs };
}

type Minify = (code: string) => string;

/** A function put into the place of its only use would share what that keeps alive: elements that were removed, for one. */
const FOLDS = { passes: 3, reduce_funcs: false } as const;

/** Terser folds more than the bundler's own minifier, and that one finds the shorter names. */
function folded(code: string): string {
  const { code: shorter = '' } = foldSync(code, { ecma: 2022, compress: FOLDS, mangle: false });
  return minified(shorter);
}

function minified(code: string): string {
  const { code: small, errors } = minifySync('chunk.js', code, { module: false });
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
  return `${small.trim()}\n`;
}

/** The code of a chunk without its imports and exports; those as the inside of an object pattern and of an object. */
function take({ code, fileName }: Rollup.OutputChunk) {
  const imported = new Map<string, string>();
  const exported: string[] = [];
  const cuts: Cut[] = [];
  const cut = ({ start, end }: { start: number; end: number }) => cuts.push({ start, end, text: '' });
  const program = parseAst(code);
  for (const node of program.body) {
    if (node.type === 'ImportDeclaration') {
      const pairs = node.specifiers.map((each) => {
        if (each.type !== 'ImportSpecifier') throw new Error(`${fileName} imports more than names.`);
        return `${nameOf(each.imported)}:${each.local.name}`;
      });
      const from = fileOf(node.source.value);
      if (from === RUNTIME) {
        cuts.push({ ...node, text: `const ${node.specifiers[0]?.local.name}${EXPORT_ALL}` });
        continue;
      }
      imported.set(from, [imported.get(from), ...pairs].filter(Boolean).join(','));
      cut(node);
    } else if (node.type === 'ExportNamedDeclaration') {
      exported.push(...node.specifiers.map((each) => `${nameOf(each.exported)}:${nameOf(each.local)}`));
      cut(node);
    }
  }
  cuts.push(...cutsOfImports(program));
  return { body: withCuts(code, cuts).trim(), imported, exported: exported.join(',') };
}

/** From `loadChunk(import('./a.js').then(…))` to `loadChunk('a').then(…)`. */
function cutsOfImports(program: ESTree.Program): Cut[] {
  const calls: ESTree.CallExpression[] = [];
  const imports: ESTree.ImportExpression[] = [];
  const visitor = new Visitor({
    CallExpression: (call) => void calls.push(call),
    ImportExpression: (each) => void imports.push(each),
  });
  visitor.visit(program);
  return imports.flatMap(({ start, end, source }) => {
    for (const call of calls) {
      const [given] = call.arguments;
      if (given?.start !== start || call.callee.type !== 'Identifier' || source.type !== 'Literal') continue;
      const name = nameOfFile(fileOf(String(source.value)));
      return [
        { start: call.start, end: start, text: '' },
        { start, end, text: `${call.callee.name}(${JSON.stringify(name)})` },
        { start: given.end, end: call.end, text: '' },
      ];
    }
    throw new Error('A dynamic import without loadChunk.');
  });
}

function nameOf(node: { type: string; name?: string; value?: unknown }): string {
  return node.name ?? String(node.value);
}

function fileOf(path: string): string {
  return path.replace(/^\.\//, '');
}

function nameOfFile(file: string): string {
  return file.replace(/\.js$/, '');
}

/**
 * What the phone is made of comes with it, whatever else uses it later, and not in a dozen files. So does what several of
 * those parts have in common that are fetched once the phone is ready.
 */
export function chunkOf(id: string, context: ChunkContext): string | null {
  const reachable = (entry: string) => {
    const found = new Set<string>();
    const add = (each: string) => {
      if (found.has(each)) return;
      found.add(each);
      context.getModuleInfo(each)?.importedIds.forEach(add);
    };
    add(entry);
    return found;
  };
  const first = reachable(ENTRY);
  if (first.has(id)) return 'first';
  const phone = reachable(PHONE);
  if (phone.has(id)) return 'phone';
  const onDemand = (of: ReadonlySet<string>) =>
    [...of].flatMap((each) => context.getModuleInfo(each)?.dynamicallyImportedIds ?? []);
  const early = onDemand(first);
  const late = [...new Set(onDemand(phone))].filter((each) => !early.includes(each));
  if (early.some((each) => reachable(each).has(id))) return null;
  const reaching = late.filter((each) => reachable(each).has(id));
  if (reaching.length > 1) return 'shared';
  // The dialer's and the SDK's: nobody wants one without the other.
  return reaching[0]?.endsWith('/calls.ts') ? 'calls' : null;
}

interface ChunkContext {
  getModuleInfo(id: string): ModuleImports | null;
}

interface ModuleImports {
  readonly importedIds: readonly string[];
  readonly dynamicallyImportedIds: readonly string[];
}
