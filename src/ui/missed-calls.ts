/** Calls that were missed and not seen yet: a line with the latest one. */
import { html, nothing, type TemplateResult } from 'lit';
import type { LoggedCall } from '../dialer/call-log.ts';
import { isBusy } from '../dialer/state/call.ts';
import { readNumber } from '../numbers/read.ts';
import { icon } from './late-controls.ts';
import { about, whom } from './result-strip.ts';
import type { FullView } from './view.ts';

/** @param missed the latest one first */
export function missedStrip(view: FullView, missed: readonly LoggedCall[]): TemplateResult | typeof nothing {
  const [latest] = missed;
  if (!latest) return nothing;
  const { words } = view;
  return html`<div class="strip missed">
    ${icon('missed')}
    <p><span class="result">${words.recent.missed(missed.length)}</span> ${about(whom(words, latest))}</p>
    ${callBack(view, latest)}
  </div>`;
}

/** During another call it waits in the number field. */
function callBack({ words, state, draft, act }: FullView, call: LoggedCall): TemplateResult | typeof nothing {
  if (readNumber(call.number).is !== 'number') return nothing;
  if (draft === call.number && isBusy(state.call))
    return html`<span class="muted">${words.recent.kept}</span>`;
  return html`<button
    type="button"
    class="link"
    data-about=${call.startedAt}
    @click=${() => act.callBack(call)}
  >
    ${words.recent.callBack}
  </button>`;
}
