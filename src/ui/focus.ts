/** Where the focus goes when another view takes over: an agent at the keyboard goes on where the work is. */
import type { LitElement } from 'lit';
import type { DialerState } from '../dialer/state.ts';
import { viewKey } from './body.ts';

export function followFocus(element: LitElement & { readonly state: DialerState }): void {
  let hadFocus = false;
  let shownKey = '';
  element.addController({
    hostUpdate() {
      hadFocus = element.shadowRoot?.activeElement != null;
    },
    hostUpdated() {
      const key = viewKey(element.state);
      if (key === shownKey) return;
      const isFirst = shownKey === '';
      shownKey = key;
      // The button that had the focus is gone.
      if (hadFocus && !isFirst) element.renderRoot.querySelector<HTMLElement>('[data-focus]')?.focus();
    },
  });
}
