/** How the call sounds: three bars with a word, and one sentence if the agent can do something. */
import { html, svg, type TemplateResult } from 'lit';
import type { Call } from '../../dialer/state/call.ts';
import type { Words } from '../../i18n/words.ts';

type ActiveCall = Extract<Call, { is: 'active' }>;

const BARS = { good: 3, fair: 2, poor: 1 } as const;

export function qualityBars({ quality: words }: Words, level: keyof typeof BARS): TemplateResult {
  return html`<svg class="bars" viewBox="0 0 14 12" width="14" height="12" aria-hidden="true">
      ${[1, 2, 3].map((bar) => svg`<rect x=${bar * 5 - 5} y=${12 - bar * 4} width="3" height=${bar * 4} class=${bar > BARS[level] ? 'off' : ''} />`)}</svg
    ><span class="visually-hidden">${words.title}: </span>${words.level[level]}`;
}

export function warningText(words: Words, { quality, microphoneLost }: ActiveCall): string | undefined {
  const [warning] = quality?.warnings ?? [];
  // The alert says more of the same microphone.
  if (!warning || microphoneLost) return undefined;
  return words.quality.warning[warning];
}
