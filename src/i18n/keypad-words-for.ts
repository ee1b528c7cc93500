/** The keypad's words of each language, fetched when somebody speaks it. */
import { Chunk } from '../page/chunk.ts';
import type { KeypadWords } from './keypad-en.ts';
import type { Language } from './language.ts';

const WORDS: Readonly<Record<Language, Chunk<KeypadWords>>> = {
  en: new Chunk(async () => (await import('./keypad-en.ts')).keypadEn),
  vi: new Chunk(async () => (await import('./keypad-vi.ts')).keypadVi),
};

export function keypadWordsFor(language: Language): Chunk<KeypadWords> {
  return WORDS[language];
}
