/** The numbers of the sandbox: what the other party does when one of them is dialled. */

/** What becomes of a call that the exchange lets through; times in milliseconds. */
export type Plan =
  | { readonly kind: 'answer'; readonly afterMs: number }
  | { readonly kind: 'early-media'; readonly answerAfterMs: number }
  | { readonly kind: 'never' }
  | { readonly kind: 'refuse'; readonly status: number };

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
