/** What README and docs tell is so: tables, codes, commands, links. Their snippets run in `end-to-end/readme.test.ts`. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { REFERENCE, withSections } from '../../demo/tools/readme.ts';
import { EVENTS } from '../../src/element/public-names.ts';
import { DIALER_ERROR_CODES } from '../../src/errors.ts';
import { CALL_OUTCOMES } from '../../src/sdk/calling-sdk.ts';
import { VERSION } from '../../src/ui/support-details.ts';

const DOCS = readdirSync('docs').filter((name) => name.endsWith('.md'));
const DOCUMENTS = [
  'README.md',
  'README.vi.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  ...DOCS.map((name) => join('docs', name)),
];
const MOST_LINES = 250;
const read = (path: string) => readFileSync(path, 'utf8');
const readme = read('README.md');
const reference = read(REFERENCE);
const manifest: unknown = JSON.parse(read('custom-elements.json'));
const codeBlocks = (text: string) => text.match(/^```.*?^```$/gms) ?? [];

/** As GitHub makes it from a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll(' ', '-');
}

describe('README and docs', () => {
  it('tell of attributes, methods and events what the manifest does', () => {
    assert.equal(withSections(reference, manifest), reference, 'npm run readme');
  });

  it('speak of the version that the dialer names in the details for support', () => {
    assert.equal(JSON.parse(read('package.json')).version, VERSION);
    assert.match(read('CHANGELOG.md'), new RegExp(`## \\[${VERSION}\\]`));
  });

  it('are not accepted without a place for each table', () => {
    assert.throws(
      () => withSections(reference.replace('<!-- generated: events -->', ''), manifest),
      /events/,
    );
  });

  it(`greet a newcomer with at most ${MOST_LINES} lines, in Vietnamese with the same snippets`, () => {
    assert.ok(readme.split('\n').length <= MOST_LINES + 1);
    assert.deepEqual(
      codeBlocks(read('README.vi.md')).filter((block) => !readme.includes(block)),
      [],
    );
  });

  it('say of every event and every outcome of a call that it exists, and of every code what to look at', () => {
    const wanted = [...Object.keys(EVENTS), ...CALL_OUTCOMES];
    assert.deepEqual(
      wanted.filter((name) => !readme.includes(`\`${name}\``)),
      [],
    );
    const codes = read('docs/troubleshooting.md');
    assert.deepEqual(
      DIALER_ERROR_CODES.filter((code) => !codes.includes(`| \`${code}\` |`)),
      [],
    );
  });

  for (const path of DOCUMENTS) {
    it(`name in ${path} only commands and files that exist`, () => {
      const text = read(path);
      const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
      const commands = [...text.matchAll(/npm run ([a-z0-9:-]+)/g)].map(([, name = '']) => name);
      assert.deepEqual(
        commands.filter((name) => !(name in scripts)),
        [],
      );
      const links = [...text.matchAll(/\]\(([^)#:]*)(?:#([^)]*))?\)/g)];
      for (const [link, file, anchor] of links) {
        const target = file ? join(dirname(path), file) : path;
        assert.equal(existsSync(target), true, `${link}: no such file`);
        if (anchor === undefined) continue;
        const headings = [...read(target).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
          anchorOf(heading),
        );
        assert.equal(headings.includes(anchor), true, `${link}: no such heading`);
      }
    });
  }
});
