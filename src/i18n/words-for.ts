/** The words of each language, fetched when somebody speaks it: those of the keypad first. */
import { Chunk } from '../page/chunk.ts';
import type { Words } from './en.ts';
import type { KeypadWords } from './keypad-en.ts';
import type { Language } from './language.ts';

const KEYPAD_WORDS: Readonly<Record<Language, Chunk<KeypadWords>>> = {
  en: new Chunk(async () => (await import('./keypad-en.ts')).keypadEn),
  vi: new Chunk(async () => (await import('./keypad-vi.ts')).keypadVi),
};
const WORDS: Readonly<Record<Language, Chunk<Words>>> = {
  en: new Chunk(async () => (await import('./en.ts')).en),
  vi: new Chunk(async () => (await import('./vi.ts')).vi),
};

export function keypadWordsFor(language: Language): Chunk<KeypadWords> {
  return KEYPAD_WORDS[language];
}

/** Those of the keypad among them. */
export function wordsFor(language: Language): Chunk<Words> {
  return WORDS[language];
}
