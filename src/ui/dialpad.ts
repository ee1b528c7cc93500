/** Where a call begins: the number, the caller number, the keys. */
import { html, nothing, type TemplateResult } from 'lit';
import { national } from '../dialer/caller-number.ts';
import { balanceLine } from './balance-line.ts';
import { actions, alertLine, icon, keypad } from './controls.ts';
import type { FullView, View } from './view.ts';

type Hotline = View['state']['hotlines'][number];

/** In letters; a longer one is written smaller. */
const LONG_DRAFT = 14;

/** @param full absent while all but the keypad is on its way */
export function dialpadView(view: View, full: FullView | undefined): TemplateResult {
  const { words, draft, act } = view;
  const reading = full && view.calls?.reading(full);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    act.call(draft);
  };
  const call = html`<button type="submit" class="primary call" part="call-button">
    ${icon('call')}<span>${words.call}</span>
  </button>`;
  return html`<form class="dialpad" @submit=${submit}>
    ${(full && view.calls?.strips(full)) ?? nothing}
    <div class="number-row">
      <input
        class=${draft.length > LONG_DRAFT ? 'number long' : 'number'}
        part="number"
        type="tel"
        inputmode="tel"
        autocomplete="off"
        data-focus
        aria-label=${words.number}
        aria-describedby="reading"
        aria-invalid=${reading?.isWrong ? 'true' : 'false'}
        placeholder=${words.number}
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
    <div id="reading" class="reading">${alertLine(reading?.alert)} ${reading?.line ?? nothing}</div>
    ${hotlineRow(view)} ${keypad(words.keypad, (key) => act.pressKey(key))}
    ${balanceLine((full && view.calls?.steadyBalance(full)) ?? view, full)}
    ${actions(call, recentButton(view, full))}
  </form>`;
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

function hotlineRow({
  state: { hotlines },
  hotline,
  words,
  act,
  numbers,
}: View): TemplateResult | typeof nothing {
  const [only, second] = hotlines;
  if (!only) return nothing;
  if (!second) {
    return html`<p class="hotline" part="hotline">
      <span class="muted">${words.from}</span> <span>${hotlineText(only, numbers)}</span>
    </p>`;
  }
  return html`<label class="hotline" part="hotline">
    <span class="muted">${words.from}</span>
    <select @change=${(event: Event) => act.chooseHotline((event.target as HTMLSelectElement).value)}>
      ${hotlines.map(
        (each) =>
          html`<option value=${each.number} ?selected=${each.number === hotline}>
            ${hotlineText(each, numbers)}
          </option>`,
      )}
    </select>
  </label>`;
}

function hotlineText(hotline: Hotline, numbers: View['numbers']): string {
  const number = national(hotline.number);
  return `${hotlineName(hotline)} ${numbers?.formatNumber(number) ?? number}`.trim();
}

/** Where it says more than the number. */
export function hotlineName(hotline: Hotline | undefined): string {
  return hotline && hotline.name !== hotline.number ? hotline.name : '';
}

/** To the list of the latest calls, with how many were missed. */
export function recentButton({ words, recent, act }: View, full: FullView | undefined): TemplateResult {
  const missed = recent.missed.length;
  return html`<button type="button" class="recent-button" @click=${() => act.toggleRecent()}>
    ${icon('clock')}${missed > 0 ? html`<span class="badge" aria-hidden="true">${missed}</span>` : nothing}
    <span>${words.recentCalls}</span>
    ${full && missed > 0 ? html`<span class="visually-hidden">, ${full.words.recent.missed(missed)}</span>` : nothing}
  </button>`;
}
