/** Which language an element speaks. */
export type Language = 'en' | 'vi';

/** The element's own language, else the nearest one around it, else the browser's; English for all others. */
export function languageOf(element: HTMLElement): Language {
  const own = known(element.lang);
  if (own) return own;
  for (let node = parentOf(element); node; node = parentOf(node)) {
    const language = node.getAttribute('lang');
    if (language) return known(language) ?? 'en';
  }
  return known(navigator.language) ?? 'en';
}

function parentOf(element: Element): Element | null {
  const root = element.getRootNode();
  return element.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
}

/** Frameworks set the property `lang` to anything. */
function known(tag: unknown): Language | undefined {
  const language = typeof tag === 'string' ? tag.toLowerCase().split(/[-_]/)[0] : undefined;
  return language === 'vi' || language === 'en' ? language : undefined;
}
