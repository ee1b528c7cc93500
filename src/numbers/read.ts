/** Reads what people type, paste or keep in a CRM: the one number to dial, or why there is none. */
import { attempt, DialerError } from '../errors.ts';
import { judge } from './plan.ts';
import { findRuns, normalizeWords, type Runs } from './runs.ts';

export { formatNumber } from './plan.ts';

export type InvalidNumber =
  | 'empty'
  | 'letters'
  | 'other-digits'
  | 'extension'
  | 'two-numbers'
  | 'too-short'
  | 'too-long'
  | 'no-prefix'
  | 'unknown';

export type NumberReading =
  | { readonly is: 'number'; readonly dialled: string }
  | { readonly is: 'invalid'; readonly why: InvalidNumber };

/** No number is longer; a longer text is not parsed. */
const LONGEST_TEXT = 250;
/** As Japanese and Chinese keyboards write them. */
const FULL_WIDTH = /[！-～]/g;
/** Arabic-Indic, Devanagari, …; the ten digits of a script stand in a row. */
const DIGIT_OF_SCRIPT = /(?!\d)\p{Nd}/gu;
/** Superscript, circled, Roman, …: nobody writes a number with them. */
const OTHER_DIGIT = /(?!\d)\p{N}/u;
/** Signs directly beside the digits, between them and a label or a name. Not letters: a letter could stand for a digit. */
const APART = /^(?![_*#@%&+^~\\]|\p{Sc})[\s\p{P}\p{S}\p{Cf}\ufe00-\ufe0f]?$/u;
/** Signs around a number that was copied out of a list or a spreadsheet. */
const IN_FRONT = /^[\s\p{Cf}"'‘’“”«»]$/u;
const BEHIND = /^[\s\p{Cf}"'‘’“”«»,;]$/u;
/** What people write in front of an extension. */
const EXTENSION_SIGNS = /^[x×*#,pw]+$/u;
const EXTENSION_WORDS =
  /^(?:ext|extension|isub|postd|nb|ml|nội bộ|nhánh|lẻ|số lẻ|(?:số )?máy (?:lẻ|nhánh|phụ|con))$/u;
const LIST_MARK = /[,;|&\n\r\v\f\u2028\u2029]/;
/** After a complete number, fewer digits are an extension, more are another number. */
const LONGEST_EXTENSION = 6;
/** Only in Vietnam does the plan tell where a number ends. For foreign numbers, a group of 9 digits or more is the last. */
const ABROAD = /^(?:\+|00)(?!84)/;
const LONG_GROUP = 9;
/** With the plus, or the two zeros that stand for it. */
const LONGEST_NUMBER = 17;

/** Whose numbers are valid: `any` dials the digits as they are written. */
export type NumberPlan = 'vietnam' | 'any';

/** Between the groups of a number. */
const SEPARATORS = /[\s\p{Cf}().\-\u2010-\u2015/]/gu;
/** Codes of the network or of a switchboard, too: `*98`, `#31#0912345678`. */
const AS_WRITTEN = /^\+?[\d*#]{2,32}$/;

/** Never joins digits that could be two numbers, or a number and an extension; but with the plan `any`, all that is written. */
export function readNumber(typed: string, plan: NumberPlan = 'vietnam'): NumberReading {
  if (typed === '') return invalid('empty');
  const written = plan === 'any' ? asWritten(typed) : undefined;
  if (written !== undefined) return { is: 'number', dialled: written };
  if (typed.length > LONGEST_TEXT) return invalid('too-long');
  const text = unwrapped(withPlainDigits(typed.normalize('NFC')));
  return text.slice(0, 4).toLowerCase() === 'tel:' ? readTelUri(text.slice(4)) : readText(text);
}

/**
 * One spelling for all spellings of a number, to compare them: brokers and pages write the same number as 028…, 8428… and
 * +84 (0)28….
 */
export function normalize(number: string): string {
  const reading = readNumber(number);
  return reading.is === 'number' ? reading.dialled : number.replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** Without separators; `undefined`: it is not digits, stars and hashes alone. */
function asWritten(typed: string): string | undefined {
  const text = typed.replace(/^tel:/i, '').replaceAll(SEPARATORS, '');
  return AS_WRITTEN.test(text) ? text : undefined;
}

/** Compares two numbers in whatever spelling; one that cannot be dialled with any plan equals none. */
export function isSameNumber(one: string, other: string): boolean {
  return [dialledBy, asWritten].some((read) => read(one) !== undefined && read(one) === read(other));
}

function dialledBy(number: string): string | undefined {
  const reading = readNumber(number);
  return reading.is === 'number' ? reading.dialled : undefined;
}

/**
 * The text shown for a `tel:` link. If its number cannot be dialled, it stays as the page has written it, and the agent reads
 * why.
 */
export function readTelAddress(address: string, plan?: NumberPlan): string {
  const reading = readNumber(address, plan);
  if (reading.is === 'number') return reading.dialled;
  const rest = address.slice('tel:'.length);
  return readNumber(rest).is === 'number' ? address : rest;
}

/** @throws {DialerError} `invalid-number`, with a message that says what is wrong, and which plan would dial it */
export function toDialled(typed: string, plan?: NumberPlan): string {
  const reading = readNumber(typed, plan);
  if (reading.is === 'number') return reading.dialled;
  const way = asWritten(typed) === undefined ? '' : ' With number-plan="any", it is dialled as written.';
  throw new DialerError('invalid-number', `This number cannot be dialled: ${MESSAGES[reading.why]}.${way}`);
}

const MESSAGES: Readonly<Record<InvalidNumber, string>> = {
  empty: 'it is empty',
  letters: 'it contains letters or other characters',
  'other-digits': 'it contains digits other than 0 to 9',
  extension: 'it includes an extension',
  'two-numbers': 'it contains two numbers',
  'too-short': 'it is too short',
  'too-long': 'it is too long',
  'no-prefix': 'it starts neither with 0 nor with + and a country calling code',
  unknown: 'there is no such number',
};

/** RFC 3966. A parameter changes who is called, so none is ignored. */
function readTelUri(uri: string): NumberReading {
  const [number = '', ...parameters] = (attempt(() => decodeURIComponent(uri)) ?? uri).split(';');
  if (parameters.some((each) => /^(?:ext|isub|postd)=/i.test(each))) return invalid('extension');
  return parameters.length > 0 ? invalid('unknown') : readText(unwrapped(number));
}

function withPlainDigits(text: string): string {
  return text
    .replace(FULL_WIDTH, (sign) => String.fromCodePoint(sign.charCodeAt(0) - 0xfee0))
    .replace(DIGIT_OF_SCRIPT, digitValue);
}

function digitValue(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  // Unicode has five sets of mathematical digits in one row: take the remainder.
  return String((code - zero) % 10);
}

function unwrapped(text: string): string {
  const signs = [...text];
  const from = signs.findIndex((sign) => !IN_FRONT.test(sign));
  const to = signs.findLastIndex((sign) => !BEHIND.test(sign)) + 1;
  return from === -1 ? '' : signs.slice(from, to).join('');
}

/** A label or a name may stand around the number, but no other digit. */
function readText(text: string): NumberReading {
  if (OTHER_DIGIT.test(text)) return invalid('other-digits');
  const { runs, before, between, after } = findRuns(text);
  const [first, ...more] = runs;
  if (!first) return invalid(normalizeWords(before) === '' ? 'empty' : 'letters');
  if (more.length > 0) return invalid(whyTwoRuns(between, runs));
  if (!APART.test([...before].at(-1) ?? '') || !APART.test([...after][0] ?? '')) return invalid('letters');
  return isExtensionSign(after) ? invalid('extension') : readRun(first);
}

function whyTwoRuns(between: string, runs: Runs['runs']): InvalidNumber {
  const [first = '', last = ''] = [runs[0]?.join(''), runs.at(-1)?.join('')];
  if (isExtensionSign(between) && runs.length === 2 && last.length <= LONGEST_EXTENSION) return 'extension';
  return (isCompleteNumber(first) && isCompleteNumber(last)) || LIST_MARK.test(between)
    ? 'two-numbers'
    : 'letters';
}

function isExtensionSign(between: string): boolean {
  const words = normalizeWords(between);
  return (
    EXTENSION_SIGNS.test(words.replaceAll(' ', '')) ||
    EXTENSION_WORDS.test(words.replaceAll(/[;#]/g, '').trim())
  );
}

/** @param groups of digits, after a plus if the number is international */
function readRun(groups: readonly string[]): NumberReading {
  const digits = groups.join('');
  const behindWhole = possibleEnds(groups)
    .map((cut) => [digits.slice(0, cut), digits.slice(cut)] as const)
    .filter(([left]) => isCompleteNumber(left));
  // Two short codes in a row are probably a number without its area code.
  if (behindWhole.some(([left, right]) => isCompleteNumber(right) && !(isShort(left) && isShort(right)))) {
    return invalid('two-numbers');
  }
  const judgement = judge(digits);
  const tail = behindWhole.find(([left]) => !isShort(left))?.[1];
  if (tail && ('wrong' in judgement || ABROAD.test(digits)))
    return invalid(tail.length <= LONGEST_EXTENSION ? 'extension' : 'two-numbers');
  return 'wrong' in judgement ? invalid(judgement.wrong) : { is: 'number', dialled: judgement.dialled };
}

/** The ends of the groups at which a number could end. */
function possibleEnds(groups: readonly string[]): readonly number[] {
  const shortest = ABROAD.test(groups.join('')) ? LONG_GROUP : 1;
  let length = 0;
  return groups
    .map((group) => ({ group, cut: (length += group.length) }))
    .filter(({ group, cut }) => group.length >= shortest && cut <= LONGEST_NUMBER)
    .map(({ cut }) => cut);
}

function isShort(number: string): boolean {
  return number.length <= 5;
}

function isCompleteNumber(number: string): boolean {
  return 'dialled' in judge(number);
}

function invalid(why: InvalidNumber): NumberReading {
  return { is: 'invalid', why };
}
