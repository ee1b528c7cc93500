/** What the README tells is so: tables, codes, commands, links. Its snippets run in `end-to-end/readme.test.ts`. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { withSections } from '../../demo/tools/readme.ts';
import { DIALER_ERROR_CODES } from '../../src/errors.ts';

const DOCUMENTS = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'] as const;
const read = (path: string) => readFileSync(path, 'utf8');
const readme = read('README.md');

/** As GitHub makes it from a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll(' ', '-');
}

describe('the README', () => {
  it('tells of attributes, methods and events what the manifest does', () => {
    const manifest: unknown = JSON.parse(read('custom-elements.json'));
    assert.equal(withSections(readme, manifest), readme, 'npm run readme');
  });

  it('is not accepted without a place for each table', () => {
    const manifest: unknown = JSON.parse(read('custom-elements.json'));
    assert.throws(() => withSections(readme.replace('<!-- generated: events -->', ''), manifest), /events/);
  });

  it('says of every error code what to look at', () => {
    const codes = readme.slice(readme.indexOf('## Troubleshooting'), readme.indexOf('## Browsers'));
    const missing = DIALER_ERROR_CODES.filter((code) => !codes.includes(`\`${code}\``));
    assert.deepEqual(missing, []);
  });

  for (const path of DOCUMENTS) {
    it(`names in ${path} only commands and files that exist`, () => {
      const text = read(path);
      const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
      const commands = [...text.matchAll(/npm run ([a-z0-9:-]+)/g)].map(([, name = '']) => name);
      assert.deepEqual(
        commands.filter((name) => !(name in scripts)),
        [],
      );
      const links = [...text.matchAll(/\]\(([^)#:]*)(?:#([^)]*))?\)/g)];
      for (const [link, file, anchor] of links) {
        const target = file || path;
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
