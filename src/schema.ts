/**
 * The few constructs of zod that the package parses with, on zod's core: each further one would come to every page before
 * its phone is ready, whoever uses it. What they lack is said by a plain function.
 */
import {
  $ZodArray,
  $ZodCustom,
  $ZodObject,
  $ZodOptional,
  _safeParse,
  type $ZodErrorClass,
  type $ZodIssue,
  type $ZodLooseShape,
  type $ZodType,
  type $strip,
} from 'zod/v4/core';

export type { output as infer } from 'zod/v4/core';
export type Schema<T> = $ZodType<T>;

/** Where it does not fit: what has no path is the value itself. Zod's own error would bring much that nobody reads. */
class Misfit {
  readonly issues: readonly $ZodIssue[];

  constructor(issues: readonly $ZodIssue[]) {
    this.issues = issues;
  }
}

export const safeParse = _safeParse(Misfit as unknown as $ZodErrorClass);

export function object<const S extends $ZodLooseShape>(shape: S): $ZodObject<S, $strip> {
  return new $ZodObject({ type: 'object', shape }) as unknown as $ZodObject<S, $strip>;
}

export function array<S extends $ZodType>(element: S): $ZodArray<S> {
  return new $ZodArray({ type: 'array', element }) as $ZodArray<S>;
}

export function optional<S extends $ZodType>(innerType: S): $ZodOptional<S> {
  return new $ZodOptional({ type: 'optional', innerType }) as $ZodOptional<S>;
}

/**
 * Whatever the function accepts.
 *
 * @param into what it is changed to then
 */
export function custom<T>(
  isRight: (value: unknown) => boolean = () => true,
  into?: (value: T) => T,
): Schema<T> {
  const check = (payload: { value: unknown }) => {
    if (into) payload.value = into(payload.value as T);
  };
  const checks = into && [{ _zod: { check, def: { check: 'custom' }, onattach: [] } }];
  return new $ZodCustom({
    type: 'custom',
    check: 'custom',
    abort: true,
    fn: isRight,
    checks,
  } as never) as never;
}

export function string(): Schema<string> {
  return custom((value) => typeof value === 'string');
}

export function number(): Schema<number> {
  return custom(Number.isFinite);
}

export function matching(pattern: RegExp, into?: (value: string) => string): Schema<string> {
  return custom((value) => typeof value === 'string' && pattern.test(value), into);
}

export function oneOf<const T>(...values: readonly T[]): Schema<T> {
  return custom((value) => values.some((each) => each === value));
}

/** Without the blanks around it, and never empty. */
export function text(): Schema<string> {
  return matching(/\S/, (value) => value.trim());
}

/** What does not fit counts as absent. */
export function lenient<T>(schema: Schema<T>): Schema<T | undefined> {
  return optional(custom<T | undefined>(undefined, (value) => safeParse(schema, value).data));
}
