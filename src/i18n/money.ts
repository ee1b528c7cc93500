/** How amounts are written. */

/**
 * `12.500 ₫`, the same in both languages, as people in Vietnam read it. A fraction never rounds up to money. By hand: an
 * `Intl.NumberFormat` has the browser load a locale, which takes longer than all else at the start.
 */
export function formatMoney(amount: number): string {
  const digits = String(Math.floor(amount)).replace(/\B(?=(?:\d{3})+$)/g, '.');
  return `${digits}\u00a0₫`;
}
