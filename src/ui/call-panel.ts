/** What a call brings with it: its views, and above the keypad what became of it and what is asked after it. */
import { html, nothing, type TemplateResult } from 'lit';
import { lateStyles } from './late.css.ts';
import { callStyles } from './call-views.css.ts';
import { askStrip } from './ask-strips.ts';
import { stripsView } from './held-strips.ts';
import { missedStrip } from './missed-calls.ts';
import { hasResult, resultStrip, resultText, whom } from './result-strip.ts';
import type { FullView } from './view.ts';

export { callView, incomingView } from './call-views.ts';
export { announcement } from './announcement.ts';
export { PressGuard } from './press-guard.ts';
export { reading } from './reading.ts';
export { steadyBalance } from './held-strips.ts';

export const styles = [...lateStyles, callStyles];

/** What became of the last call, and who was missed: one line for both where it is the same. */
export function strips(view: FullView): TemplateResult | typeof nothing {
  const told = stripsView(view);
  if (!told) return nothing;
  const { lastCall, recent } = told;
  const isTold = lastCall?.outcome === 'missed' && recent.missed.length > 0;
  const result =
    lastCall && !isTold && hasResult(told.state, lastCall) ? resultStrip(told, lastCall) : nothing;
  const missed = missedStrip(told, recent.missed);
  // There is room for two.
  const ask = result === nothing || missed === nothing ? askStrip(told) : nothing;
  if (result === nothing && missed === nothing && ask === nothing) return nothing;
  const isAsked = told.asks.isSilent ? view.asks.isSilent : view.asks.mayOfferNotifications;
  return html`<div class="strips">
    ${shownWhile(lastCall !== undefined && hasResult(view.state, lastCall), result)}
    ${shownWhile(view.recent.missed.length > 0, missed)} ${shownWhile(isAsked, ask)}
  </div>`;
}

/** What is over keeps its room until the number that is typed is called. */
function shownWhile(isOn: boolean, strip: TemplateResult | typeof nothing): TemplateResult | typeof nothing {
  return isOn || strip === nothing ? strip : html`<div class="over">${strip}</div>`;
}

/** A call that was lost with the connection is still explained while the connection comes back. */
export function lostCall({ words, state, lastCall }: FullView): TemplateResult | typeof nothing {
  if (state.call.is !== 'ended' || !lastCall) return nothing;
  return html`<p class="muted">${`${resultText(words, lastCall)} · ${whom(words, lastCall)}`}</p>`;
}
