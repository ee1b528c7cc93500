/** The headers around a request: those the page adds, and what the broker's tell of a refusal. */
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

const SHORTEST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 600_000;

/** `Retry-After` in milliseconds, from seconds or a date, kept within bounds; `undefined`: the broker does not say. */
export function parseRetryAfter(headers: Headers | undefined): number | undefined {
  const text = headers?.get('Retry-After')?.trim() ?? '';
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - serverTime(headers);
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, SHORTEST_RETRY_MS), LONGEST_RETRY_MS);
}

/** The agent's clock may be wrong by hours. */
function serverTime(headers: Headers | undefined): number {
  const told = Date.parse(headers?.get('Date') ?? '');
  return Number.isNaN(told) ? Date.now() : told;
}
