/** Callers who do not show their number: exchanges send a word for it, and often the same word for the name (RFC 3323). */
const WORD = /^(?:anonymous|unknown|unavailable|restricted|private)?$/i;

/** @param number or the name that came with it */
export function isWithheld(number: string): boolean {
  return WORD.test(number.trim());
}
