/** The list of recent calls; a press on one calls it again. */
import { html, nothing, type TemplateResult } from 'lit';
import { missedCalls, type LoggedCall } from '../../dialer/calls/call-log.ts';
import { qualityLevel } from '../../quality/score.ts';
import { formatDayTime, formatLength } from '../../i18n/format.ts';
import type { Words } from '../../i18n/words.ts';
import { readNumber } from '../../numbers/read.ts';
import {
  aboutCall,
  numberText,
  qualityBars,
  shortResultText,
  resultIcon,
  resultTone,
} from './call-result.ts';
import { actionRow, closeButton, icon } from './controls.ts';
import type { View } from '../view.ts';

/** How many recent calls the list shows. Missed calls before them are listed, too: an agent may not have seen them. */
const LISTED_CALLS = 10;

/** Opens the list; its badge says how many calls were missed. */
export function recentButton(view: View): TemplateResult | typeof nothing {
  const { words, actions, settings } = view;
  if (settings.recentCalls === 'off') return nothing;
  const missed = missedCalls(view.calls).length;
  return html`<button type="button" class="secondary recent-button" @click=${() => actions.toggle('recent')}>
    ${icon('clock')}${missed > 0 ? html`<span class="badge" aria-hidden="true">${missed}</span>` : nothing}
    <span>${words.recentCalls}</span>
    ${missed > 0 ? html`<span class="visually-hidden">, ${words.recent.missed(missed)}</span>` : nothing}
  </button>`;
}

export function recentCallsView(view: View): TemplateResult {
  const { words, calls, actions } = view;
  const { recent } = words;
  const listed = calls.filter(({ outcome }, index) => index < LISTED_CALLS || outcome === 'missed');
  // "Close" is where "Hang up" comes next: an entry there would call.
  const close = closeButton(view, recent.closeList, () => actions.toggle('recent'));
  return html`<div class="recent" role="group" aria-label=${recent.title}>
    <h2>${recent.title}</h2>
    ${
      listed.length === 0
        ? html`<p class="muted">${recent.empty}</p>`
        : html`<ul tabindex="-1" data-focus aria-label=${recent.title}>
            ${listed.map((call) => html`<li>${entry(view, call)}</li>`)}
          </ul>`
    }
    ${actionRow(nothing, close)}
  </div>`;
}

/** A withheld number is shown, but cannot be called. */
function entry(view: View, call: LoggedCall): TemplateResult {
  const { words, actions } = view;
  const isCallable = readNumber(call.number, view.settings.numberPlan).is === 'number';
  if (!isCallable) return html`<div class="entry">${entryText(view, call)}</div>`;
  return html`<button
    type="button"
    class="entry"
    data-about=${aboutCall(call)}
    @click=${() => actions.call(call.number, call.name)}
  >
    <span class="visually-hidden">${words.call}</span>${entryText(view, call)}${icon('call')}
  </button>`;
}

function entryText({ words, now }: View, call: LoggedCall): TemplateResult {
  const number = numberText(words, call.number);
  const { language, recent } = words;
  const result = shortResultText(words, call, (time) => formatLength(time, recent.units, language));
  return html`<span class=${`sign ${resultTone(call)}`}>${icon(resultIcon(call))}</span>
    <span class="who" title=${call.name || number}>${call.name || number}</span>
    <span class="when">${formatDayTime(call.startedAt, now, language)}</span>
    <span class="what"
      >${call.name ? html`<span>${number}${result === undefined ? nothing : ' · '}</span>` : nothing}<span
        >${result ?? nothing}${soundText(words, call)}</span
      ></span
    >`;
}

/** Nobody asks about a call that sounded good. */
function soundText(words: Words, { quality }: LoggedCall): TemplateResult | typeof nothing {
  const level = quality && qualityLevel(quality.mos);
  if (!level || level === 'good') return nothing;
  return html` · <span class=${level}>${qualityBars(words, level)}</span>`;
}
