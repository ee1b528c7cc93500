/** Ends, cancels or declines: the same button in every view of a call. */
import { html, type TemplateResult } from 'lit';
import { icon } from './icons.ts';

/** @param first the view's primary button, which takes the focus */
export function hangUpButton(label: string, hangUp: () => void, first: boolean): TemplateResult {
  return html`<button
    type="button"
    class="primary hang-up"
    part="hangup-button"
    ?data-focus=${first}
    @click=${hangUp}
  >
    ${icon('hangUp')}<span>${label}</span>
  </button>`;
}
