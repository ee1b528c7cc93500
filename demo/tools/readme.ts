/** The second half of `npm run manifest`: writes the tables of docs/reference.md from `custom-elements.json`. */
import { readFile, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';

export const REFERENCE = 'docs/reference.md';

const text = z.string().default('');
const item = z.looseObject({
  name: z.string(),
  description: text,
  default: text,
  type: z.looseObject({ text }).optional(),
});
const member = item.extend({
  kind: z.string(),
  attribute: z.string().optional(),
  readonly: z.boolean().default(false),
  parameters: z
    .array(
      z.looseObject({
        name: z.string(),
        default: z.string().optional(),
        optional: z.boolean().default(false),
      }),
    )
    .default([]),
});
const elementSchema = z.looseObject({
  tagName: z.literal('partner-dialer'),
  attributes: z.array(item),
  members: z.array(member),
  events: z.array(item),
  cssParts: z.array(item),
  cssProperties: z.array(item),
});
const manifestSchema = z.looseObject({
  modules: z.array(z.looseObject({ declarations: z.array(z.unknown()).default([]) })),
});
type Element = z.infer<typeof elementSchema>;

/** By the name in the marker before it. */
const SECTIONS: Readonly<Record<string, (element: Element) => string>> = {
  attributes: ({ attributes }) =>
    table(
      ['attribute', 'values', 'meaning'],
      attributes.map(({ name, type, default: initial, description }) => [
        code(name),
        type ? `${code(type.text)}${isTold(initial) ? `, default ${code(initial)}` : ''}` : code('string'),
        description,
      ]),
    ),
  properties: ({ members }) =>
    table(
      ['property', 'type', 'meaning'],
      members
        .filter(({ kind, attribute }) => kind === 'field' && attribute === undefined)
        .map(({ name, type, readonly, description }) => [
          code(name),
          `${code(type?.text ?? '')}${readonly ? ', read-only' : ''}`,
          description,
        ]),
    ),
  methods: ({ members }) =>
    table(
      ['method', 'what it does'],
      members
        .filter(({ kind }) => kind === 'method')
        .map(({ name, parameters, description }) => [
          code(
            `${name}(${parameters.map((one) => one.name + (one.default || one.optional ? '?' : '')).join(', ')})`,
          ),
          description,
        ]),
    ),
  events: ({ events }) =>
    table(
      ['event', 'type', 'when'],
      events.map(({ name, type, description }) => [
        code(name),
        code(type?.text ?? 'CustomEvent'),
        description,
      ]),
    ),
  parts: ({ cssParts }) =>
    table(
      ['part', 'what it is'],
      cssParts.map(({ name, description }) => [code(name), description]),
    ),
  'custom properties': ({ cssProperties }) =>
    table(
      ['custom property', 'default', 'for'],
      cssProperties.map(({ name, default: initial, description }) => [
        code(name),
        code(initial),
        description,
      ]),
    ),
};

/** @throws {Error} when the text lacks a section's markers, or has markers of an unknown section */
export function withSections(reference: string, manifest: unknown): string {
  const element = manifestSchema
    .parse(manifest)
    .modules.flatMap(({ declarations }) => declarations)
    .map((declaration) => elementSchema.safeParse(declaration).data)
    .find((found) => found !== undefined);
  if (!element) throw new Error('custom-elements.json does not describe partner-dialer.');
  const missing = new Set(Object.keys(SECTIONS));
  const result = reference.replaceAll(
    /(<!-- generated: ([a-z ]+) -->\n).*?(<!-- end -->)/gs,
    (_all, begin: string, name: string, end: string) => {
      const write = SECTIONS[name];
      if (!write) throw new Error(`Nothing is generated for "${name}".`);
      missing.delete(name);
      return `${begin}\n${write(element)}\n\n${end}`;
    },
  );
  if (missing.size > 0) throw new Error(`${REFERENCE} has no place for: ${[...missing].join(', ')}.`);
  return result;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [row(head), row(head.map(() => '---')), ...rows.map((cells) => row(cells))].join('\n');
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll(/\s+/g, ' ')).join(' | ')} |`;
}

/** Escapes bars, which would end the cell. */
function code(value: string): string {
  return value === '' ? '' : `\`${value.replaceAll('|', String.raw`\|`)}\``;
}

/** An empty default and the name of a constant tell a reader nothing. */
function isTold(initial: string): boolean {
  return initial !== '' && initial !== "''" && !/^[A-Z_]+$/.test(initial);
}

async function main(): Promise<void> {
  const reference = await readFile(REFERENCE, 'utf8');
  const wanted = withSections(reference, JSON.parse(await readFile('custom-elements.json', 'utf8')));
  if (wanted !== reference) await writeFile(REFERENCE, wanted);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();
