/** The keypad view: the number, the caller number, the keys. */
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { formatNumber, normalize, readNumber, type NumberReading } from '../../numbers/read.ts';
import { balanceLine } from './balance.ts';
import { actionRow, alertLine, icon, keypad, labelled } from './controls.ts';
import { recentButton } from './recent-calls.ts';
import { strip } from './strips.ts';
import type { View } from '../view.ts';

type Hotline = View['state']['hotlines'][number];

/** In letters, a full-width one counts twice; a longer one is written smaller, in two steps. */
const LONG_NUMBER = 11;
const LONGER_NUMBER = 15;

export function dialpadView(view: View): TemplateResult {
  const { words, ui, display, actions, settings } = view;
  const { typedNumber } = display;
  const read = readNumber(typedNumber, settings.numberPlan);
  const isRefused = ui.refusal !== undefined;
  const result = isRefused ? nothing : strip(view);
  const submit = (event: Event) => {
    event.preventDefault();
    actions.callTypedNumber();
  };
  // Enter in the field clicks it. A frame without `allow-forms` forbids the `submit` that would follow.
  const call = html`<button
    type="submit"
    class="primary call"
    part="call-button"
    data-about=${display.given}
    @click=${submit}
  >
    ${labelled('call', words.call)}
  </button>`;
  return html`<form class="dialpad" @submit=${submit}>
    <div class="display">
      <div class="number-row">
        <input
          class=${`number ${sizeOf(typedNumber)}`}
          part="number"
          type="tel"
          inputmode="tel"
          autocomplete="off"
          data-focus
          aria-label=${words.number}
          aria-describedby="reading"
          aria-invalid=${ui.refusal === 'invalid-number' || isWrong(read)}
          placeholder=${words.number}
          .value=${live(typedNumber)}
          @beforeinput=${(event: InputEvent) => insertOnOneLine(event, (text) => actions.type(text))}
          @input=${(event: InputEvent) => actions.type((event.target as HTMLInputElement).value)}
        />
        <button
          type="button"
          class="icon-button"
          data-quick
          aria-label=${words.erase}
          title=${words.erase}
          aria-disabled=${typedNumber === ''}
          @click=${() => actions.erase()}
        >
          ${icon('erase')}
        </button>
      </div>
      <div id="reading" class="reading">
        ${alertLine(numberRefusalText(view, read), ui.refusals)}
        ${isRefused || result !== nothing ? nothing : readingLine(view, read)}
      </div>
      ${result}
    </div>
    ${hotlineRow(view)} ${keypad(words.keypad, (key) => actions.pressKey(key), true)} ${balanceLine(view)}
    ${actionRow(call, recentButton(view))}
  </form>`;
}

function sizeOf(text: string): string {
  const length = text.length + (text.match(/[\u{2E80}-\u{FFEF}]/gu)?.length ?? 0);
  if (length > LONGER_NUMBER) return 'long longer';
  return length > LONG_NUMBER ? 'long' : '';
}

/** The browser drops line breaks from pasted text, which would join two numbers into one. */
function insertOnOneLine(event: InputEvent, type: (text: string) => void): void {
  const { data, target } = event;
  if (!data || !/[\r\n]/.test(data) || !(target instanceof HTMLInputElement)) return;
  event.preventDefault();
  const { value, selectionStart, selectionEnd } = target;
  const before = value.slice(0, selectionStart ?? value.length);
  type(before + data + value.slice(selectionEnd ?? value.length));
}

/** Why the last press of "Call" placed no call. */
function numberRefusalText({ ui: { refusal }, words }: View, read: NumberReading): string | undefined {
  if (refusal === 'invalid-number' && read.is === 'invalid') return words.invalidNumber[read.why];
  // Without a guide, which the page draws itself. A second dialer of this page has no keypad.
  if (refusal === 'active-elsewhere') return words.otherTab.text;
  return refusal && words.error[refusal];
}

/** What "Call" would dial, if that is not what is in the field, or why it would dial nothing. */
function readingLine(
  { display: { typedNumber }, words }: View,
  read: NumberReading,
): TemplateResult | typeof nothing {
  if (read.is === 'invalid') {
    if (read.why === 'empty') return nothing;
    return html`<p class=${isWrong(read) ? 'wrong' : 'muted'}>${words.invalidNumber[read.why]}</p>`;
  }
  const formatted = formatNumber(read.dialled);
  if (typedNumber === formatted) return nothing;
  // A number is easier to compare in groups.
  return html`<p class="muted">${typedNumber === read.dialled ? formatted : words.willCall(formatted)}</p>`;
}

/** A number that is still being typed is not wrong yet. */
function isWrong(read: NumberReading): boolean {
  return read.is === 'invalid' && read.why !== 'empty' && read.why !== 'too-short';
}

function hotlineRow({ state: { hotlines }, callerNumber, words, actions }: View): TemplateResult {
  const [only, second] = hotlines;
  // The numbers come with the connection. Their row is there before, so that no key moves.
  if (!second) {
    return html`<p class="hotline" part="hotline">
      ${only ? html`<span class="muted">${words.from}</span> <span>${hotlineText(only)}</span>` : nothing}
    </p>`;
  }
  return html`<label class="hotline" part="hotline">
    <span class="muted">${words.from}</span>
    <select @change=${(event: Event) => actions.chooseHotline((event.target as HTMLSelectElement).value)}>
      ${hotlines.map(
        (each) =>
          html`<option value=${each.number} .selected=${live(each.number === callerNumber)}>
            ${hotlineText(each)}
          </option>`,
      )}
    </select>
  </label>`;
}

function hotlineText(hotline: Hotline): string {
  return `${hotlineName(hotline)} ${formatNumber(normalize(hotline.number))}`.trim();
}

/** Empty if it is only the number again. */
export function hotlineName(hotline: Hotline | undefined): string {
  return hotline && hotline.name !== hotline.number ? hotline.name : '';
}
