/** Which language an element speaks. */
import type { ReactiveElement } from 'lit';
import { attempt } from '../errors.ts';
import { LANGUAGES } from './words.ts';

/**
 * The element's own language, else the nearest around it, else the browser's; English if `LANGUAGES` lacks it.
 *
 * @param isAny the page brings its own words: any language that it names is accepted
 */
export function findLanguage(element: HTMLElement, isAny = false): string {
  const read = (tag: string) => known(tag) ?? (isAny ? canonical(tag) : undefined);
  const own = read(element.lang);
  if (own) return own;
  for (let node = parentOf(element); node; node = parentOf(node)) {
    const language = node.getAttribute('lang');
    if (language) return read(language) ?? 'en';
  }
  return known(navigator.language) ?? 'en';
}

/** Draws the element anew when a `lang` around it has changed. */
export function followLanguage(element: ReactiveElement): void {
  const observer = new MutationObserver(() => element.requestUpdate());
  const observe = () => {
    for (let root = element.getRootNode(); ; root = root.host.getRootNode()) {
      observer.observe(root, { subtree: true, attributeFilter: ['lang'] });
      if (!(root instanceof ShadowRoot)) return;
    }
  };
  element.addController({
    hostConnected: observe,
    // A move causes an update only; the element may be in another root now.
    hostUpdated: observe,
    hostDisconnected: () => observer.disconnect(),
  });
}

function parentOf(element: Element): Element | null {
  const root = element.getRootNode();
  return element.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
}

function known(tag: string): string | undefined {
  const [language = ''] = tag.toLowerCase().split(/[-_]/);
  return Object.hasOwn(LANGUAGES, language) ? language : undefined;
}

/** As `Intl` takes it. */
function canonical(tag: string): string | undefined {
  return attempt(() => Intl.getCanonicalLocales(tag.replaceAll('_', '-'))[0]);
}
