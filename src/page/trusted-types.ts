/**
 * Lit makes its Trusted Types policy while it is imported. Where the page's content security policy forbids the name,
 * that throws: no element would be defined, and an exception would reach the page. So this file has to be imported
 * before Lit.
 */
const LIT_POLICY = 'lit-html';

interface Factory {
  createPolicy(name: string, rules: object): object;
}

const factory = (globalThis as { readonly trustedTypes?: Factory }).trustedTypes;
/** A wrapper that the page itself has put there. */
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
      // Strings instead of trusted ones: enough for a page that names policies but does not require them.
      return rules;
    }
  };
  Object.defineProperty(factory, 'createPolicy', { configurable: true, value });
}

/** To be called as soon as Lit has been imported: the page has its `createPolicy` back, its own wrapper or the browser's. */
export function restoreTrustedTypes(): void {
  if (!factory) return;
  if (ownWrapper) Object.defineProperty(factory, 'createPolicy', ownWrapper);
  else Reflect.deleteProperty(factory, 'createPolicy');
}

/** May templates be drawn? Else the element has nothing but plain text. */
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
