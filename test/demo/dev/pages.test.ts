/** What every page of the demo says about itself to a search engine or to whoever shares its address. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';

const DEMO = new URL('../../../demo/', import.meta.url);

test('every page of the demo has a title and a description of its own', async () => {
  const names = [
    ...(await readdir(DEMO)),
    ...(await readdir(new URL('pages/', DEMO))).map((name) => `pages/${name}`),
  ].filter((name) => name.endsWith('.html'));
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, DEMO), 'utf8')));
  assert.ok(names.length >= 10);
  for (const pattern of [/<meta\s+name="description"\s+content="([^"]{40,160})"/, /<title[^>]*>([^<]+)</]) {
    const found = texts.map((text) => pattern.exec(text)?.[1]);
    assert.deepEqual(
      names.filter((_, place) => found[place] === undefined),
      [],
      `without ${pattern.source}`,
    );
    assert.equal(new Set(found).size, names.length, `twice ${pattern.source}`);
  }
});
