/** What README and docs tell is so: tables, codes, commands, links. Their snippets run in `end-to-end/readme.test.ts`. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { REFERENCE, withSections } from '../../demo/tools/readme.ts';
import { BLOCKERS } from '../../src/broker/contract.ts';
import { EVENTS } from '../../src/element/public-names.ts';
import { DIALER_ERROR_CODES } from '../../src/errors.ts';
import { LANGUAGES } from '../../src/i18n/words.ts';
import { CALL_OUTCOMES } from '../../src/sdk/calling-sdk.ts';
import { VERSION } from '../../src/ui/support-details.ts';
import { SUPPORT } from '../../src/ui/views/support.ts';

/** Each with its commands from the folder of the package that it belongs to. */
const DOCUMENTS = ['.', 'demo/companion', 'demo/sandbox'].flatMap((folder) =>
  [folder, join(folder, 'docs')]
    .filter((place) => existsSync(place))
    .flatMap((place) => readdirSync(place).map((name) => join(place, name)))
    .filter((path) => path.endsWith('.md'))
    .map((path) => ({ path, folder })),
);
const MOST_LINES = 170;
const read = (path: string) => readFileSync(path, 'utf8');
const readme = read('README.md');
const reference = read(REFERENCE);
const manifest: unknown = JSON.parse(read('custom-elements.json'));
const counted = (text: string, word: RegExp) => text.match(word)?.length ?? 0;
const codeBlocks = (text: string) => text.match(/^```.*?^```$/gms) ?? [];

/** As GitHub makes it from a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll(' ', '-');
}

/** Without those that are made of a value. */
function textsOf(words: unknown): string[] {
  if (typeof words === 'string') return [words];
  return typeof words === 'object' && words !== null ? Object.values(words).flatMap(textsOf) : [];
}

describe('README and docs', () => {
  it('tell of attributes, methods and events what the manifest does', () => {
    assert.equal(withSections(reference, manifest), reference, 'npm run manifest');
  });

  it('speak of the version that the dialer names in the details for support', () => {
    assert.equal(JSON.parse(read('package.json')).version, VERSION);
    assert.match(read('CHANGELOG.md'), new RegExp(`## \\[${VERSION}\\]`));
  });

  it('tell of no change before anything has been released', () => {
    const [, ...releases] = read('CHANGELOG.md').split(/^## /m);
    const [first = ''] = releases.slice(-1);
    assert.deepEqual(
      [...first.matchAll(/^### (.*)$/gm)].map(([, section]) => section),
      ['Added'],
    );
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
      wanted.filter((name) => !reference.includes(`\`${name}\``)),
      [],
    );
    const codes = read('docs/troubleshooting.md');
    assert.deepEqual(
      DIALER_ERROR_CODES.filter((code) => !codes.includes(`| \`${code}\` |`)),
      [],
    );
  });

  it('state the size that the build may not exceed', () => {
    const [, limit = ''] = /LIMIT = ([\d_]+);/.exec(read('demo/tools/budgets.ts')) ?? [];
    assert.match(read('docs/limits.md'), new RegExp(`at most ${Number(limit.replace('_', '')) / 1000} kB`));
  });

  it('catch what call() rejects with, wherever somebody copies it from', () => {
    const pages = readdirSync('demo/pages').filter((name) => /\.(?:html|tsx?|vue)$/.test(name));
    const copied = [
      ...DOCUMENTS.flatMap(({ path }) => codeBlocks(read(path))),
      ...pages.map((name) => read(join('demo/pages', name))),
      ...(read('src/element/partner-dialer.ts').match(/@example\n.*/g) ?? []),
    ];
    const calling = copied.filter((code) => counted(code, /\.call\(/g) > 0);
    assert.ok(calling.length >= 6, 'frameworks three times, pages, JSDoc');
    assert.deepEqual(
      calling.filter((code) => counted(code, /\.call\(/g) > counted(code, /\bcatch\b/g)),
      [],
    );
  });

  it('say of every code that an agent can read out what it means, and of every blocker that a broker may write it', () => {
    const [codes, contract] = [read('docs/troubleshooting.md'), read('docs/broker.md')];
    const shown = [...Object.values(SUPPORT).map(({ code }) => code), 'PD-CSP', 'PD-TAB'];
    assert.deepEqual(
      shown.filter((code) => !codes.includes(`\`${code}\``)),
      [],
    );
    const named = (row: RegExp) =>
      BLOCKERS.filter((code) => !row.exec(contract)?.[0].includes(`\`${code}\``));
    assert.deepEqual([named(/^\| `blockers` .*$/m), named(/^\| the code .* the guide .*$/m)], [[], []]);
  });

  for (const [language, words] of Object.entries(LANGUAGES))
    it(`name to agents who read ${language} only buttons and questions that the dialer has, with pictures in that language`, () => {
      const page = read(language === 'en' ? 'docs/agents.md' : `docs/agents.${language}.md`);
      const shown = textsOf(words);
      const named = [...page.matchAll(/(?<!\*)\*([^*[]+)\*(?!\*)/g)].map(([, name = '']) => name);
      assert.ok(named.length > 10, `${named.length} names`);
      assert.deepEqual(
        named.filter((name) => !shown.includes(name)),
        [],
      );
      const pictures = [...page.matchAll(/!\[.*?\]\(agents\/(\w+)-(\w+)\.png\)/g)];
      assert.equal(pictures.length, 6);
      assert.deepEqual(
        pictures.filter(([, , of]) => of !== language),
        [],
      );
    });

  for (const { path, folder } of DOCUMENTS) {
    it(`name in ${path} only commands and files that exist`, () => {
      const text = read(path);
      const scripts = ['.', folder].flatMap((place) => {
        const own = JSON.parse(read(join(place, 'package.json'))) as { scripts?: Record<string, string> };
        return Object.keys(own.scripts ?? {});
      });
      const commands = [...text.matchAll(/npm run ([a-z0-9:-]+)/g)].map(([, name = '']) => name);
      assert.deepEqual(
        commands.filter((name) => !scripts.includes(name)),
        [],
      );
      assert.doesNotMatch(text, /npx partner-dialer/, 'npx may install what anybody has registered');
      const links = [...text.matchAll(/\]\(([^)#:]*)(?:#([^)]*))?\)/g)];
      for (const [link, file, anchor] of links) {
        const target = file ? join(dirname(path), file) : path;
        assert.ok(existsSync(target), `${link}: no such file`);
        if (anchor === undefined) continue;
        const headings = [...read(target).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
          anchorOf(heading),
        );
        assert.ok(headings.includes(anchor), `${link}: no such heading`);
      }
    });
  }
});
