/** What `custom-elements.json` tells of the tag, so that the page misses no attribute. */
import * as z from 'zod/mini';
import manifest from '../../custom-elements.json' with { type: 'json' };

const named = z.array(z.object({ name: z.string() }));
const text = z._default(z.string(), '');
const itemSchema = z.object({ name: z.string(), description: text, default: text });
const tagSchema = z.object({
  tagName: z.literal('partner-dialer'),
  attributes: z.array(z.extend(itemSchema, { fieldName: z.string(), type: z.object({ text: z.string() }) })),
  cssProperties: z.array(itemSchema),
  cssParts: named,
  events: named,
});

const declarations: readonly unknown[] = manifest.modules.flatMap((module) => module.declarations);
const tag = declarations.map((one) => z.safeParse(tagSchema, one).data).find((one) => one !== undefined);
if (!tag) throw new Error('custom-elements.json does not describe partner-dialer.');

/** What can be set on the tag, and how. */
export interface Setting {
  readonly name: string;
  /** Of the property in JavaScript; empty: a custom property of CSS. */
  readonly fieldName: string;
  readonly description: string;
  /** The default; empty: the dialer decides. */
  readonly initial: string;
  readonly control:
    | { readonly is: 'text' | 'number' | 'checkbox' | 'color' | 'pixels' }
    | { readonly is: 'select'; readonly values: readonly string[] };
}

export const ATTRIBUTES: readonly Setting[] = tag.attributes.map(
  ({ name, fieldName, description, default: initial, type }) => ({
    name,
    fieldName,
    description,
    initial: initial.replaceAll("'", ''),
    control: controlFor(type.text),
  }),
);

export const CUSTOM_PROPERTIES: readonly Setting[] = tag.cssProperties.map(
  ({ name, description, default: initial }) => ({
    name,
    fieldName: '',
    description,
    initial,
    control: { is: initial.endsWith('px') ? 'pixels' : /^(?:#|$)/.test(initial) ? 'color' : 'text' },
  }),
);

export const CSS_PARTS = tag.cssParts.map(({ name }) => name);
export const EVENT_NAMES = tag.events.map(({ name }) => name);

/** By the type in TypeScript, e.g. `'auto' | 'light' | 'dark'`. */
function controlFor(type: string): Setting['control'] {
  const values = [...type.matchAll(/'([^']+)'/g)].map(([, value = '']) => value);
  if (values.length > 0) return { is: 'select', values };
  if (type === 'boolean') return { is: 'checkbox' };
  return { is: type === 'number' ? 'number' : 'text' };
}
