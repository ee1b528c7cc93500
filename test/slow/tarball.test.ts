/** What a partner gets from the registry. `package.test.ts` installs it in projects of their own. */
import assert from 'node:assert/strict';
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { listLicences } from '../package/licences.ts';
import { pack, readJson, ROOT, run, type Tarball } from '../package/tarball.ts';

/** Without the source maps it was 510 kB. */
const LARGEST = 1_250_000;
const ENTRIES = [
  'partner-dialer',
  ...['element', 'react', 'vue', 'testing'].map((name) => `partner-dialer/${name}`),
];

interface HtmlData {
  readonly tags: readonly {
    readonly name: string;
    readonly attributes: readonly {
      readonly name: string;
      readonly description?: string;
      readonly values?: readonly { readonly name: string }[];
    }[];
  }[];
}

interface Manifest {
  readonly modules: readonly {
    readonly path: string;
    readonly exports: readonly { readonly kind: string; readonly name: string }[];
  }[];
}

let tarball: Tarball;
/** A project that has it installed, and finds what it needs besides in the folder around it. */
let project: string;

before(async () => {
  tarball = await pack();
  project = join(tarball.folder, '../project');
  await cp(tarball.folder, join(project, 'node_modules/partner-dialer'), { recursive: true });
  await writeFile(join(project, 'package.json'), '{"type":"module"}');
});
after(() => tarball.remove());

