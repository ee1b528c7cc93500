/** The headers that the page adds to a request. */
import * as z from 'zod/mini';
import { attempt, DialerError, toDialerError } from '../errors.ts';

type ExtraHeaders = Readonly<Record<string, string>>;
export type HeadersSource = ExtraHeaders | (() => ExtraHeaders | Promise<ExtraHeaders>);

/** RFC 9110: a name is a token; a value is one line of Latin-1, because a line break would add headers. */
const NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const VALUE = /^[\t\x20-\x7e\xa0-\xff]*$/;
const headersSchema = z.custom<ExtraHeaders>((given) =>
  entriesOf(given)?.every(
    ([name, value]) => NAME.test(name) && typeof value === 'string' && VALUE.test(value),
  ),
);

/** @throws {DialerError} `configuration` for the page's mistake, or the DialerError that the page throws */
export async function readExtraHeaders(source: HeadersSource | undefined): Promise<ExtraHeaders> {
  // A framework that removes a property sets it to null.
  const given = typeof source === 'function' ? await ask(source) : (source ?? {});
  const headers = z.safeParse(headersSchema, given);
  if (headers.success) return headers.data;
  // The message does not show the value: it may be the partner's own token.
  throw new DialerError('configuration', 'brokerHeaders must map header names to one-line values.');
}

/**
 * A framework may set a new object or function at each render. So objects are compared by their content, and two functions count
 * as the same: only a request calls them.
 */
export function areSameHeaders(one: HeadersSource | undefined, other: HeadersSource | undefined): boolean {
  if (typeof one === 'function' || typeof other === 'function') return typeof one === typeof other;
  const [mine, others] = [entriesOf(one ?? {}), entriesOf(other ?? {})];
  const known = new Map(others);
  return mine?.length === others?.length && (mine ?? []).every(([name, value]) => known.get(name) === value);
}

/** `undefined`: a Headers object, a Map, an array, or an object of the page that throws when it is read. */
function entriesOf(given: unknown): readonly (readonly [string, unknown])[] | undefined {
  return attempt(() => {
    const isPlain = Object.prototype.toString.call(given) === '[object Object]';
    return isPlain ? Object.entries(given as object) : undefined;
  });
}

async function ask(source: () => unknown): Promise<unknown> {
  try {
    return await source();
  } catch (cause) {
    throw toDialerError(cause, 'configuration', "The page's brokerHeaders function failed.");
  }
}
