/** The numbering plan: which phone numbers are valid, in Vietnam and abroad, and how they are grouped for reading. */

/** Mobile numbers such as `0912345678`, fixed lines, and the ranges of the army, the government and internet telephony. */
const DOMESTIC = /^0(?:[35789]\d{8}|2\d{9}|69\d{5,7}|80\d{5}|672\d{6})$/;
/** Service numbers have no leading zero. */
const SERVICE = /^1[89]00(?:\d{4}|\d{6})$/;
const SERVICE_PREFIX = /^1[89]00/;
/** 113, 1080, a colleague's extension; the SDK sends 3 to 5 digits without a caller number. */
const SHORT = /^[1-9]\d{2,4}$/;

/** E.164, with the calling code. Its shortest numbers have seven digits. */
const ABROAD = /^[1-9]\d{6,14}$/;
/** The calling codes of one or two digits; any other has three. */
const CALLING_CODE = /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/;

/** The exchange knows Vietnamese numbers in national form, and all others by a plus and the calling code. */
type Judgement =
  | { readonly dialled: string }
  | { readonly wrong: 'too-short' | 'too-long' | 'no-prefix' | 'unknown' };

/** @param number Digits, after a plus if it is international. */
export function judge(number: string): Judgement {
  if (number.startsWith('+')) return judgeInternational(number.slice(1));
  // Zero was pressed twice: two zeros also stand for a plus, and somebody abroad would be called.
  if (number.startsWith('00') && DOMESTIC.test(number.slice(1))) return { wrong: 'no-prefix' };
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
  if (ABROAD.test(digits)) return { dialled: `+${digits}` };
  return byLength(digits.length, 7, 15);
}

function byLength(length: number, shortest: number, longest: number): Judgement {
  if (length < shortest) return { wrong: 'too-short' };
  return { wrong: length > longest ? 'too-long' : 'unknown' };
}

/** Groups a number as people read it: `0912 345 678`, `028 9999 0001`, `1900 1234`, `+1 202 555 0123`. */
export function formatNumber(number: string): string {
  const vietnamese = /^\+?84(\d{7,10})$/.exec(number)?.[1];
  if (vietnamese && SERVICE.test(vietnamese)) return formatNumber(vietnamese);
  if (vietnamese && DOMESTIC.test(`0${vietnamese}`)) return `+84 ${groupDomestic(`0${vietnamese}`).slice(1)}`;
  if (DOMESTIC.test(number)) return groupDomestic(number);
  if (SERVICE.test(number)) return number.length === 8 ? groups(number, 4, 4) : groups(number, 4, 3, 3);
  const [code] = /^\+\d{7,15}$/.test(number) ? (CALLING_CODE.exec(number.slice(1)) ?? []) : [];
  return code === undefined ? number : `+${code} ${groupForeign(number.slice(1 + code.length))}`;
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
