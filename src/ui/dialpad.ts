/** Where a call begins: the number, the caller number, the keys. */
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { formatNumber } from '../dialer/phone-number.ts';
import { formatDuration, formatMoney } from '../i18n/words.ts';
import { icon } from './icons.ts';
import { keypad } from './keypad.ts';
import type { View } from './view.ts';

export function dialpadView(view: View): TemplateResult {
  const { words, draft, act, hint } = view;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    act.call(draft);
  };
  return html`<form class="dialpad" @submit=${submit}>
    <div class="number-row">
      <input
        class="number"
        part="number"
        type="tel"
        inputmode="tel"
        autocomplete="off"
        data-focus
        aria-label=${words.number}
        aria-describedby="hint"
        aria-invalid=${hint ? 'true' : 'false'}
        placeholder=${words.numberHint}
        .value=${live(draft)}
        @input=${(event: InputEvent) => act.type((event.target as HTMLInputElement).value)}
      />
      <button
        type="button"
        class="plain icon-button"
        aria-label=${words.erase}
        ?disabled=${draft === ''}
        @click=${() => act.erase()}
      >
        ${icon('erase')}
      </button>
    </div>
    <p id="hint" class="hint" role="alert">${hint ? words.error[hint] : nothing}</p>
    ${hotlineRow(view)} ${keypad(words.keypad, (key) => act.pressKey(key))}
    <button type="submit" class="primary call" part="call-button">
      ${icon('call')}<span>${words.call}</span>
    </button>
    ${footer(view)}
  </form>`;
}

function hotlineRow({ state: { hotlines }, hotline, words, act }: View): TemplateResult | typeof nothing {
  const [only, second] = hotlines;
  if (!only) return nothing;
  if (!second) {
    return html`<p class="hotline" part="hotline">
      <span class="muted">${words.from}</span> <span>${hotlineText(only)}</span>
    </p>`;
  }
  return html`<label class="hotline" part="hotline">
    <span class="muted">${words.from}</span>
    <select @change=${(event: Event) => act.chooseHotline((event.target as HTMLSelectElement).value)}>
      ${hotlines.map(
        (each) =>
          html`<option value=${each.number} ?selected=${each.number === hotline}>
            ${hotlineText(each)}
          </option>`,
      )}
    </select>
  </label>`;
}

function hotlineText({ name, number }: { name: string; number: string }): string {
  return name === '' || name === number ? formatNumber(number) : `${name} ${formatNumber(number)}`;
}

function footer({ state, lastCall, words }: View): TemplateResult | typeof nothing {
  const balance = state.member?.balance;
  if (balance === undefined && !lastCall) return nothing;
  return html`<p class="footer muted">
    ${balance === undefined ? nothing : html`<span>${words.balanceOf(formatMoney(balance))}</span>`}
    ${lastCall ? html`<span>${lastCallText(lastCall, words)}</span>` : nothing}
  </p>`;
}

function lastCallText(call: NonNullable<View['lastCall']>, words: View['words']): string {
  const { answeredAt, endedAt, outcome = 'failed' } = call;
  const talked = outcome === 'answered' && answeredAt !== undefined && endedAt !== undefined;
  const what = talked ? formatDuration(endedAt - answeredAt) : words.outcome[outcome];
  return words.lastCall(formatNumber(call.number), what);
}
