/** The packages of the repository, the dialer's own and the two inside it, and what CI plays. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { PARTS } from '../parts.ts';
import { ROOT, run } from './tarball.ts';

const INNER = ['demo/companion', 'demo/sandbox'];

/** Paths within the package. */
async function filesOf(folder: string): Promise<string[]> {
  const list = ['pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel=error'];
  const [packed] = JSON.parse(await run('npm', list, join(ROOT, folder))) as [
    { readonly files: readonly { readonly path: string }[] },
  ];
  return packed.files.map(({ path }) => path);
}

const readRoot = (path: string) => readFile(join(ROOT, path), 'utf8');

it('what the code and the tests of the dialer import, its package.json names', async () => {
  const { dependencies, devDependencies } = JSON.parse(await readRoot('package.json')) as Record<
    string,
    object
  >;
  const named = new Set([...Object.keys({ ...dependencies, ...devDependencies }), 'partner-dialer']);
  const files = (await run('git', ['ls-files', '*.ts', '*.tsx', '*.mjs'], ROOT)).trim().split('\n');
  const OTHERS = /^(?:demo\/(?:companion|sandbox|server)|test\/package\/projects)\//;
  const missing = new Set<string>();
  for (const file of files.filter((each) => !OTHERS.test(each))) {
    for (const [, name = ''] of (await readRoot(file)).matchAll(
      /(?:\bfrom|^import) '((?:@[\w-]+\/)?[a-z][\w.-]*)(?:\/[^']*)?';$/gm,
    ))
      if (!named.has(name)) missing.add(`${file}: ${name}`);
  }
  assert.deepEqual([...missing], []);
});

it('the jobs of the workflow play together what npm run check plays', async () => {
  const { scripts } = JSON.parse(await readRoot('package.json')) as { scripts: { check: string } };
  const workflow = await readRoot('.github/workflows/check.yml');
  const played = [...workflow.matchAll(/LONG=1 npm test -- (.*)/g)].flatMap(([, list = '']) =>
    list.split(' '),
  );
  assert.deepEqual(played.toSorted(), Object.keys(PARTS).toSorted());
  const others = scripts.check.split(' && ').filter((command) => command !== 'LONG=1 npm test');
  assert.deepEqual(
    others.filter((command) => !workflow.includes(command)),
    [],
  );
});

for (const folder of INNER) {
  it(`npm in ${folder} leaves the packages of the root alone`, async () => {
    const target = await run('npm', ['prefix', '--loglevel=error'], join(ROOT, folder));
    assert.equal(target.trim(), join(ROOT, folder));
  });
}

for (const folder of ['.', ...INNER]) {
  it(`what a document in the package of ${folder} links to is in that package`, async () => {
    const files = await filesOf(folder);
    const documents = files.filter((file) => file.endsWith('.md'));
    assert.ok(documents.includes('README.md'));
    for (const document of documents) {
      const text = await readFile(join(ROOT, folder, document), 'utf8');
      const targets = [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, target = '']) =>
        join(document, '..', target),
      );
      assert.deepEqual(
        targets.filter((target) => !files.some((file) => file === target || file.startsWith(`${target}/`))),
        [],
        document,
      );
    }
  });
}
