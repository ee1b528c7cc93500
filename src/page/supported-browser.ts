/** Chrome 123, Firefox 124, Safari 17.5 and later have all that the dialer is built on. */
export function isSupportedBrowser(): boolean {
  return (
    typeof AbortSignal.any === 'function' &&
    typeof URL.canParse === 'function' &&
    CSS.supports('color', 'light-dark(red, red)')
  );
}
