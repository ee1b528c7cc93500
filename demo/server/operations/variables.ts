/** The kinds of values that environment variables hold; a message says what is wrong, and never repeats the value. */
import * as z from 'zod/mini';
import { isLoopback } from '../http/loopback.ts';

const MAX_VND = 1_000_000_000;

export const words = (pattern: RegExp, message: string) => z.string().check(z.regex(pattern, message));
export const secret = (length: number) =>
  z.string().check(z.minLength(length, `must have at least ${length} characters`));
export const oneOf = <const T extends readonly string[]>(names: T) =>
  z.enum(names, `must be ${names.slice(0, -1).join(', ')} or ${names.at(-1)}`);
const number = (pattern: RegExp, message: string, most = Infinity, tooMuch = message) =>
  z.pipe(words(pattern, message), z.pipe(z.transform(Number), z.number().check(z.maximum(most, tooMuch))));

export const vnd = number(
  /^\d{1,10}$/,
  'must be a whole number of VND',
  MAX_VND,
  `must be at most ${MAX_VND}`,
);
export const count = number(/^[1-9]\d{0,6}$/, 'must be a whole number above 0');
export const digit = number(/^\d$/, 'must be a digit');
export const port = number(/^\d{1,5}$/, 'must be a port number', 65_535);
export const origin = z
  .string()
  .check(z.refine(isOrigin, 'must be exact origins such as https://crm.example'));
export const origins = z.pipe(z.pipe(z.string(), z.transform(splitList)), z.array(origin));
/** Keys and tokens travel there, so it is https, or this machine. */
export const address = z
  .string()
  .check(z.refine(isSafeAddress, 'must be an https address (http on loopback only) without query or login'));

function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}

function isSafeAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password, search, hash } = new URL(text);
  const isPrivate = protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
  return isPrivate && username === '' && password === '' && search === '' && hash === '';
}

function splitList(text: string): string[] {
  return text.split(/[\s,]+/).filter((item) => item !== '');
}
