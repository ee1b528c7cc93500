/** All the keys, as `?` shows them. */
import { html, type TemplateResult } from 'lit';
import { icon } from './late-controls.ts';
import type { FullView } from './view.ts';

export function shortcutsHelp({ words, act }: FullView): TemplateResult {
  return html`<section class="shortcuts" aria-label=${words.shortcuts.title}>
    <header>
      <h2>${words.shortcuts.title}</h2>
      <button
        type="button"
        class="icon-button"
        aria-label=${words.shortcuts.close}
        @click=${() => act.toggleHelp()}
      >
        ${icon('close')}
      </button>
    </header>
    <dl>
      ${words.shortcuts.keys.map(
        ([key, what]) =>
          html`<dt>${key}</dt>
            <dd>${what}</dd>`,
      )}
    </dl>
  </section>`;
}
