/** The latest calls, to be read about and called again; a chunk of its own, with its own sheet. */
import { html, nothing, type TemplateResult } from 'lit';
import type { LoggedCall } from '../dialer/call-log.ts';
import { readNumber } from '../numbers/read.ts';
import { recentWords } from '../i18n/recent-words.ts';
import { formatDayTime, formatLength } from '../i18n/times.ts';
import { actions } from './controls.ts';
import { icon } from './late-controls.ts';
import { numberText, shortResultText, toneIcon, toneOf } from './result-strip.ts';
import { lateStyles } from './late.css.ts';
import { recentCallsStyles } from './recent-calls.css.ts';
import type { FullView } from './view.ts';

export const styles = [...lateStyles, recentCallsStyles];

export function recentCallsView(view: FullView): TemplateResult {
  const { words, recent, act } = view;
  const own = recentWords[words.language];
  // Where it was opened, and no entry, which calls, reaches down to where "Hang up" may be next.
  const close = html`<button
    type="button"
    class="close"
    data-focus
    aria-label=${own.closeList}
    @click=${() => act.toggleRecent()}
  >
    ${icon('close')}<span>${own.close}</span>
  </button>`;
  return html`<div class="recent" role="group" aria-label=${own.title}>
    <h2>${own.title}</h2>
    ${
      recent.calls.length === 0
        ? html`<p class="muted">${own.empty}</p>`
        : html`<ul>
            ${recent.calls.map((call) => html`<li>${entry(view, call)}</li>`)}
          </ul>`
    }
    ${actions(nothing, close)}
  </div>`;
}

/** A withheld number is shown, but cannot be called. */
function entry(view: FullView, call: LoggedCall): TemplateResult {
  const { words, act } = view;
  const isCallable = readNumber(call.number).is === 'number';
  if (!isCallable) return html`<div class="entry">${account(view, call)}</div>`;
  return html`<button
    type="button"
    class="entry"
    data-focus
    @click=${() => act.call(call.number, { name: call.name })}
  >
    <span class="visually-hidden">${words.call}</span>${account(view, call)}${icon('call')}
  </button>`;
}

function account({ words, now }: FullView, call: LoggedCall): TemplateResult {
  const number = numberText(words, call.number);
  const result = shortResultText(words, call, (time) =>
    formatLength(time, recentWords[words.language].units),
  );
  return html`<span class=${`sign ${toneOf(call)}`}>${icon(toneIcon(call))}</span>
    <span class="who">${call.name ?? number}</span>
    <span class="when">${formatDayTime(call.startedAt, now)}</span>
    <span class="what">
      ${call.name === undefined ? nothing : html`<span class="entry-number">${number}</span>`}
      ${result === undefined ? nothing : html`<span>${result}</span>`}
    </span>`;
}
