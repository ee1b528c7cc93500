/** The packages of the repository: the dialer's own, and the two inside it. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
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
