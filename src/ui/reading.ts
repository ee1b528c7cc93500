/** What is said of the number that is typed: what a press of "Call" would dial, or why it would dial nothing. */
import { html, nothing, type TemplateResult } from 'lit';
import { formatNumber, readNumber, type NumberReading } from '../numbers/read.ts';
import type { FullView, Reading } from './view.ts';

export function reading(view: FullView): Reading {
  const { draft, hint, words } = view;
  const read = readNumber(draft);
  if (hint === undefined) return { isWrong: isWrong(read), alert: undefined, line: readingLine(view, read) };
  const isAboutNumber = hint === 'invalid-number' && read.is === 'invalid';
  const alert = isAboutNumber ? words.invalidNumber[read.why] : words.error[hint];
  return { isWrong: true, alert, line: nothing };
}

/** Where that is not what is in the field. */
function readingLine({ draft, words }: FullView, read: NumberReading): TemplateResult | typeof nothing {
  if (read.is === 'invalid') {
    if (read.why === 'empty') return nothing;
    return html`<p class=${isWrong(read) ? 'wrong' : 'muted'}>${words.invalidNumber[read.why]}</p>`;
  }
  const formatted = formatNumber(read.dialled);
  if (draft === formatted) return nothing;
  // A number without blanks is hard to compare with one on paper.
  return html`<p class="muted">${draft === read.dialled ? formatted : words.willCall(formatted)}</p>`;
}

/** A number that is still being typed is not wrong yet. */
function isWrong(read: NumberReading): boolean {
  return read.is === 'invalid' && read.why !== 'empty' && read.why !== 'too-short';
}
