/** The latest calls, to be read about and called again; a chunk of its own, with its own sheet. */
import { html, nothing, type TemplateResult } from 'lit';
import type { LoggedCall } from '../dialer/call-log.ts';
import { formatNumber, readNumber } from '../dialer/phone-number.ts';
import { formatDayTime } from '../i18n/words.ts';
import { icon } from './controls.ts';
import { shortResultText, toneIcon, toneOf } from './result-strip.ts';
import { recentCallsStyles } from './recent-calls.css.ts';
import type { View } from './view.ts';

export { recentCallsStyles as styles };

export function recentCallsView(view: View): TemplateResult {
  const { words, recent, act } = view;
  return html`<section class="recent" aria-label=${words.recent.title}>
    <header>
      <h2>${words.recent.title}</h2>
      <button
        type="button"
        class="icon-button"
        ?data-focus=${recent.calls.length === 0}
        aria-label=${words.recent.close}
        @click=${() => act.toggleRecent()}
      >
        ${icon('close')}
      </button>
    </header>
    ${
      recent.calls.length === 0
        ? html`<p class="muted">${words.recent.empty}</p>`
        : html`<ul>
            ${recent.calls.map((call, index) => html`<li>${entry(view, call, index === 0)}</li>`)}
          </ul>`
    }
  </section>`;
}

/** A withheld number is shown, but cannot be called. */
function entry(view: View, call: LoggedCall, first: boolean): TemplateResult {
  const { words, act } = view;
  const isCallable = readNumber(call.number).is === 'number';
  if (!isCallable) return html`<div class="entry">${account(view, call)}</div>`;
  return html`<button
    type="button"
    class="entry"
    ?data-focus=${first}
    @click=${() => act.call(call.number, { name: call.name })}
  >
    <span class="visually-hidden">${words.call}</span>${account(view, call)}
  </button>`;
}

function account({ words, now }: View, call: LoggedCall): TemplateResult {
  const number = formatNumber(call.number);
  const result = shortResultText(words, call);
  return html`<span class=${`sign ${toneOf(call)}`}>${icon(toneIcon(call))}</span>
    <span class="who">${call.name ?? number}</span>
    <span class="when">${formatDayTime(call.startedAt, now)}</span>
    <span class="what">
      ${call.name === undefined ? nothing : html`<span class="entry-number">${number}</span>`}
      ${result === undefined ? nothing : html`<span>${result}</span>`}
    </span>`;
}
