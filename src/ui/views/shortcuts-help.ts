/** The list of keyboard shortcuts, which `?` opens. */
import { html, type TemplateResult } from 'lit';
import { button, icon } from './controls.ts';
import type { View } from '../view.ts';

export function shortcutsHelp({ words, actions }: View): TemplateResult {
  return html`<section class="shortcuts" aria-label=${words.shortcuts.title}>
    <header>
      <h2>${words.shortcuts.title}</h2>
      ${button(icon('close'), () => actions.toggleHelp(), { look: 'icon-button', name: words.shortcuts.close })}
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
