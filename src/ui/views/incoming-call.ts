/** Somebody calls. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Call } from '../../dialer/state/call.ts';
import { refusalText } from './call.ts';
import { avatar, party } from './party.ts';
import { actionRow, alertLine, hangUpButton, icon, noticeLine } from './controls.ts';
import type { View } from '../view.ts';

/** "Answer" does not get the focus: Enter answers, but no other key that was meant for something else. */
export function incomingView(view: View, call: Extract<Call, { is: 'incoming' }>): TemplateResult {
  const { words, actions, ui } = view;
  const isPending = ui.pending !== undefined;
  const answer = html`<button
    type="button"
    class="primary call"
    part="call-button"
    data-about=${call.info.number}
    aria-disabled=${isPending ? 'true' : 'false'}
    @click=${() => !isPending && actions.answer()}
  >
    ${icon('call')}<span>${words.answer}</span>
  </button>`;
  const alert = microphoneAlert(view, call) ?? refusalText(view);
  const notice = alert === undefined ? microphoneNotice(view, call) : undefined;
  return html`<div class="in-call incoming" part="incoming">
    <div class="party">
      <div class=${isPending ? 'halo still' : 'halo'}>${avatar(call.info.name)}</div>
      ${party(words, call.info, [])}
    </div>
    ${alert === undefined && notice === undefined ? html`<p class="muted foot">${incomingDetail(view)}</p>` : nothing}
    ${alertLine(alert)} ${noticeLine(notice)} ${actionRow(answer, hangUpButton(view, words.decline, false))}
  </div>`;
}

function incomingDetail({ words, ui: { pending } }: View): string {
  if (pending === 'answer') return words.status.connecting;
  return pending === 'end' ? words.declining : words.status.incoming;
}

/** Shown before "Answer" is pressed, so that nobody answers a call in which they cannot be heard. */
function microphoneAlert(
  { state: { block }, words }: View,
  { trouble }: Extract<Call, { is: 'incoming' }>,
): string | undefined {
  const found = block.is === 'blocked' && (block.source === 'browser' ? block.reason : block.next);
  const reason = trouble?.code ?? (found || undefined);
  if (reason === undefined) return undefined;
  const { guide, error, notAnswered } = words;
  const texts: Readonly<Record<string, string>> = { ...guide, ...error, 'call-rejected': notAnswered };
  return Object.hasOwn(texts, reason) ? texts[reason] : undefined;
}

function microphoneNotice(view: View, call: Extract<Call, { is: 'incoming' }>): string | undefined {
  const { words, ui } = view;
  if (call.asksMicrophone) return words.allowMicrophone;
  return ui.microphoneWillAsk ? words.microphoneWillAsk : undefined;
}
