/** Language and theme, of the page and of the dialer in it. */
import * as z from 'zod/mini';
import type { PartnerDialer } from '../../src/index.ts';
import { byId, onPick, pick } from './dom.ts';
import { readStored, store } from './storage.ts';
import { setLanguage } from './words/language.ts';

const themeSchema = z.catch(z.enum(['auto', 'light', 'dark']), 'auto');
const languageSchema = z.catch(z.enum(['vi', 'en']), navigator.language.startsWith('vi') ? 'vi' : 'en');

/** @param dialer which else follows the page */
export function offerPreferences(dialer?: PartnerDialer): void {
  const themes = byId('theme', HTMLFieldSetElement);
  const setTheme = (value: string | undefined) => {
    const theme = themeSchema.parse(value);
    // The dialer would follow the page by itself; the attribute shows how a page without a theme sets it.
    document.documentElement.dataset['theme'] = theme;
    if (dialer) dialer.theme = theme;
    pick(themes, theme);
    store('theme', theme);
  };
  onPick(themes, setTheme);
  setTheme(readStored('theme'));

  const languages = byId('language', HTMLFieldSetElement);
  const chooseLanguage = (value: string | undefined) => {
    const language = languageSchema.parse(value);
    if (dialer) dialer.lang = language;
    setLanguage(language);
    pick(languages, language);
    store('language', language);
  };
  onPick(languages, chooseLanguage);
  chooseLanguage(readStored('language'));
}
