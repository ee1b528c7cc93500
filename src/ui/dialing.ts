/** An outgoing call that nobody has answered yet. */
import { html, type TemplateResult } from 'lit';
import type { Call } from '../dialer/state.ts';
import { hangUpButton } from './hang-up-button.ts';
import { noticeLine } from './live-line.ts';
import { party } from './party.ts';
import type { View } from './view.ts';

export function dialingView(
  { words, act }: View,
  call: Extract<Call, { is: 'dialing' | 'placing' }>,
): TemplateResult {
  const asks = call.is === 'placing' && call.asksMicrophone;
  const who = call.is === 'placing' ? { number: call.number } : call.info;
  return html`<div class="in-call">
    ${party(who, words.status.dialing)} ${noticeLine(asks ? words.allowMicrophone : undefined)}
    ${hangUpButton(words.hangUp, () => act.hangUp(), true)}
  </div>`;
}
