/** Two letters of a name, for the avatar. */

/** Titles before a name: a form of address, a kind of company. */
const TITLES =
  /^(?:(?:anh|chị|em|cô|chú|bác|cậu|dì|ông|bà|thầy|mr|mrs|ms|miss|dr|công ty|cty|tnhh|cổ phần|cp)\.?(?:\s+|$))+/i;
/** A note in brackets behind a name. */
const NOTE = /\([^)]*\)|\[[^\]]*\]/g;
const WORD = /^\p{Script=Latin}[\p{Script=Latin}'’.-]*$/u;

/**
 * The first letters of family and given name: of the first and of the last word, as Vietnamese names have them.
 *
 * @returns `undefined` for a single word, for several people, and if not every word is in Latin letters
 */
export function toInitials(name: string): string | undefined {
  const words = name.normalize('NFC').replace(NOTE, '').trim().replace(TITLES, '').split(/\s+/);
  if (words.length < 2 || !words.every((word) => WORD.test(word))) return undefined;
  return [words.at(0), words.at(-1)].map((word) => word?.charAt(0).toUpperCase()).join('');
}
