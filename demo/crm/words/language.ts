/** The page's language, which the agent picks. Whoever draws words draws them anew when it changes. */
import { EN, type Words } from './en.ts';
import { VI } from './vi.ts';

export type { Words };
const LANGUAGES = { en: EN, vi: VI };
export type Language = keyof typeof LANGUAGES;

const changes = new EventTarget();
let current: Language = 'en';

export function words(): Words {
  return LANGUAGES[current];
}

/** @param draw called whenever the language has changed */
export function onLanguage(draw: () => void): void {
  changes.addEventListener('change', draw);
}

export function setLanguage(language: Language): void {
  current = language;
  document.documentElement.lang = language;
  writeWords({ ...words().page, ...words().playground.page });
  changes.dispatchEvent(new Event('change'));
}

/** What the vendor calls a field or a choice, in the page's language where we know it. */
export function inOurWords(name: string): string {
  return words().names[name] ?? name;
}

/** A code of the vendor that has no words here, e.g. `NEW_TICKET`. */
export function readable(code: string): string {
  return code
    .replaceAll('_', ' ')
    .toLowerCase()
    .replace(/^./, (first) => first.toUpperCase());
}

/** `data-text="search"`, `data-label` and `data-placeholder` stand in the page where a word belongs. */
function writeWords(page: Readonly<Record<string, string>>): void {
  const write = (
    name: 'text' | 'label' | 'placeholder',
    put: (element: HTMLElement, text: string) => void,
  ) => {
    for (const element of document.querySelectorAll<HTMLElement>(`[data-${name}]`)) {
      const key = element.dataset[name] ?? '';
      const text = page[key];
      if (text === undefined) throw new Error(`There is no word for ${key}.`);
      put(element, text);
    }
  };
  write('text', (element, text) => (element.textContent = text));
  write('label', (element, text) => element.setAttribute('aria-label', text));
  write('placeholder', (element, text) => element.setAttribute('placeholder', text));
}
