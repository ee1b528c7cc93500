/** What the views that come late are made of, beside what the keypad has. */
import { html, nothing, svg, type TemplateResult } from 'lit';
import { iconOf, SHAPES } from './controls.ts';
import type { FullView } from './view.ts';

const ALL_SHAPES = {
  ...SHAPES,
  hangUp: svg`<path d="M2.6 11.4c4-4 10.8-4 14.8 0 .6.6.6 1.5.1 2.200l-.9 1.1-3.3-1.4.2-2a9 9 0 0 0-7 0l.2 2-3.3 1.4-.9-1.100c-.5-.7-.5-1.6.1-2.200Z"/>`,
  mic: svg`<rect x="7.5" y="2.5" width="5" height="9" rx="2.5"/><path d="M4.5 9.500a5.5 5.5 0 0 0 11 0M10 15v2.5"/>`,
  micOff: svg`<path d="M7.5 7.500V9a2.5 2.5 0 0 0 3.9 2.100M12.5 8V5a2.5 2.5 0 0 0-4.9-.7M4.5 9.500A5.5 5.5 0 0 0 13 14M15.5 9.500c0 .6-.1 1.2-.3 1.700M10 15v2.500M3.5 3.500l13 13"/>`,
  pause: svg`<path d="M7.5 4.500v11M12.5 4.500v11"/>`,
  keypad: svg`<path d="M5 5h.01M10 5h.01M15 5h.01M5 10h.01M10 10h.01M15 10h.01M5 15h.01M10 15h.01M15 15h.01" stroke-width="2.6"/>`,
  ring: svg`<circle cx="10" cy="10" r="5.5"/>`,
  missed: svg`<path d="m4 5.500 6 6 6-6M4 10V5.500h4.500M4.500 15h11"/>`,
  bell: svg`<path d="M5 13.500V9a5 5 0 0 1 10 0v4.500l1.500 1.500h-13ZM8.500 17.500h3"/>`,
  check: svg`<path d="m4 10.5 4 4 8-9"/>`,
};

export type IconName = keyof typeof ALL_SHAPES;

export const icon = iconOf(ALL_SHAPES);

/**
 * Ends, cancels or declines.
 *
 * @param first the view's primary button, which takes the focus
 */
export function hangUpButton({ act, asked }: FullView, label: string, first: boolean): TemplateResult {
  const isEnding = asked === 'end';
  return html`<button
    type="button"
    class="primary hang-up"
    part="hangup-button"
    ?data-focus=${first}
    aria-disabled=${isEnding ? 'true' : 'false'}
    @click=${() => !isEnding && act.hangUp()}
  >
    ${icon('hangUp')}<span>${label}</span>
  </button>`;
}

/** A line that comes and goes while its view stays, as `alertLine` does. */
export function noticeLine(text: string | undefined): TemplateResult {
  return html`<p class="notice" role="status">${text ?? nothing}</p>`;
}
