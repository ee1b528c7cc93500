/** Which view is shown, and what stands around it: the card, the bubble that opens it, the words for screen readers. */
import { html, nothing, type ReactiveElement, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import type { DialerState } from '../dialer/state.ts';
import type { Language } from '../i18n/language.ts';
import { icon } from './controls.ts';
import { dialpadView, recentButton } from './dialpad.ts';
import { announcement, statusBar } from './status-bar.ts';
import type { BubbleFrame, View } from './view.ts';

export interface Frame extends BubbleFrame {
  /** A bubble stands in the corner; the card is there only while it is open. */
  readonly floating: boolean;
}

export function frame(view: View, settings: Frame): TemplateResult {
  const { language, floating, open } = settings;
  return html`${floating && !open ? nothing : card(view, language)}
    ${floating ? (view.bubble?.bubbleView(view, settings) ?? plainBubble(view, settings)) : nothing}
    <div class="visually-hidden" role="status" lang=${language}>
      ${announcement(view.state, view.words)}
    </div>`;
}

function card(view: View, language: Language): TemplateResult {
  const { state, words } = view;
  // Focusable, so that the keys work after a click beside a button.
  return html`<section class="card" part="card" tabindex="-1" aria-label=${words.dialer} lang=${language}>
    ${statusBar(state, words)} ${(view.helpOpen && view.calls?.shortcutsHelp(view)) || nothing}
    <div class="body">
      ${
        view.recent.isOpen
          ? html`<div class="view tall">${view.recent.panel?.recentCallsView(view)}</div>`
          : keyed(
              viewKey(state),
              html`<div class=${isTall(state) ? 'view tall' : 'view'}>${bodyFor(view)}</div>`,
            )
      }
      ${hasListBelow(view) ? html`<div class="below">${recentButton(view)}</div>` : nothing}
    </div>
  </section>`;
}

/** A guide is as tall as its text, but for one that a call has led to: a press too many is not to reach the page below. */
function isTall(state: DialerState): boolean {
  return TALL.has(viewKey(state)) || state.call.is === 'ended';
}

const TALL: ReadonlySet<string> = new Set(['connecting', 'keypad', 'incoming', 'call']);

/** The keypad has the way to the latest calls among its own lines. */
function hasListBelow({ state, recent }: View): boolean {
  const key = viewKey(state);
  const hasOwn = key === 'keypad' || key === 'incoming' || key === 'call';
  return !hasOwn && !recent.isOpen && recent.calls.length > 0;
}

function plainBubble({ words }: View, { open, toggle }: Frame): TemplateResult {
  return html`<button
    type="button"
    class="bubble"
    part="bubble"
    aria-expanded=${open ? 'true' : 'false'}
    aria-label=${open ? words.closeDialer : words.openDialer}
    @click=${toggle}
  >
    ${icon(open ? 'close' : 'call')}
  </button>`;
}

/** The view for the state. */
function bodyFor(view: View): TemplateResult | typeof nothing {
  const { guide, calls } = view;
  const { status, block, call } = view.state;
  switch (status) {
    case 'connecting':
      return connectingView(view);
    case 'failed':
      return guide ? guide.failedView(view) : spinner();
    case 'blocked':
      // The page draws the guide; the number stays in sight here.
      if (block.is === 'blocked' && block.drawnByPage) return dialpadView(view);
      return guide ? guide.guideView(view) : spinner();
    case 'ready':
      if (block.is !== 'cleared') return dialpadView(view);
      return guide ? guide.guideView(view) : spinner();
    case 'idle':
    case 'ended':
      return dialpadView(view);
    case 'incoming':
      if (!calls) return spinner();
      return call.is === 'incoming' ? calls.incomingView(view, call) : nothing;
    case 'dialing':
    case 'in-call':
      if (!calls) return spinner();
      return call.is === 'placing' || call.is === 'dialing' || call.is === 'active'
        ? calls.callView(view, call)
        : nothing;
  }
}

function connectingView(view: View): TemplateResult {
  const { words, state, calls } = view;
  const text = state.line.is === 'lost' ? words.status.reconnecting : words.status.connecting;
  return spinner(
    html`<p>${text}</p>
      ${calls?.lostCall(view) ?? nothing}`,
  );
}

/** Also for the moment until a view has come. */
function spinner(below: unknown = nothing): TemplateResult {
  return html`<div class="center">
    <div class="spinner"></div>
    ${below}
  </div>`;
}

/** Changes when another view takes over, and only then. */
export function viewKey({ status, block }: DialerState): string {
  switch (status) {
    case 'dialing':
    case 'in-call':
      return 'call';
    case 'idle':
    case 'ended':
      return 'keypad';
    case 'ready':
      return block.is === 'cleared' ? 'cleared' : 'keypad';
    case 'blocked':
      return block.is === 'blocked' && block.drawnByPage ? 'keypad' : 'blocked';
    default:
      return status;
  }
}

/** When another view takes over, the focus goes where the work is: an agent at the keyboard goes on from there. */
export function followFocus(element: ReactiveElement & { readonly state: DialerState }): void {
  let hadFocus = false;
  let shownKey = '';
  element.addController({
    hostUpdate() {
      hadFocus = element.shadowRoot?.activeElement != null;
    },
    hostUpdated() {
      const key = viewKey(element.state);
      const isReplaced = key !== shownKey && shownKey !== '';
      shownKey = key;
      // The button that had the focus may be gone while its view stays.
      if (!hadFocus || (!isReplaced && element.shadowRoot?.activeElement)) return;
      const next = ['[data-focus]', '.card', '.bubble'].flatMap((selector) => [
        ...element.renderRoot.querySelectorAll<HTMLElement>(selector),
      ]);
      next[0]?.focus();
    },
  });
}
