/**
 * Lines that come and go while a view stays. They are always there for screen readers, which hear only changes, and take
 * no room while empty: `:empty` counts blanks, hence no line break inside.
 */
import { html, nothing, type TemplateResult } from 'lit';

export function noticeLine(text: string | undefined): TemplateResult {
  return html`<p class="notice" role="status">${text ?? nothing}</p>`;
}

export function alertLine(text: string | undefined): TemplateResult {
  return html`<p class="hint" role="alert">${text ?? nothing}</p>`;
}
