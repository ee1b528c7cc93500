/** Which vendor the demo has, and whether it signs agents in: the server tells the page in meta elements. */
import type { PartnerDialer } from '../../src/index.ts';
import { byId } from './dom.ts';

const features = readMeta('demo-features');
export const isSandbox = features.includes('sandbox');
export const hasSignIn = features.includes('sign-in');

/** The sandbox serves its own SDK; a real vendor's SDK must ask the API that issues the tokens. */
export function offerVendor(dialer: PartnerDialer): void {
  byId('real-vendor', HTMLElement).hidden = isSandbox;
  // The example pages name the sandbox as their vendor.
  for (const id of ['sandbox', 'about-more', 'pages']) byId(id, HTMLElement).hidden = !isSandbox;
  byId('sign-in', HTMLElement).hidden = !hasSignIn;
  if (isSandbox) dialer.setAttribute('sdk-url', '/vendor/vbot-sdk.js');
  const base = isSandbox ? new URL('/vendor/v3.0', location.href).href : readMeta('demo-sdk-base');
  dialer.setAttribute('sdk-base-url', base);
}

function readMeta(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';
}
