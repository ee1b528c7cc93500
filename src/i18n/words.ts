/** The words of a language, and the sentences that depend on more than the language. */
import { en, type Words } from './en.ts';
import { withOwnWords } from './page-words.ts';
import { vi } from './vi.ts';

export type { Words };

/** The languages of this package. */
export const LANGUAGES: Readonly<Record<string, Words>> = { en, vi };

/** @param own the page's words; if `LANGUAGES` lacks the language, missing words are English */
export function chooseWords(language: string, own?: unknown): Words {
  const words = LANGUAGES[language] ?? { ...en, language };
  return own === undefined || own === null ? words : withOwnWords(words, own);
}

/** The sentence for a `DialerError`. If the page's own content security policy is the cause, the sentence names it. */
export function errorText(
  words: Words,
  { code, directive }: { code: keyof Words['error']; directive?: string | undefined },
): string {
  return directive === undefined ? words.error[code] : words.blockedByPolicy(directive);
}
