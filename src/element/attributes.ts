/**
 * The attributes with a closed set of values, or a number: nonsense becomes the default. A framework may set the
 * properties to anything as well, so whoever uses one parses it once more. By hand, because the first file has no room
 * for zod.
 */

/** In VND. */
const DEFAULT_LOW_BALANCE = 500;

const CORNERS = ['bottom-right', 'bottom-left', 'top-right', 'top-left'] as const;
/** Of a floating dialer, whatever else its attribute says. */
const [DEFAULT_CORNER] = CORNERS;

export interface Parser<T> {
  parse(value: unknown): T;
}

/** The first one is the default. */
function anyOf<const T>(...values: readonly [T, ...T[]]): Parser<T> {
  return { parse: (value) => values.find((each) => each === value) ?? values[0] };
}

export const brokerCredentials = anyOf('same-origin', 'include', 'omit');
export const connectMode = anyOf('auto', 'interaction', 'manual');
export const theme = anyOf('auto', 'light', 'dark');

/** Of a tag such as `vi-VN` the language counts. */
export const lang: Parser<'vi' | 'en' | ''> = {
  parse: (tag) => anyOf('', 'vi', 'en').parse(String(tag).toLowerCase().split(/[-_]/)[0]),
};

/** A blank is no number: only `0` itself switches the warning off. */
export const lowBalance: Parser<number> = {
  parse: (value) => {
    const isNumber = typeof value === 'number' || /^\s*\d{1,12}\s*$/.test(String(value));
    const amount = isNumber ? Number(value) : -1;
    return amount >= 0 && amount < Infinity ? amount : DEFAULT_LOW_BALANCE;
  },
};

/** Present is on, as for every boolean attribute; `false` is off, because some frameworks write that. */
export const floating: Parser<(typeof CORNERS)[number] | false> = {
  parse: (value) => {
    if (value == null || String(value) === 'false') return false;
    return CORNERS.find((each) => each === value) ?? DEFAULT_CORNER;
  },
};

/** A removed attribute is an empty one. */
export const text = { fromAttribute: (value: string | null) => value ?? '' };

/** @returns a converter for Lit: what the parser makes of the attribute */
export function oneOf<T>({ parse }: Parser<T>): { fromAttribute(value: string | null): T } {
  return { fromAttribute: parse };
}

export const floatingConverter = {
  ...oneOf(floating),
  toAttribute: (value: unknown) => {
    const corner = floating.parse(value);
    return corner === false ? null : corner;
  },
};
