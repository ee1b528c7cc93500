/** The keypad's words of each language: few enough to come with the phone. */
import { keypadEn, type KeypadWords } from './keypad-en.ts';
import { keypadVi } from './keypad-vi.ts';
import type { Language } from './language.ts';

export const keypadWords: Readonly<Record<Language, KeypadWords>> = { en: keypadEn, vi: keypadVi };
