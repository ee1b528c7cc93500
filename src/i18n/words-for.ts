/** All words of each language. */
import { Chunk } from '../page/chunk.ts';
import { en, type Words } from './en.ts';
import type { Language } from './language.ts';
import { vi } from './vi.ts';

const WORDS: Readonly<Record<Language, Chunk<Words>>> = {
  en: new Chunk(async () => en),
  vi: new Chunk(async () => vi),
};

export function wordsFor(language: Language): Chunk<Words> {
  return WORDS[language];
}