/** A program of that project; resolves with what it printed once it has ended by itself. */
async function node(program: string): Promise<unknown> {
  const file = join(project, `program-${Math.random()}.mjs`);
  await writeFile(file, program);
  return JSON.parse(await run(process.execPath, [file], project));
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

describe('the tarball', () => {
  it(`has at most ${LARGEST} bytes, and neither sources nor tests`, () => {
    assert.equal(tarball.bytes <= LARGEST, true, `${tarball.bytes} bytes`);
    const strange = tarball.files.filter(
      (file) =>
        !/^(?:dist\/.*\.(?:js|js\.map|d\.ts|json)|docs\/[\w-]+\.(?:md|png)|demo\/(?:pages|server)\/.*|[\w.-]+\.json|LICENSE|THIRD-PARTY-LICENSES\.txt)$/.test(
          file,
        ) &&
        !/^(?:demo\/(?:companion|sandbox)\/)?(?:[A-Z.vi]+\.md|docs\/[\w-]+\.md|deploy\/[\w@.]+)$/.test(file),
    );
    assert.deepEqual(strange, []);
    assert.deepEqual(
      tarball.files.filter((file) => /test|spec/.test(file.replaceAll('testing', ''))),
      [],
    );
  });

  it('is built by npm pack, as README says', async () => {
    for (const name of ['.', 'demo/companion', 'demo/sandbox']) {
      const { scripts } = (await readJson(join(ROOT, name, 'package.json'))) as { scripts: object };
      assert.equal(Reflect.get(scripts, 'prepack'), 'npm run build', name);
    }
  });

  it('marks its React component for the client, as servers that render React ask', async () => {
    assert.match(await readFile(join(tarball.folder, 'dist/react.js'), 'utf8'), /^['"]use client['"];/);
  });

  it('holds every file that its package.json names', async () => {
    const manifest = (await readJson(join(tarball.folder, 'package.json'))) as Record<string, unknown>;
    const named = ['exports', 'unpkg', 'customElements', 'web-types', 'sideEffects'];
    const paths = named.flatMap((name) => stringsIn(manifest[name])).map((path) => path.replace(/^\.\//, ''));
    const wanted = [...paths.filter((path) => path !== ''), 'LICENSE', 'CHANGELOG.md'];
    assert.deepEqual(
      wanted.filter((path) => !tarball.files.includes(path)),
      [],
    );
  });

  it('lists the licence of all it is made with', async () => {
    const told = await readFile(join(tarball.folder, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
    assert.equal(told, await listLicences(ROOT));
  });

  it('names in the script that is copied alone whose code it holds, behind the byte order mark', async () => {
    const script = await readFile(join(tarball.folder, 'dist/partner-dialer.js'), 'utf8');
    const banner = /^\uFEFF\/\*![^*]*\*\//.exec(script)?.[0] ?? '';
    const { dependencies } = (await readJson(join(ROOT, 'package.json'))) as { dependencies: object };
    const modules = Object.keys(dependencies).map((name) => join(ROOT, 'node_modules', name));
    for (const folder of [ROOT, ...modules]) {
      const { name, license } = (await readJson(join(folder, 'package.json'))) as Record<string, string>;
      const file = (await readdir(folder)).find((entry) => /^license/i.test(entry)) ?? '';
      const [copyright = ''] =
        /Copyright \(c\) [\w -]+/.exec(await readFile(join(folder, file), 'utf8')) ?? [];
      const told = `${name} (${license}, ${copyright.trim()})`;
      assert.equal(banner.includes(told), true, told);
    }
  });

  it('tells editors the attributes with their values, the events, the parts and the properties', async () => {
    const html = (await readJson(join(tarball.folder, 'dist/vscode.html-custom-data.json'))) as HtmlData;
    const [tag] = html.tags;
    const values = (name: string) =>
      tag?.attributes.find((one) => one.name === name)?.values?.map((value) => value.name);
    assert.equal(tag?.name, 'partner-dialer');
    assert.deepEqual(values('connect-mode'), ['auto', 'interaction', 'manual']);
    assert.deepEqual(values('theme'), ['auto', 'light', 'dark']);
    assert.deepEqual(
      tag?.attributes.filter(({ description = '' }) => description === '').map(({ name }) => name),
      [],
    );
    const css = await readFile(join(tarball.folder, 'dist/vscode.css-custom-data.json'), 'utf8');
    assert.match(css, /"--partner-dialer-accent"/);
    const webTypes = await readFile(join(tarball.folder, 'dist/web-types.json'), 'utf8');
    for (const name of [
      'dialer-callend',
      'broker-url',
      'brokerHeaders',
      '--partner-dialer-accent',
      'part(call-button)',
    ]) {
      assert.equal(webTypes.includes(`"${name}"`), true, name);
    }
    const manifest = (await readJson(join(tarball.folder, 'custom-elements.json'))) as Manifest;
    assert.deepEqual(
      manifest.modules.map(({ path }) => path).filter((path) => !tarball.files.includes(path)),
      [],
    );
  });

  it('has types without internals, and no import that only a compiler of sources understands', async () => {
    const types = tarball.files.filter((file) => file.endsWith('.d.ts'));
    const text = (await Promise.all(types.map((file) => readFile(join(tarball.folder, file), 'utf8')))).join(
      '\n',
    );
    assert.doesNotMatch(text, /from '[^']*\.ts'|import\('[^']*\.ts'\)/);
    assert.doesNotMatch(text, /from 'zod|from 'ky|toDomEvent/);
  });

  it('is as publint and attw want it', async () => {
    assert.match(await run('npx', ['publint', '--strict', tarball.path], ROOT), /All good/);
    await run('npx', ['attw', tarball.path, '--profile', 'esm-only', '--quiet'], ROOT);
  });
});

describe('on a server', () => {
  it('can be imported, which leaves nothing behind and lets the process end', async () => {
    const added = await node(`
      const before = Reflect.ownKeys(globalThis);
      for (const entry of ${JSON.stringify(ENTRIES.filter((name) => !name.endsWith('vue')))}) await import(entry);
      console.log(JSON.stringify(Reflect.ownKeys(globalThis).filter((key) => !before.includes(key)).map(String)));
    `);
    // Lit's own: its versions, and what stands for a page in Node.
    const known =
      /^(?:litHtml|litElement|reactiveElement)Versions$|^litPropertyMetadata$|^litServerRoot$|^customElements$|^Symbol\(undici|^__zod/;
    assert.deepEqual(
      (added as string[]).filter((name) => !known.test(name)),
      [],
    );
  });

  it('exports by the same names as in a browser', async () => {
    const names = (await node(`
      const names = {};
      for (const entry of ${JSON.stringify(ENTRIES)}) names[entry] = Object.keys(await import(entry));
      console.log(JSON.stringify(names));
    `)) as Record<string, string[]>;
    for (const entry of ENTRIES) {
      const file = entry.split('/')[1] ?? 'index';
      const built = await readFile(join(tarball.folder, 'dist', `${file}.js`), 'utf8');
      const exported = [...built.matchAll(/^export \{([^}]*)\}/gm)].flatMap(([, list = '']) =>
        list.split(',').map((one) => one.trim().replace(/.* as /, '')),
      );
      assert.deepEqual(names[entry]?.toSorted(), exported.toSorted(), entry);
    }
  });

  it('exports what custom-elements.json names, no more and no less', async () => {
    const names = await node(`console.log(JSON.stringify(Object.keys(await import('partner-dialer'))))`);
    const { modules } = (await readJson(join(tarball.folder, 'custom-elements.json'))) as Manifest;
    const exported = modules.find(({ path }) => path === 'dist/index.js')?.exports ?? [];
    assert.deepEqual(
      exported
        .filter(({ kind }) => kind === 'js')
        .map(({ name }) => name)
        .toSorted(),
      (names as string[]).toSorted(),
    );
  });
});
