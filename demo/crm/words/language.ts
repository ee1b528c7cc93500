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
  document.title = words().page.title;
  write('text', (element, text) => (element.textContent = text));
  write('label', (element, text) => element.setAttribute('aria-label', text));
  write('placeholder', (element, text) => element.setAttribute('placeholder', text));
  changes.dispatchEvent(new Event('change'));
}

/** `data-text="search"` and the like stand in the page where a word belongs. */
function write(name: 'text' | 'label' | 'placeholder', put: (element: HTMLElement, text: string) => void) {
  for (const element of document.querySelectorAll<HTMLElement>(`[data-${name}]`)) {
    const key = element.dataset[name] ?? '';
    const text = Object.entries(words().page).find(([one]) => one === key)?.[1];
    if (text === undefined) throw new Error(`There is no word for ${key}.`);
    put(element, text);
  }
}
