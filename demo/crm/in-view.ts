/** Brings into view what a call is about. */
import { byId } from './dom.ts';

const NARROW = matchMedia('(max-width: 1000px)');

/** On a narrow page the dialer is above the table, out of sight at the last customer. */
export function bringDialerIntoView(): void {
  if (NARROW.matches) byId('dialer', HTMLElement).scrollIntoView({ block: 'nearest' });
}

/** If the list has no room for the card beside it, the card is below. On a narrow page, the dialer stays in view instead. */
export function bringCardIntoView(): void {
  const element = byId('card', HTMLElement);
  const { top } = element.getBoundingClientRect();
  if (!NARROW.matches && (top < 0 || top > innerHeight / 2)) element.scrollIntoView({ block: 'nearest' });
}
