/** Where a call begins: the number, the caller number, the keys. */
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { national } from '../dialer/caller-number.ts';
import { formatNumber, readNumber, type NumberReading } from '../dialer/phone-number.ts';
import type { DialerErrorCode } from '../errors.ts';
import { balanceLine } from './balance-line.ts';
import { actions, alertLine, icon, keypad } from './controls.ts';
import type { View } from './view.ts';

type Hotline = View['state']['hotlines'][number];

export function dialpadView(view: View): TemplateResult {
  const { words, draft, act, hint } = view;
  const reading = readNumber(draft);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    act.call(draft);
  };
  const call = html`<button type="submit" class="primary call" part="call-button">
    ${icon('call')}<span>${words.call}</span>
  </button>`;
  return html`<form class="dialpad" @submit=${submit}>
    ${view.calls?.strips(view) ?? nothing}
    <div class="number-row">
      <input
        class="number"
        part="number"
        type="tel"
        inputmode="tel"
        autocomplete="off"
        data-focus
        aria-label=${words.number}
        aria-describedby="reading"
        aria-invalid=${hint || isWrong(reading) ? 'true' : 'false'}
        placeholder=${words.numberHint}
        .value=${live(draft)}
        @beforeinput=${(event: InputEvent) => insertOnOneLine(event, (text) => act.type(text))}
        @input=${(event: InputEvent) => act.type((event.target as HTMLInputElement).value)}
      />
      <button
        type="button"
        class="plain icon-button"
        data-quick
        aria-label=${words.erase}
        aria-disabled=${draft === '' ? 'true' : 'false'}
        @click=${() => act.erase()}
      >
        ${icon('erase')}
      </button>
    </div>
    <div id="reading" class="reading">
      ${alertLine(hint ? hintText(hint, reading, words) : undefined)}
      ${hint ? nothing : readingLine(view, reading)}
    </div>
    ${hotlineRow(view)} ${keypad(words.keypad, (key) => act.pressKey(key))} ${balanceLine(view)}
    ${actions(call, recentButton(view))}
  </form>`;
}

/** What a press of "Call" would dial, where that is not what is in the field; or why it would dial nothing. */
function readingLine({ draft, words }: View, reading: NumberReading): TemplateResult | typeof nothing {
  if (reading.is === 'invalid') {
    if (reading.why === 'empty') return nothing;
    return html`<p class=${isWrong(reading) ? 'wrong' : 'muted'}>${words.invalidNumber[reading.why]}</p>`;
  }
  const formatted = formatNumber(reading.dialled);
  if (draft === reading.dialled || draft === formatted) return nothing;
  return html`<p class="muted">${words.willCall(formatted)}</p>`;
}

/** A number that is still being typed is not wrong yet. */
function isWrong(reading: NumberReading): boolean {
  return reading.is === 'invalid' && reading.why !== 'empty' && reading.why !== 'too-short';
}

function hintText(hint: DialerErrorCode, reading: NumberReading, words: View['words']): string {
  const isAboutNumber = hint === 'invalid-number' && reading.is === 'invalid';
  return isAboutNumber ? words.invalidNumber[reading.why] : words.error[hint];
}

/** A field of one line drops the line breaks of what is pasted or dropped into it, and joins two numbers into one. */
function insertOnOneLine(event: InputEvent, type: (text: string) => void): void {
  const { data, target } = event;
  if (!data || !/[\r\n]/.test(data) || !(target instanceof HTMLInputElement)) return;
  event.preventDefault();
  const { value, selectionStart, selectionEnd } = target;
  const before = value.slice(0, selectionStart ?? value.length);
  type(before + data + value.slice(selectionEnd ?? value.length));
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

function hotlineText(hotline: Hotline): string {
  return `${hotlineName(hotline)} ${hotlineNumber(hotline.number)}`.trim();
}

/** Where it says more than the number. */
export function hotlineName(hotline: Hotline | undefined): string {
  return hotline && hotline.name !== hotline.number ? hotline.name : '';
}

/** As one would dial it here. */
export function hotlineNumber(number: string): string {
  return formatNumber(national(number));
}

/** To the list of the latest calls, with how many were missed. */
export function recentButton({ words, recent, act }: View): TemplateResult {
  const missed = recent.missed.length;
  const badge = html`<span class="badge" aria-hidden="true">${missed}</span>
    <span class="visually-hidden">, ${words.recent.missed(missed)}</span>`;
  return html`<button type="button" class="recent-button" @click=${() => act.toggleRecent()}>
    ${icon('clock')}<span>${words.recent.title}</span>${missed === 0 ? nothing : badge}
  </button>`;
}
