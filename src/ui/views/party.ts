/** Who is on the other side of a call. */
import { html, nothing, type TemplateResult } from 'lit';
import type { CallInfo } from '../../dialer/state/call-info.ts';
import type { Words } from '../../i18n/words.ts';
import { isWithheld } from '../../numbers/withheld.ts';
import { numberText } from './call-result.ts';
import { icon } from './controls.ts';

/** In letters. A longer name is smaller, but still the largest text of the view. */
const LONG_NAME = 24;
/** In letters; fits into one line of the narrowest card. */
const LONG_NUMBER = 14;

/** Titles before a name: a form of address, a kind of company. */
const TITLES =
  /^(?:(?:anh|chị|em|cô|chú|bác|cậu|dì|ông|bà|thầy|mr|mrs|ms|miss|dr|công ty|cty|tnhh|cổ phần|cp)\.?(?:\s+|$))+/i;
/** A note in brackets behind a name. */
const NOTE = /\([^)]*\)|\[[^\]]*\]/g;
const WORD = /^\p{Script=Latin}[\p{Script=Latin}'’.-]*$/u;

type Party = Partial<CallInfo> & Pick<CallInfo, 'number'>;

/** The name in large letters with the number under it; without a name, the number in large letters. */
export function party(
  words: Words,
  { name, number, customer, customers }: Party,
  chips: readonly TemplateResult[],
): TemplateResult {
  const more = customers && customers.length > 1 ? words.sameNumber(customers.length) : customer?.context;
  const formatted = numberText(words, number);
  const isLong = formatted.length > (isWithheld(number) ? LONG_NAME : LONG_NUMBER);
  const largest = isLong ? 'party-number largest long' : 'party-number largest';
  return html`${name ? html`<p class=${name.length > LONG_NAME ? 'party-name long' : 'party-name'} title=${name}>${name}</p>` : nothing}
    ${more ? html`<p class="muted party-context">${more.split(' · ').map(contextPart)}</p>` : nothing}
    <p class=${name ? 'party-number' : largest} part="number">${formatted}</p>
    ${chips.length === 0 ? nothing : html`<p class="chips">${chips}</p>`}`;
}

/** Screen readers read the name anyway. */
export function avatar(name = ''): TemplateResult {
  return html`<div class="avatar" part="avatar" aria-hidden="true">
    ${toInitials(name) ?? icon('person')}
  </div>`;
}

/**
 * The first letters of family and given name: of the first and of the last word, as Vietnamese names have them.
 *
 * @returns `undefined` for a single word, for several people, and if not every word is in Latin letters
 */
export function toInitials(name: string): string | undefined {
  const words = name.normalize('NFC').replace(NOTE, '').trim().replace(TITLES, '').split(/\s+/);
  if (words.length < 2 || !words.every((word) => WORD.test(word))) return undefined;
  return [words.at(0), words.at(-1)].map((word) => word?.charAt(0).toUpperCase()).join('');
}

/** Separated by a gap: a dot could stand at the end of a line. */
function contextPart(part: string, index: number): TemplateResult {
  return html`<span>${index > 0 ? html`<span class="visually-hidden"> · </span>` : nothing}${part}</span>`;
}
