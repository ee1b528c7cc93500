/** The headers that the page adds to a request. */
import { DialerError } from '../errors.ts';
import * as z from '../schema.ts';

export type ExtraHeaders = Readonly<Record<string, string>>;
export type HeadersSource = ExtraHeaders | (() => ExtraHeaders | Promise<ExtraHeaders>);

/** RFC 9110: a name is a token; a value is one line of Latin-1, for a line break would add headers. */
const NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const VALUE = /^[\t\x20-\x7e\xa0-\xff]*$/;

const headersSchema = z.custom<ExtraHeaders>(
  (value) =>
    Object.prototype.toString.call(value) === '[object Object]' &&
    Object.entries(value as object).every(
      ([name, text]) => NAME.test(name) && typeof text === 'string' && VALUE.test(text),
    ),
);

/** @throws {DialerError} `configuration`: the mistake is the page's; an error of this class that the page throws itself */
export async function readExtraHeaders(source: HeadersSource | undefined): Promise<ExtraHeaders> {
  // A framework that takes a property back sets null.
  const given = typeof source === 'function' ? await ask(source) : (source ?? {});
  const headers = z.safeParse(headersSchema, given);
  if (headers.success) return headers.data;
  // Not what was given: a value may be the partner's own token.
  throw new DialerError('configuration', 'brokerHeaders is no object of header names and one-line values.');
}

async function ask(source: () => unknown): Promise<unknown> {
  try {
    return await source();
  } catch (cause) {
    if (cause instanceof DialerError) throw cause;
    throw new DialerError('configuration', "The page's brokerHeaders function failed.", { cause });
  }
}
