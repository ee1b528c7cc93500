/** What is shown until the phone is there, and when it does not come. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Language } from '../i18n/language.ts';
import { firstWords } from '../i18n/first-words.ts';

export interface FirstView {
  readonly language: Language;
  readonly floating: boolean;
  readonly open: boolean;
  /** `idle`: nobody has asked for a connection yet. */
  readonly status: 'idle' | 'connecting' | 'failed';
  readonly toggle: () => void;
  readonly retry: () => void;
}

export function firstView(view: FirstView): TemplateResult {
  const { language, floating, open, status } = view;
  const { loadFailed } = firstWords[language];
  return html`${floating && !open ? nothing : card(view)}${floating ? bubble(view) : nothing}
    <div class="visually-hidden" role="status" lang=${language}>
      ${status === 'failed' ? loadFailed : statusWord(view)}
    </div>`;
}

function statusWord({ language, status }: FirstView): string {
  return firstWords[language][status === 'connecting' ? 'connecting' : 'idle'];
}

function card(view: FirstView): TemplateResult {
  const { language, status, retry } = view;
  const words = firstWords[language];
  return html`<section class="card" part="card" tabindex="-1" aria-label=${words.dialer} lang=${language}>
    <header class="status" part="status">
      <span class="dot"></span>
      <p class="word">${statusWord(view)}</p>
    </header>
    <div class="body">
      <div class="view tall">
        ${
          status === 'failed'
            ? html`<div class="guide" part="guide">
                <p>${words.loadFailed}</p>
                <button type="button" class="primary accent" part="guide-action" data-focus @click=${retry}>
                  ${words.retry}
                </button>
              </div>`
            : html`<div class="center"><div class="spinner"></div></div>`
        }
      </div>
    </div>
  </section>`;
}

function bubble({ language, open, toggle }: FirstView): TemplateResult {
  const words = firstWords[language];
  return html`<button
    type="button"
    class="bubble"
    part="bubble"
    aria-expanded=${open ? 'true' : 'false'}
    aria-label=${open ? words.closeDialer : words.openDialer}
    @click=${toggle}
  ></button>`;
}
