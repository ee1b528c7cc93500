/** What README and docs link to is there, in the package too. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(join(FOLDER, path), 'utf8');
const DOCUMENTS = ['README.md', ...readdirSync(join(FOLDER, 'docs')).map((name) => `docs/${name}`)];

/** As GitHub names the place of a title. */
const anchorsOf = (text: string) =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  );

test('every link of README and docs leads to something that npm packs', () => {
  const { files } = JSON.parse(read('package.json')) as { files: string[] };
  for (const document of DOCUMENTS) {
    const links = [...read(document).matchAll(/\]\((?!https?:)([^)#]*)#?([^)]*)\)/g)];
    for (const [link, to = '', anchor = ''] of links) {
      const path = to === '' ? document : normalize(join(document, '..', to));
      assert.ok(existsSync(join(FOLDER, path)), `${document}: ${link}`);
      // Sources are read in the project's repository.
      if (path.endsWith('.ts')) continue;
      assert.ok(['README.md', ...files].includes(path.split('/')[0] ?? ''), `not in the package: ${path}`);
      if (anchor !== '') assert.ok(anchorsOf(read(path)).includes(anchor), `${document}: ${link}`);
    }
  }
});

test('no example publishes the operator’s page or the metrics', () => {
  const places = [...DOCUMENTS, 'compose.yaml'].flatMap((document) => [
    ...(read(document).match(/location ~ \S+|\/\^.*\$\)\//g) ?? []),
  ]);
  assert.ok(places.length > 1, places.join());
  for (const place of places) assert.doesNotMatch(place, /operator|metrics|healthz|readyz/);
});
