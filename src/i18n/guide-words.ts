/** The words of the guides in the language of other words. */
import { guideEn, type GuideWords } from './guide-en.ts';
import { guideVi } from './guide-vi.ts';
import type { Language } from './language.ts';

const GUIDE_WORDS: Readonly<Record<Language, GuideWords>> = { en: guideEn, vi: guideVi };

export function guideWords({ language }: { readonly language: Language }): GuideWords {
  return GUIDE_WORDS[language];
}
