/**
 * What a tag is to draw instead of what goes on, for a page that shows every state. No entry of the package exports it, and
 * such a tag is never connected: `connect-mode="manual"`.
 */
import type { DialerState } from '../dialer/state/state.ts';
import type { View } from '../ui/view.ts';

export interface Shown {
  /** Tells it from the others on the page, for who hears the page. */
  readonly name: string;
  readonly state: DialerState;
  readonly view: Partial<Omit<View, 'state' | 'words'>>;
  /** Is the card of the bubble open? */
  readonly isOpen: boolean;
}

/** Filled before the tag is put into the page. */
export const shown = new WeakMap<Element, Shown>();

export function asShown(element: Element, view: View): View {
  const given = shown.get(element);
  if (!given) return view;
  const { words } = view;
  const dialer = `${words.dialer}: ${given.name}`;
  return { ...view, ...given.view, state: given.state, words: { ...words, dialer } };
}
