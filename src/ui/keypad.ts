/** The twelve keys, for dialling and for tones. */
import { html, type TemplateResult } from 'lit';

const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#'];

export function keypad(label: string, press: (key: string) => void): TemplateResult {
  return html`<div class="keypad" role="group" aria-label=${label}>
    ${KEYS.map((key) => html`<button type="button" class="key" part="key" @click=${() => press(key)}>${key}</button>`)}
  </div>`;
}
