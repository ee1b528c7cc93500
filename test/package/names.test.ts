/** The names in README and docs exist: attributes, events, parts, custom properties and states of the tag; switches of the sandbox. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { it } from 'node:test';
import { faultSchema } from '../../demo/sandbox/world/fault-plan.ts';
import { settingsSchema } from '../../demo/sandbox/world/settings.ts';

type Named = readonly { readonly name: string }[];
interface Element {
  readonly tagName?: string;
  readonly attributes: Named;
  readonly events: Named;
  readonly cssParts: Named;
  readonly cssProperties: Named;
  readonly cssStates: Named;
}

const read = (path: string) => readFileSync(path, 'utf8');
const { modules } = JSON.parse(read('custom-elements.json')) as {
  readonly modules: readonly { readonly declarations?: readonly Element[] }[];
};
const element = modules
  .flatMap(({ declarations = [] }) => declarations)
  .find(({ tagName }) => tagName === 'partner-dialer');
const namesOf = (key: Exclude<keyof Element, 'tagName'>) => element?.[key].map(({ name }) => name) ?? [];

const DOCUMENTS = [
  'README.md',
  'README.vi.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'demo/companion/README.md',
  'demo/server/README.md',
  'demo/sandbox/README.md',
  ...['docs', 'demo/companion/docs'].flatMap((folder) =>
    readdirSync(folder).flatMap((name) => (name.endsWith('.md') ? [`${folder}/${name}`] : [])),
  ),
];
/** Of HTML and of libraries, on the tag. */
const OTHERS = /^(?:class|id|ref|nonce|data-.*|hx-.*|transition:.*)$/;
/** Everything after `<partner-dialer` up to its end. */
const TAGS = /<partner-dialer(\s[^>]*)>/g;

const found = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name);
const without = (names: readonly string[], known: readonly string[]) =>
  names.filter((name) => !known.includes(name));

for (const path of DOCUMENTS)
  it(`${path} names only what the tag has`, () => {
    const text = read(path);
    const attributes = found(text, TAGS).flatMap((tag) => found(tag, /\s([a-z][\w:-]*)(?==|\s|$)/g));
    const written = found(text, /`([a-z]+(?:-[a-z]+)+)="[^`]*"`/g);
    const own = [...attributes, ...written].filter((name) => !OTHERS.test(name));
    assert.deepEqual(without(own, namesOf('attributes')), []);
    assert.deepEqual(without(found(text, /[`'@(](dialer-[a-z]+)[`')=](?! →)/g), namesOf('events')), []);
    assert.deepEqual(without(found(text, /::part\((\w[\w-]*)\)/g), namesOf('cssParts')), []);
    assert.deepEqual(without(found(text, /:state\((\w[\w-]*)\)/g), namesOf('cssStates')), []);
    assert.deepEqual(without(found(text, /(--partner-dialer-[a-z-]+)/g), namesOf('cssProperties')), []);
  });

/** The first cells below this heading. */
function cellsBelow(heading: string): string[] {
  const [, section = ''] = read('demo/sandbox/README.md').split(`## ${heading}\n`);
  return found(section.replace(/\n## .*/s, ''), /^\| `([\w-]+)` \|/gm);
}

it('the README of the sandbox lists its settings and the kinds of its faults', () => {
  assert.deepEqual(cellsBelow('Settings'), Object.keys(settingsSchema.shape));
  assert.deepEqual(without(faultSchema.shape.kind.options, cellsBelow('Faults')), []);
});

it('the reference names each field of the public state', () => {
  const types = { state: 'interface DialerState', line: 'type Line', block: 'type Block', call: 'type Call' };
  const reference = read('docs/reference.md');
  for (const [file, type] of Object.entries(types)) {
    const [, rest = ''] = read(`src/dialer/state/${file}.ts`).split(`export ${type} `);
    const fields = found(rest.replace(/\n\n.*/s, ''), /readonly (\w+)\??:/g);
    assert.ok(fields.length > 2, file);
    const unnamed = fields.filter(
      (name) => !new RegExp(`\`(?:[\\w.]+\\.)?${name}(?:\\.\\w+)?\``).test(reference),
    );
    assert.deepEqual(unnamed, [], file);
  }
});
