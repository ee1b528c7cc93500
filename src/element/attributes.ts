/**
 * The attributes with a closed set of values, or a number: nonsense becomes the default. A framework may set the
 * properties to anything as well, so whoever uses one parses it once more.
 */
import * as z from 'zod/mini';

/** In VND. */
const DEFAULT_LOW_BALANCE = 500;

const CORNERS = ['bottom-right', 'bottom-left', 'top-right', 'top-left'] as const;

export const brokerCredentials = z.catch(z.enum(['same-origin', 'include', 'omit']), 'same-origin');
export const connectMode = z.catch(z.enum(['auto', 'interaction', 'manual']), 'auto');
export const theme = z.catch(z.enum(['auto', 'light', 'dark']), 'auto');
/** Of a tag such as `vi-VN` the language counts. */
export const lang = z.pipe(
  z.transform((tag) => /^(vi|en)([-_]|$)/i.exec(String(tag))?.[1]?.toLowerCase()),
  z.catch(z.enum(['vi', 'en', '']), ''),
);
/** A blank is no number: only `0` itself switches the warning off. */
export const lowBalance = z.catch(
  z.pipe(
    z.union([z.string().check(z.regex(/^\s*\d{1,12}\s*$/)), z.number()]),
    z.pipe(z.transform(Number), z.number().check(z.nonnegative())),
  ),
  DEFAULT_LOW_BALANCE,
);
/** Present is on, as for every boolean attribute; `false` is off, because some frameworks write that. */
export const floating = z.catch(
  z.union([
    z.enum(CORNERS),
    z.pipe(
      z.union([z.literal([false, 'false']), z.nullish(z.never())]),
      z.transform(() => false as const),
    ),
  ]),
  'bottom-right',
);

/** A removed attribute is an empty one. */
export const text = { fromAttribute: (value: string | null) => value ?? '' };

/** @returns a converter for Lit: what the schema makes of the attribute */
export function oneOf<T>(schema: z.ZodMiniType<T>): { fromAttribute(value: string | null): T } {
  return { fromAttribute: (value) => schema.parse(value) };
}

export const floatingConverter = {
  ...oneOf(floating),
  toAttribute: (value: unknown) => {
    const corner = floating.parse(value);
    return corner === false ? null : corner;
  },
};
