/** Language and theme. The page itself speaks English; the dialer in it speaks what the agent picks. */
import * as z from 'zod/mini';
import type { PartnerDialer } from '../../src/index.ts';
import { byId, onPick, pick } from './dom.ts';
import { readStored, store } from './storage.ts';

const themeSchema = z.catch(z.enum(['auto', 'light', 'dark']), 'auto');
const languageSchema = z.catch(z.enum(['vi', 'en']), navigator.language.startsWith('vi') ? 'vi' : 'en');

export function offerPreferences(dialer: PartnerDialer): void {
  const themes = byId('theme', HTMLFieldSetElement);
  const setTheme = (value: string | undefined) => {
    const theme = themeSchema.parse(value);
    // The dialer follows the page by itself; it is told all the same, as a page without a theme of its own would.
    document.documentElement.dataset['theme'] = theme;
    dialer.theme = theme;
    pick(themes, theme);
    store('theme', theme);
  };
  onPick(themes, setTheme);
  setTheme(readStored('theme'));

  const languages = byId('language', HTMLFieldSetElement);
  const setLanguage = (value: string | undefined) => {
    const language = languageSchema.parse(value);
    dialer.lang = language;
    pick(languages, language);
    store('language', language);
  };
  onPick(languages, setLanguage);
  setLanguage(readStored('language'));
}
