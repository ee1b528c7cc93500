/** The return of somebody who looks at the page. */

/** Tells when somebody comes back to the page, perhaps from the settings of the browser. */
export function watchReturn(signal: AbortSignal, back: () => void): void {
  addEventListener('focus', back, { signal });
  const listener = () => document.visibilityState === 'visible' && back();
  document.addEventListener('visibilitychange', listener, { signal });
}
