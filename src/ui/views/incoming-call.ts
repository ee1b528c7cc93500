/** Somebody calls. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Call } from '../../dialer/state/call.ts';
import { refusalText } from './call.ts';
import { avatar, party } from './party.ts';
import { actionRow, alertLine, answerButton, endButton, labelled, noticeLine } from './controls.ts';
import type { View } from '../view.ts';

type IncomingCall = Extract<Call, { is: 'incoming' }>;

/** "Answer" does not get the focus: Enter answers, but no other key that was meant for something else. */
export function incomingView(view: View, call: IncomingCall): TemplateResult {
  const { words, ui } = view;
  const isPending = ui.pending !== undefined;
  const answer = answerButton(view, labelled('call', words.answer), { look: 'primary call' });
  const decline = endButton(view, labelled('hangUp', words.decline), { look: 'primary hang-up' });
  const alert = incomingAlert(view, call);
  const willAsk = ui.microphoneWillAsk ? words.microphoneWillAsk : undefined;
  const notice = call.asksMicrophone ? words.allowMicrophone : willAsk;
  return html`<div class="in-call incoming" part="incoming">
    <div class="party">
      <div class=${isPending ? 'halo still' : 'halo'}>${avatar(call.info.name)}</div>
      ${party(words, call.info, [])}
    </div>
    ${(alert ?? notice) === undefined ? html`<p class="muted foot">${incomingDetail(view)}</p>` : nothing}
    ${alertLine(alert, ui.refusals)} ${noticeLine(alert === undefined ? notice : undefined)}
    ${actionRow(answer, decline)}
  </div>`;
}

function incomingDetail({ words, ui: { pending } }: View): string {
  if (pending === 'answer') return words.status.connecting;
  return pending === 'end' ? words.declining : words.status.incoming;
}

/** Shown before "Answer" is pressed, so that nobody answers a call in which they cannot be heard. */
export function incomingAlert(view: View, { trouble }: IncomingCall): string | undefined {
  const { block } = view.state;
  const found = block.is === 'blocked' && (block.source === 'browser' ? block.reason : block.next);
  const reason = trouble?.code ?? (found || '');
  const { guide, error, notAnswered } = view.words;
  const texts: Readonly<Record<string, string>> = { ...guide, ...error, 'call-rejected': notAnswered };
  return Object.hasOwn(texts, reason) ? texts[reason] : refusalText(view);
}
