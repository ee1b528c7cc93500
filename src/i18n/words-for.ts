/** All words of each language, fetched once its phone is ready. Apart from the keypad's, which the first file knows of. */
import { Chunk } from '../page/chunk.ts';
import type { Words } from './en.ts';
import type { Language } from './language.ts';

const WORDS: Readonly<Record<Language, Chunk<Words>>> = {
  en: new Chunk(async () => (await import('./en.ts')).en),
  vi: new Chunk(async () => (await import('./vi.ts')).vi),
};

export function wordsFor(language: Language): Chunk<Words> {
  return WORDS[language];
}
