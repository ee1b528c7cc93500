/** What stands around every view: the card with its status, the bubble that opens it, the words for screen readers. */
import { html, nothing, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import type { Language } from '../i18n/words.ts';
import { bodyFor, viewKey } from './body.ts';
import { icon } from './icons.ts';
import { announcement, statusBar } from './status-bar.ts';
import type { View } from './view.ts';

export interface Frame {
  readonly language: Language;
  /** A bubble stands in the corner; the card is there only while it is open. */
  readonly floating: boolean;
  readonly open: boolean;
  readonly toggle: () => void;
}

export function frame(view: View, settings: Frame): TemplateResult {
  const { language, floating, open } = settings;
  return html`${floating && !open ? nothing : card(view, language)}
    ${floating ? bubble(view, settings) : nothing}
    <div class="visually-hidden" role="status" lang=${language}>
      ${announcement(view.state, view.words)}
    </div>`;
}

function card(view: View, language: Language): TemplateResult {
  const { state, words } = view;
  return html`<section class="card" part="card" aria-label=${words.dialer} lang=${language}>
    ${statusBar(state, words)} ${keyed(viewKey(state), html`<div class="body">${bodyFor(view)}</div>`)}
  </section>`;
}

function bubble({ words }: View, { open, toggle }: Frame): TemplateResult {
  return html`<button
    type="button"
    class="bubble"
    part="bubble"
    aria-expanded=${open ? 'true' : 'false'}
    aria-label=${open ? words.closeDialer : words.openDialer}
    @click=${toggle}
  >
    ${icon(open ? 'close' : 'call')}
  </button>`;
}
