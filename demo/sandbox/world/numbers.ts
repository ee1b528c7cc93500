/** The numbers of the sandbox: what the other party does when one of them is dialled. */

export interface SandboxNumber {
  readonly number: string;
  readonly meaning: string;
}

/** What becomes of a call that the exchange lets through; times in milliseconds. */
export type Plan =
  | { readonly kind: 'answer'; readonly afterMs: number }
  | { readonly kind: 'early-media'; readonly answerAfterMs: number }
  | { readonly kind: 'never' }
  | { readonly kind: 'refuse'; readonly status: number };

export const SANDBOX_NUMBERS: readonly SandboxNumber[] = [
  { number: '0900000200', meaning: 'Rings once, about a second, and answers; you hear yourself.' },
  { number: '0900000100', meaning: 'Rings and is never answered.' },
  { number: '0900000183', meaning: 'Sends its own ringback tone (early media), then answers after 2 s.' },
  { number: '0900000402', meaning: 'Is refused with 402, Payment Required, even to a member with money.' },
  {
    number: '0900000400 to 0900000699',
    meaning:
      'Is refused with the SIP status in its last three digits: 480 not reachable, 486 busy, 603 declined.',
  },
  { number: 'any other, 3 digits or more', meaning: 'Rings and answers after 1.5 s; you hear yourself.' },
  { number: 'letters, fewer than 3 digits, or nothing', meaning: 'Is refused with 404.' },
];

const DIALLABLE = /^\+?[0-9*#]{3,20}$/;

/** What the other party does with a call to this number. */
export function planFor(number: string): Plan {
  if (!DIALLABLE.test(number)) return { kind: 'refuse', status: 404 };
  const code = /^0900000(\d{3})$/.exec(number)?.[1];
  if (code === '200') return { kind: 'answer', afterMs: 1000 };
  if (code === '100') return { kind: 'never' };
  if (code === '183') return { kind: 'early-media', answerAfterMs: 2000 };
  const status = Number(code);
  if (status >= 400 && status <= 699) return { kind: 'refuse', status };
  return { kind: 'answer', afterMs: 1500 };
}

/** The national form of a Vietnamese number in any spelling: `0912345678` for `+84 912 345 678`. */
export function toNational(number: string): string {
  return number.replaceAll(/\D/g, '').replace(/^(?:00)?84(?=\d{9,10}$)/, '0');
}
