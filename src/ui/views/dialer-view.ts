/** The whole dialer as a function of its view: the card, the bubble that opens it, the words for screen readers. */
import { html, nothing, type TemplateResult } from 'lit';
import { isBlockedBy } from '../../dialer/state/block.ts';
import type { DialerState } from '../../dialer/state/state.ts';
import { bubbleView } from './bubble.ts';
import { callView, whoSpeaks } from './call.ts';
import { button, icon } from './controls.ts';
import { devicesButton, devicesView } from './devices.ts';
import { dialpadView } from './dialpad.ts';
import { clearedView, blockedView, failedView, otherTabView } from './guide.ts';
import { incomingAlert, incomingView } from './incoming-call.ts';
import { recentButton, recentCallsView } from './recent-calls.ts';
import { strip, stripAnnouncement } from './strips.ts';
import { announcement } from '../announcement.ts';
import { statusWord, viewKey, type ViewKey } from '../status.ts';
import type { View } from '../view.ts';

export function dialerView(view: View): TemplateResult {
  const { state, ui, settings, words } = view;
  const isFloating = settings.floating !== false;
  const isClosed = isFloating && !ui.cardOpen;
  const said = isClosed ? callLine(view) : undefined;
  const news = announcement(state, words, view.waitingCall);
  return html`${isClosed ? nothing : card(view)} ${isFloating ? bubbleView(view, said) : nothing}
    <div class="visually-hidden" role="status" lang=${words.language}>${news}</div>
    <div class="visually-hidden" role="status" lang=${words.language}>
      ${said ?? stripAnnouncement(view)}
    </div>`;
}

/** What the card says of the call, in the bubble while it is closed. */
function callLine(view: View): string | undefined {
  const { call } = view.state;
  if (call.is === 'incoming') return incomingAlert(view, call);
  return call.is === 'none' || call.is === 'ended' ? undefined : whoSpeaks(view, call)?.[1];
}

function card(view: View): TemplateResult {
  const { state, ui, words } = view;
  // Focusable, so that the keys work after a click beside a button.
  return html`<section
    class="card"
    part="card"
    tabindex="-1"
    aria-label=${words.dialer}
    lang=${words.language}
  >
    ${statusBar(view)} ${ui.helpOpen ? shortcutsHelp(view) : nothing}
    <div class="body">
      ${panel(view) ?? html`<div class=${isTall(state) ? 'view tall' : 'view'}>${body(view)}</div>`}
      ${hasListBelow(view) ? html`<div class="below">${recentButton(view)}</div>` : nothing}
    </div>
  </section>`;
}

/** What the agent has opened in the place of the view. In a call the view itself makes room for the devices. */
function panel(view: View): TemplateResult | undefined {
  const { state, ui, settings } = view;
  const hasList = ui.panel === 'recent' && settings.recentCalls === 'on';
  if (!hasList && (ui.panel !== 'devices' || viewKey(state) === 'call')) return undefined;
  // A call that waits stays in sight.
  return html`<div class="view tall">
    ${view.waitingCall ? strip(view) : nothing} ${hasList ? recentCallsView(view) : devicesView(view)}
  </div>`;
}

/** The view for the state. */
function body(view: View): TemplateResult {
  const { line, block, call } = view.state;
  if (call.is === 'incoming') return incomingView(view, call);
  if (call.is === 'placing' || call.is === 'dialing' || call.is === 'active') return callView(view, call);
  const key = viewKey(view.state);
  if (key === 'cleared') return clearedView(view);
  if (key === 'failed' && line.is === 'failed') return failedView(view, line);
  if (key === 'keypad' || block.is !== 'blocked') return dialpadView(view);
  const guide = isBlockedBy(block, 'tab') ? otherTabView(view, block) : blockedView(view, block);
  return html`${view.waitingCall ? strip(view) : nothing} ${guide}`;
}

/** A guide is as tall as its text. Right after a call it is as tall as the call, so that no press reaches the page below. */
function isTall(state: DialerState): boolean {
  return TALL.has(viewKey(state)) || state.call.is === 'ended';
}

const TALL: ReadonlySet<ViewKey> = new Set<ViewKey>(['keypad', 'cleared', 'incoming', 'call']);
const WITHOUT_LIST: ReadonlySet<ViewKey> = new Set<ViewKey>(['keypad', 'incoming', 'call']);

/** The keypad has the button for the recent calls in its last row. */
function hasListBelow({ state, ui, calls }: View): boolean {
  return !WITHOUT_LIST.has(viewKey(state)) && ui.panel === undefined && calls.length > 0;
}

/** The line at the top: can I call? */
function statusBar(view: View): TemplateResult {
  const { state, words } = view;
  const { member, status } = state;
  const who = member ? [member.name ?? member.memberNo, member.extension].filter(Boolean).join(' · ') : '';
  const warns = status === 'failed' || status === 'blocked';
  const hasWho = who !== '' && !warns && status !== 'connecting';
  return html`<header class="status" part="status">
    ${warns ? icon('warning') : html`<span class=${`dot ${statusDot(state)}`}></span>`}
    <p class="word">${statusWord(state, words)}</p>
    ${hasWho ? html`<span class="who" title=${who}>${who}</span>` : nothing} ${devicesButton(view)}
  </header>`;
}

/** Each status has its own shape: a dot when ready, a square in a call, a ring when not, a turning ring while connecting. */
function statusDot({ status, canCall, call, block }: DialerState): string {
  if (canCall) return 'good';
  if (status === 'connecting') return 'turns';
  // The browser has no network, or no microphone.
  const isCutOff = block.is === 'blocked' && block.source === 'browser';
  if (call.is === 'active' && (call.held || call.microphoneLost || isCutOff)) return 'good busy waits';
  return status === 'in-call' || status === 'dialing' || status === 'incoming' ? 'good busy' : '';
}

/** The list of keyboard shortcuts, which `?` opens. */
function shortcutsHelp({ words, actions }: View): TemplateResult {
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
