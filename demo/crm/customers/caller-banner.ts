/** What the card says during a call with somebody else than its customer: a stranger, one of several, or another customer. */
import type { Customer } from '../../../src/index.ts';
import { byId, make } from '../dom.ts';
import { onLanguage, words } from '../words/language.ts';
import type { CustomerCard } from './customer-card.ts';
import type { LiveCaller } from './live-call.ts';
import { formatPhone } from './phone.ts';

export function drawBanner(card: CustomerCard, caller: LiveCaller): void {
  const banner = byId('card-caller', HTMLElement);
  const open = (customer: Customer) => {
    const button = make('button', { type: 'button', class: 'button' }, words().card.open(customer.name));
    button.addEventListener('click', () => void card.open(customer));
    return button;
  };
  const content = (): { readonly text: string; readonly buttons: readonly HTMLElement[] } | undefined => {
    const texts = words().card;
    if (!caller.call || caller.isOnCard) return undefined;
    const { customers, number } = caller.call;
    if (customers.length > 0) {
      return {
        text: customers.length > 1 ? texts.several(customers.length) : '',
        buttons: customers.map(open),
      };
    }
    return caller.isStranger ? { text: texts.stranger(formatPhone(number)), buttons: [] } : undefined;
  };
  let drawn = '';
  const update = () => {
    const { text = '', buttons = [] } = content() ?? {};
    // Written anew only when it has changed: it is announced, and the focus may be on a button of it.
    const key = [text, ...buttons.map(({ textContent }) => textContent)].join('|');
    if (key === drawn) return;
    drawn = key;
    banner.replaceChildren(...(text === '' ? [] : [make('p', {}, text)]), ...buttons);
  };
  caller.addEventListener('change', update);
  onLanguage(update);
}
