/** `npm run release`. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { differences, namedVersions, released } from '../../../demo/tools/release.ts';

const packageJson = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

test('packages, code and documents name one version, and a release finds each of them', () => {
  const { version } = packageJson;
  const named = namedVersions();
  assert.deepEqual(
    named.filter((place) => !place.endsWith(`: ${version}`)),
    [],
  );
  const found = new Set(named.map((place) => place.replace(/:.*/, '').replace(/^\.\//, '')));
  const own = ['--', '.', ':!*package-lock.json', ':!CHANGELOG.md', ':!test', ':!demo/*/test'];
  const grep = execFileSync('git', ['grep', '-lF', version, ...own], { encoding: 'utf8' });
  assert.deepEqual(grep.trim().split('\n').toSorted(), [...found].toSorted());
});

test('a release names the new version everywhere, and its changes in the changelog', () => {
  const texts = released('7.8.9', '2030-01-02');
  assert.deepEqual(
    differences('7.8.9', (file) => texts.get(file) ?? ''),
    [],
  );
  assert.match(texts.get('CHANGELOG.md') ?? '', /## \[Unreleased\]\n\n## \[7\.8\.9\] - 2030-01-02\n/);
});

test('a tag that names another version than one package, one document or the changelog is refused', () => {
  const texts = released('7.8.9', '2030-01-02');
  for (const [file, text] of texts) {
    const read = (each: string) => (each === file ? text.replace('7.8.9', '7.8.8') : (texts.get(each) ?? ''));
    assert.match(differences('7.8.9', read).join('\n'), new RegExp(`^${file}: `));
  }
});
