/** Has the browser fetch a script that will be inserted later, once. */

export interface PreloadOptions {
  readonly url: string;
  readonly integrity: string;
  readonly nonce: string;
}

/** With the integrity, the CORS mode and the nonce of the later script: else the browser would fetch it twice. */
export function preloadScript({ url, integrity, nonce }: PreloadOptions): void {
  const links = document.querySelectorAll<HTMLLinkElement>('link[rel~="preload"]');
  const isKnown =
    [...links].some(({ href }) => href === url) || [...document.scripts].some(({ src }) => src === url);
  if (isKnown) return;
  const link = document.createElement('link');
  link.rel = 'preload';
  link.as = 'script';
  link.nonce = nonce;
  if (integrity) {
    link.integrity = integrity;
    link.crossOrigin = 'anonymous';
  }
  link.href = url;
  const over = () => link.remove();
  link.addEventListener('load', over);
  link.addEventListener('error', over);
  document.head.append(link);
}
