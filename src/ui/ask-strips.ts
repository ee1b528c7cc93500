/** The questions above the keypad, one at a time. */
import { html, nothing, type TemplateResult } from 'lit';
import { icon } from './late-controls.ts';
import type { FullView } from './view.ts';

export function askStrip({ words, asks, act }: FullView): TemplateResult | typeof nothing {
  // Any click on the page will do: this one is as good as another.
  if (asks.isSilent) return strip(words.asks.ringer, words.asks.turnOn, () => undefined);
  if (!asks.mayOfferNotifications) return nothing;
  const decline = html`<button
    type="button"
    class="icon-button"
    aria-label=${words.asks.notNow}
    @click=${() => act.declineNotifications()}
  >
    ${icon('close')}
  </button>`;
  return strip(words.asks.notifications, words.asks.turnOn, () => act.allowNotifications(), decline);
}

function strip(text: string, label: string, press: () => void, more: unknown = nothing): TemplateResult {
  return html`<div class="strip">
    ${icon('bell')}
    <p>${text}</p>
    <button type="button" class="link" @click=${press}>${label}</button>
    ${more}
  </div>`;
}
