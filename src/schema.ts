/**
 * The few constructs of zod that the package parses with: each further one would come to every page before its phone is
 * ready, whoever uses it. What they lack is said by a plain function.
 */
import * as z from 'zod/mini';

export { array, custom, object, optional } from 'zod/mini';
export type { infer } from 'zod/mini';
export type Schema<T> = z.ZodMiniType<T>;

export function string(): Schema<string> {
  return z.custom((value) => typeof value === 'string');
}

export function number(): Schema<number> {
  return z.custom<number>(Number.isFinite);
}

export function matching(pattern: RegExp): Schema<string> {
  return z.custom((value) => typeof value === 'string' && pattern.test(value));
}

export function oneOf<const T>(...values: readonly T[]): Schema<T> {
  return z.custom((value) => values.some((each) => each === value));
}

/** Without the blanks around it, and never empty. */
export function text(): Schema<string> {
  return matching(/\S/).check(into((value) => value.trim()));
}

/** What does not fit counts as absent. */
export function lenient<T>(schema: Schema<T>): Schema<T | undefined> {
  return z.optional(z.custom<T | undefined>().check(into((value) => schema.safeParse(value).data)));
}

/** To go on with another value. */
export function into<T>(change: (value: T) => T) {
  return (payload: { value: T }): void => {
    payload.value = change(payload.value);
  };
}
