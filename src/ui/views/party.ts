/** Who is on the other side of a call. */
import { html, nothing, type TemplateResult } from 'lit';
import type { CallInfo } from '../../dialer/state/call-info.ts';
import type { Words } from '../../i18n/words.ts';
import { numberText } from './call-result.ts';

/** In letters. A longer name is smaller, but still the largest text of the view. */
const LONG_NAME = 24;
/** In letters; fits into one line of the narrowest card. */
const LONG_NUMBER = 14;

/** The name in large letters with the number under it; without a name, the number in large letters. */
export function party(
  words: Words,
  { name, number, customer, customers }: Partial<CallInfo> & Pick<CallInfo, 'number'>,
  detail: string | TemplateResult,
): TemplateResult {
  const more = customers && customers.length > 1 ? words.sameNumber(customers.length) : customer?.context;
  const formatted = numberText(words, number);
  const isLong = formatted.length > (formatted === words.withheld ? LONG_NAME : LONG_NUMBER);
  const largest = isLong ? 'party-number largest long' : 'party-number largest';
  return html`<div class="party">
    ${name ? html`<p class=${name.length > LONG_NAME ? 'party-name long' : 'party-name'} title=${name}>${name}</p>` : nothing}
    ${more ? html`<p class="muted party-context">${more.split(' · ').map(contextPart)}</p>` : nothing}
    <p class=${name ? 'party-number' : largest} part="number">${formatted}</p>
    <p class="muted detail">${detail}</p>
  </div>`;
}

/** Separated by a gap: a dot could stand at the end of a line. */
function contextPart(part: string, index: number): TemplateResult {
  return html`<span>${index > 0 ? html`<span class="visually-hidden"> · </span>` : nothing}${part}</span>`;
}
