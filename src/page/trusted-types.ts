/**
 * Lit creates its Trusted Types policy while it is imported. If the page's content security policy forbids the name, that
 * throws: no element would be defined, and the page would get an exception. So import this file before Lit.
 */
const LIT_POLICY = 'lit-html';

interface Factory {
  createPolicy(name: string, rules: object): object;
}

const factory = (globalThis as { readonly trustedTypes?: Factory }).trustedTypes;
/** The page's own wrapper, if it has one. */
const ownWrapper = factory && Object.getOwnPropertyDescriptor(factory, 'createPolicy');
let isRefused = false;
let canRender: boolean | undefined;

if (factory) {
  const createPolicy = factory.createPolicy.bind(factory);
  const value = (name: string, rules: object) => {
    try {
      return createPolicy(name, rules);
    } catch (error) {
      if (name !== LIT_POLICY) throw error;
      isRefused = true;
      // Plain strings are enough for a page that restricts policy names but does not require trusted types.
      return rules;
    }
  };
  Reflect.defineProperty(factory, 'createPolicy', { configurable: true, value });
}

/** Call it as soon as Lit is imported: it restores the page's `createPolicy`, or the browser's. */
export function restoreTrustedTypes(): void {
  if (!factory) return;
  if (ownWrapper) Object.defineProperty(factory, 'createPolicy', ownWrapper);
  else Reflect.deleteProperty(factory, 'createPolicy');
}

/** Can templates be rendered? If not, the element shows plain text. */
export function mayRender(): boolean {
  canRender ??= !isRefused || takesMarkup();
  return canRender;
}

function takesMarkup(): boolean {
  try {
    document.createElement('template').innerHTML = '<b></b>';
    return true;
  } catch {
    return false;
  }
}
