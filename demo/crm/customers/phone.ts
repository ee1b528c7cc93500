/** Telephone numbers as people read them aloud. */

/** `0900 000 200`, `028 3822 1234`; one from abroad stays as it is. */
export function formatPhone(number: string): string {
  const national = toNational(number);
  return national.length === 11
    ? national.replace(/^(\d{3})(\d{4})(\d{4})$/, '$1 $2 $3')
    : national.replace(/^(0\d{3})(\d{3})(\d{3})$/, '$1 $2 $3');
}

/** One spelling of a Vietnamese number, to compare by. */
export function toNational(number: string): string {
  const digits = number.replaceAll(/[^\d+]/g, '');
  return digits.replace(/^(?:\+|00)?84(?=\d{9,10}$)/, '0');
}
