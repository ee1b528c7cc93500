/** English with longer words, in place of a language that the page brings. */
import { en } from '../../src/i18n/en.ts';
import type { DialerWords } from '../../src/index.ts';

/** @param factor how much longer each text is */
export function longerWords(factor: number): DialerWords {
  const { language: _, ...words } = en;
  return longer(words, factor) as DialerWords;
}

function longer(word: unknown, factor: number): unknown {
  if (typeof word === 'string') return lengthen(word, factor);
  if (typeof word === 'function') {
    return (...values: unknown[]): unknown => longer(Reflect.apply(word, undefined, values), factor);
  }
  if (Array.isArray(word)) return word.map((each) => longer(each, factor));
  return Object.fromEntries(Object.entries(word ?? {}).map(([key, each]) => [key, longer(each, factor)]));
}

/** Runs of letters end with their own first letters again, until the whole is as much longer. */
function lengthen(text: string, factor: number): string {
  let added = 0;
  return text.replaceAll(/\p{L}+/gu, (letters, start: number) => {
    const missing = Math.round((start + letters.length) * (factor - 1)) - added;
    const more = letters.slice(0, missing);
    added += more.length;
    return letters + more;
  });
}
