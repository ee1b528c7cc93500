/** What a person typed or a CRM stores, and what is dialled. */
import { DialerError } from '../errors.ts';

/** Blanks and the marks people group digits with. */
const DECORATION = /[\s().\-/\u00a0]/g;
const DIALLABLE = /^\+?\d{3,15}$/;

/**
 * The vendor dials what it is given, letters and all, so only plain digits leave here. A Vietnamese number in
 * international form becomes national, as the exchange knows it.
 *
 * @throws {DialerError} `invalid-number`
 */
export function toDialled(typed: string): string {
  const bare = typed.replace(DECORATION, '').replace(/^(\+|00)84(?=\d{9,10}$)/, '0');
  if (!DIALLABLE.test(bare)) throw new DialerError('invalid-number', 'That is not a phone number.');
  return bare;
}

/** Only what a phone number can hold, for the input field. */
export function cleanTyping(typed: string): string {
  return typed.replace(/[^\d+*#\s().-]/g, '').slice(0, 32);
}

/** Groups a number as people read it: `0912 345 678`, `028 9999 0001`, `+84 28 9999 0001`. */
export function formatNumber(number: string): string {
  const international = /^(\+?84)(\d{9,10})$/.exec(number);
  if (international) return `+84 ${groupNational(`0${international[2]}`).slice(1)}`;
  return /^0\d{9,10}$/.test(number) ? groupNational(number) : number;
}

function groupNational(number: string): string {
  // Fixed lines of the two big cities have a three-digit prefix and eight digits; mobiles go 4-3-3.
  if (/^02[48]\d{8}$/.test(number)) return `${number.slice(0, 3)} ${number.slice(3, 7)} ${number.slice(7)}`;
  return `${number.slice(0, 4)} ${number.slice(4, 7)} ${number.slice(7)}`;
}
