/** Parses JSON from another system: invalid parts are left out and named, and the rest is used. */
import * as z from 'zod/mini';

type Path = readonly PropertyKey[];

interface Lenient<T> {
  /** `undefined`: no part of it is valid. */
  readonly data: T | undefined;
  /** Paths of the invalid parts, e.g. `hotlines.1.number`. */
  readonly leftOut: readonly string[];
}

/** An invalid optional part is left out alone; an invalid required part takes with it the part that requires it. */
export function parseLeniently<T>(schema: z.ZodMiniType<T>, json: unknown): Lenient<T> {
  const { data, error } = z.safeParse(schema, json);
  if (!error) return { data, leftOut: [] };
  const paths = error.issues.map(({ path }) => path);
  const rest = without(json, paths);
  const again = rest === undefined ? { data: undefined, leftOut: [] } : parseLeniently(schema, rest);
  const names = [...paths.map((path) => path.join('.') || 'the whole response'), ...again.leftOut];
  return { data: again.data, leftOut: [...new Set(names)] };
}

/** `undefined`: the part itself is invalid, or lacks a required part. */
function without(part: unknown, paths: readonly Path[]): unknown {
  const [path] = paths;
  if (!path) return part;
  const below = (key: PropertyKey) =>
    paths.filter(([first]) => first === key).map(([, ...rest]): Path => rest);
  if (Array.isArray(part) && path.length > 0)
    return part.map((item, index) => without(item, below(index))).filter((item) => item !== undefined);
  const isMissing = ([key, ...rest]: Path) =>
    key === undefined || (rest.length === 0 && Reflect.get(part as object, key) === undefined);
  if (paths.some(isMissing)) return undefined;
  const parts = Object.entries(part as object).map(
    ([key, value]) => [key, without(value, below(key))] as const,
  );
  return Object.fromEntries(parts.filter(([, value]) => value !== undefined));
}
