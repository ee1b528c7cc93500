/** Defines `<partner-dialer>` and exports its types and event classes. */
import { PartnerDialer } from './element.ts';

export * from './element.ts';

declare global {
  interface HTMLElementTagNameMap {
    'partner-dialer': PartnerDialer;
  }
}

// On a server there is no element to define, and two copies of the script on one page must not throw.
const isElement = typeof HTMLElement === 'function' && PartnerDialer.prototype instanceof HTMLElement;
if (isElement && !customElements.get('partner-dialer')) {
  customElements.define('partner-dialer', PartnerDialer);
}
