/** The numbering plan: which phone numbers are valid, in Vietnam and abroad, and how they are grouped for reading. */

/** Mobile numbers such as `0912345678`, fixed lines, and the ranges of the army, the government and internet telephony. */
const DOMESTIC = /^0(?:[35789]\d{8}|2\d{9}|69\d{5,7}|80\d{5}|672\d{6})$/;
/** Service numbers have no leading zero. */
const SERVICE = /^1[89]00(?:\d{4}|\d{6})$/;
const SERVICE_PREFIX = /^1[89]00/;
/** 113, 1080, a colleague's extension; the SDK sends 3 to 5 digits without a caller number. */
const SHORT = /^[1-9]\d{2,4}$/;

/**
 * Lengths of national numbers by calling code, from libphonenumber's metadata, without service numbers. The length shows
 * whether more digits follow a complete number.
 */
const NATIONAL_LENGTHS: readonly (readonly [shortest: number, longest: number, codes: string])[] = [
  [6, 6, '298 299 687'],
  [7, 7, '238 239 269 297 673 960'],
  [7, 9, '46 353 354'],
  [8, 8, '45 47 53 65 216 222 223 227 228 356 357 370 371 373 374 389 502 503 504 505 506 507'],
  [8, 8, '509 852 853 965 968 973 974 975 976'],
  [8, 9, '32 36 51 66 213 381 385 386 591 855 886 961 962 966 971 972'],
  [8, 10, '20 60 63 64 82 95 234 856 880 964 977'],
  [8, 11, '39 49'],
  [8, 13, '43'],
  [9, 9, '27 31 33 34 40 41 48 56 61 93 94 212 218 221 233 237 244 251 254 255 256 258'],
  [9, 9, '260 351 380 420 421 992 994 995 996 998'],
  [9, 10, '44 81 92'],
  [9, 12, '62'],
  [10, 10, '1 7 30 52 57 58 90 91 98'],
  [10, 11, '54 55 86'],
];
/** Every code of one or two digits is listed above, so any other code has three. */
const OTHER_LENGTHS = [7, 12] as const;

/** The exchange knows Vietnamese numbers in national form, and all others by a plus and the calling code. */
type Judgement =
  | { readonly dialled: string }
  | { readonly wrong: 'too-short' | 'too-long' | 'no-prefix' | 'unknown' };

/** @param number Digits, after a plus where it is international. */
export function judge(number: string): Judgement {
  if (number.startsWith('+')) return judgeInternational(number.slice(1));
  if (number.startsWith('00')) return judgeInternational(number.slice(2));
  const withoutCode = /^840?(\d{7,10})$/.exec(number)?.[1];
  if (withoutCode && DOMESTIC.test(`0${withoutCode}`)) return { dialled: `0${withoutCode}` };
  const service = /^84(\d{8,10})$/.exec(number)?.[1];
  if (service && SERVICE.test(service)) return { dialled: service };
  return judgeNational(number);
}

function judgeNational(number: string): Judgement {
  // A prefix of a service number is not a short code: `1900` and `1234` are one number written in two groups.
  const isShort = SHORT.test(number) && !SERVICE_PREFIX.test(number);
  if (isShort || SERVICE.test(number) || DOMESTIC.test(number)) return { dialled: number };
  const { length } = number;
  if (length < 3) return { wrong: 'too-short' };
  if (SERVICE_PREFIX.test(number)) return byLength(length, 8, 10);
  if (number.startsWith('02')) return byLength(length, 11, 11);
  if (number.startsWith('0')) return byLength(length, 10, 10);
  // Perhaps the beginning of a number with Vietnam's calling code.
  if (/^84[235789]/.test(number) && length < (number.startsWith('842') ? 12 : 11))
    return { wrong: 'too-short' };
  return { wrong: length > 15 ? 'too-long' : 'no-prefix' };
}

function judgeInternational(digits: string): Judgement {
  if (digits.startsWith('84')) {
    const national = digits.slice(2);
    const number = /^0|^1[89]00/.test(national) ? national : `0${national}`;
    return /^0?$/.test(national) ? { wrong: 'too-short' } : judgeNational(number);
  }
  if (digits === '') return { wrong: 'too-short' };
  if (digits.startsWith('0')) return { wrong: 'unknown' };
  const code = callingCode(digits);
  const { length } = digits.slice(code.length);
  const [shortest, longest] = lengthsFor(code);
  return length >= shortest && length <= longest
    ? { dialled: `+${digits}` }
    : byLength(length, shortest, longest);
}

function byLength(length: number, shortest: number, longest: number): Judgement {
  if (length < shortest) return { wrong: 'too-short' };
  return { wrong: length > longest ? 'too-long' : 'unknown' };
}

function callingCode(digits: string): string {
  if (/^[17]/.test(digits)) return digits.slice(0, 1);
  const two = digits.slice(0, 2);
  return two === '84' || listedLengths(two) ? two : digits.slice(0, 3);
}

function lengthsFor(code: string): readonly [shortest: number, longest: number] {
  const [shortest, longest] = listedLengths(code) ?? OTHER_LENGTHS;
  return [shortest, longest];
}

function listedLengths(code: string): (typeof NATIONAL_LENGTHS)[number] | undefined {
  return NATIONAL_LENGTHS.find(([, , codes]) => codes.split(' ').includes(code));
}

/** Groups a number as people read it: `0912 345 678`, `028 9999 0001`, `1900 1234`, `+1 202 555 0123`. */
export function formatNumber(number: string): string {
  const vietnamese = /^\+?84(\d{7,10})$/.exec(number)?.[1];
  if (vietnamese && SERVICE.test(vietnamese)) return formatNumber(vietnamese);
  if (vietnamese && DOMESTIC.test(`0${vietnamese}`)) return `+84 ${groupDomestic(`0${vietnamese}`).slice(1)}`;
  if (DOMESTIC.test(number)) return groupDomestic(number);
  if (SERVICE.test(number)) return number.length === 8 ? groups(number, 4, 4) : groups(number, 4, 3, 3);
  if (!/^\+\d{8,15}$/.test(number)) return number;
  const code = callingCode(number.slice(1));
  return `+${code} ${groupForeign(number.slice(1 + code.length))}`;
}

function groupDomestic(number: string): string {
  // The two big cities have a three-digit area code and eight digits; mobiles go 4-3-3.
  if (/^02[48]/.test(number)) return groups(number, 3, 4, 4);
  if (number.startsWith('02')) return groups(number, 4, 4, 3);
  if (number.startsWith('069')) return groups(number, 3, 3, 4);
  return groups(number, 4, 3, 3);
}

function groupForeign(number: string): string {
  if (number.length === 8) return groups(number, 4, 4);
  return number.length === 11 ? groups(number, 3, 4, 4) : groups(number, 3, 3, 4, 5);
}

function groups(number: string, ...sizes: readonly number[]): string {
  let from = 0;
  return sizes
    .map((size) => number.slice(from, (from += size)))
    .filter((group) => group !== '')
    .join(' ');
}
