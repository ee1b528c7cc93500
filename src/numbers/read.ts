/** From what people type, paste or keep in a CRM to what is dialled: one whole number, or why it is none. */
import { DialerError } from '../errors.ts';
import { judge } from './plan.ts';

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

/** No number needs that much room; whoever pastes a whole page waits for nothing. */
const LONGEST_TEXT = 250;
/** What people group digits with: blanks, invisible marks, dashes, dots, slashes, brackets. A line break is none. */
const MARK = String.raw`(?:[^\S\n\r\v\f\u2028\u2029]|[\p{Cf}\p{Pd}\ufe00-\ufe0f\u2212\u00b7\u2022./()])`;
const MARKS_ONLY = new RegExp(`^${MARK}*$`, 'u');
const RUN = new RegExp(String.raw`(?:\+${MARK}*)?\d(?:${MARK}*\d)*`, 'gu');
/** Arabic-Indic, full-width, superscript, circled, Roman, …: digits that the exchange does not know. */
const OTHER_DIGIT = /(?!\d)\p{N}/u;
/** Around a number copied out of a list or a spreadsheet. */
const WRAPPING = /^[\s\p{Cf}"'‘’“”«»]+|[\s\p{Cf}"'‘’“”«»,;]+$/gu;
/** `+84 (0) 912…`: the zero in brackets is for callers inside the country. */
const TRUNK_ZERO = new RegExp(
  String.raw`^((?:\+|00)${MARK}*(?:8${MARK}*4|(?!8${MARK}*4)\d(?:${MARK}*\d){0,2})${MARK}*?)\(${MARK}*0${MARK}*\)`,
  'u',
);
const EXTENSION = new RegExp(
  String.raw`^${MARK}*(?:[x×*#,pw]+|;?\s*(?:ext(?:ension)?|isub|postd)|(?:số\s+)?máy\s+(?:lẻ|nhánh|phụ|con)|(?:số\s+)?lẻ|nhánh|nội\s+bộ|nb|ml)[\s.:=#]*$`,
  'iu',
);
const LIST_MARK = /[,;|&\n\r\v\f\u2028\u2029]/;
/** A shorter rest behind a complete number is an extension, a longer one another number. */
const LONGEST_EXTENSION = 6;

/** Never joins: where the text could be two numbers, or a number and something more, it is none. */
export function readNumber(typed: string): NumberReading {
  if (typed.length > LONGEST_TEXT) return invalid('too-long');
  const text = typed.normalize('NFC').replace(WRAPPING, '');
  const uri = /^tel:(.*)$/isu.exec(text)?.[1];
  return uri === undefined ? readText(text) : readTelUri(uri);
}

/**
 * What is shown of the address of a `tel:` link: a number that cannot be dialled stands there much as the page has it, so that
 * it can be said why.
 */
export function numberOfAddress(address: string): string {
  const reading = readNumber(address);
  if (reading.is === 'number') return reading.dialled;
  const rest = address.slice('tel:'.length);
  return readNumber(rest).is === 'number' ? address : rest;
}

/** @throws {DialerError} `invalid-number`, with a message that says what is wrong */
export function toDialled(typed: string): string {
  const reading = readNumber(typed);
  if (reading.is === 'number') return reading.dialled;
  throw new DialerError('invalid-number', `That is not a number to dial: ${MESSAGES[reading.why]}.`);
}

const MESSAGES: Readonly<Record<InvalidNumber, string>> = {
  empty: 'it is empty',
  letters: 'it holds letters or other signs',
  'other-digits': 'it holds digits other than 0 to 9',
  extension: 'an extension follows it',
  'two-numbers': 'it holds two numbers',
  'too-short': 'it is too short',
  'too-long': 'it is too long',
  'no-prefix': 'it has neither a leading 0 nor + and a calling code',
  unknown: 'there is no such number',
};

/** RFC 3966. A parameter changes who is called, so none is left out silently. */
function readTelUri(uri: string): NumberReading {
  const [number = '', ...parameters] = decoded(uri).split(';');
  if (parameters.some((each) => /^(?:ext|isub|postd)=/i.test(each))) return invalid('extension');
  return parameters.length > 0 ? invalid('unknown') : readText(number.replace(WRAPPING, ''));
}

function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}

function readText(text: string): NumberReading {
  if (OTHER_DIGIT.test(text)) return invalid('other-digits');
  const [first, second, ...more] = [...text.matchAll(RUN)];
  if (!first) return invalid(MARKS_ONLY.test(text) ? 'empty' : 'letters');
  const rest = text.slice(first.index + first[0].length);
  if (second) {
    const between = rest.slice(0, second.index - first.index - first[0].length);
    return invalid(
      whyTwoRuns(
        between,
        [first, second, ...more].map(([run]) => run),
      ),
    );
  }
  const isBare = MARKS_ONLY.test(text.slice(0, first.index)) && MARKS_ONLY.test(rest);
  return isBare ? readRun(first[0]) : invalid('letters');
}

function whyTwoRuns(between: string, runs: readonly string[]): InvalidNumber {
  const [first = '', last = ''] = [runs[0], runs.at(-1)];
  if (EXTENSION.test(between) && runs.length === 2 && digitsOf(last).length <= LONGEST_EXTENSION)
    return 'extension';
  return (isWhole(first) && isWhole(last)) || LIST_MARK.test(between) ? 'two-numbers' : 'letters';
}

/** @param run Digits with marks between them, after a plus where it is international. */
function readRun(run: string): NumberReading {
  const groups = run.replace(TRUNK_ZERO, '$1 ').match(/\+|\d+/g) ?? [];
  const cuts = groups.map(
    (_, index) => [groups.slice(0, index).join(''), groups.slice(index).join('')] as const,
  );
  const behindWhole = cuts.filter(([left]) => isWhole(left));
  // Two short codes in a row are rather a number that misses its area code, and never make a valid one.
  if (behindWhole.some(([left, right]) => isWhole(right) && !(isShort(left) && isShort(right)))) {
    return invalid('two-numbers');
  }
  const judgement = judge(groups.join(''));
  if ('dialled' in judgement) return { is: 'number', dialled: judgement.dialled };
  const tail = behindWhole.find(([left]) => !isShort(left))?.[1];
  if (tail === undefined) return invalid(judgement.wrong);
  return invalid(tail.length <= LONGEST_EXTENSION ? 'extension' : 'two-numbers');
}

function isShort(number: string): boolean {
  return number.length <= 5;
}

function isWhole(number: string): boolean {
  return 'dialled' in judge(digitsOf(number));
}

function digitsOf(run: string): string {
  return run.replace(/[^\d+]/g, '');
}

function invalid(why: InvalidNumber): NumberReading {
  return { is: 'invalid', why };
}
