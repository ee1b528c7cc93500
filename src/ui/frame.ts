/** Which view is shown, and what stands around it: the card, the bubble that opens it, the words for screen readers. */
import { html, nothing, type ReactiveElement, type TemplateResult } from 'lit';
import type { DialerState } from '../dialer/state/state.ts';
import type { Language } from '../i18n/language.ts';
import type { Words } from '../i18n/words.ts';
import { icon } from './controls.ts';
import { dialpadView, recentButton } from './dialpad.ts';
import { chunks } from './late-companions.ts';
import { statusBar, statusWord } from './status-bar.ts';
import { viewKey } from './view-key.ts';
import type { BubbleFrame, FullView, View } from './view.ts';

export interface Frame extends BubbleFrame {
  /** A bubble stands in the corner; the card is there only while it is open. */
  readonly floating: boolean;
}

/** @param all the words; absent while those that come late are on their way */
export function frame(view: View, all: Words | undefined, settings: Frame): TemplateResult {
  const { language, floating, open } = settings;
  const full = all && { ...view, words: { ...all, ...view.words } };
  const announcement = (full && view.calls?.announcement(full)) ?? statusWord(view.state, view.words);
  return html`${floating && !open ? nothing : card(view, full, language)}
    ${floating ? ((full && view.bubble?.bubbleView(full, settings)) ?? plainBubble(view, settings)) : nothing}
    <div class="visually-hidden" role="status" lang=${language}>${announcement}</div>`;
}

function card(view: View, full: FullView | undefined, language: Language): TemplateResult {
  const { state, words, recent } = view;
  // Focusable, so that the keys work after a click beside a button.
  return html`<section class="card" part="card" tabindex="-1" aria-label=${words.dialer} lang=${language}>
    ${statusBar(state, words)}
    ${(view.helpOpen && full && chunks.companions.value?.shortcutsHelp(full)) || nothing}
    <div class="body">
      ${
        recent.isOpen && full
          ? html`<div class="view tall">${recent.panel?.recentCallsView(full)}</div>`
          : html`<div class=${isTall(state) ? 'view tall' : 'view'}>${bodyFor(view, full)}</div>`
      }
      ${hasListBelow(view) ? html`<div class="below">${recentButton(view, full)}</div>` : nothing}
    </div>
  </section>`;
}

/** A guide is as tall as its text, but for one that a call has led to: a press too many is not to reach the page below. */
function isTall(state: DialerState): boolean {
  return TALL.has(viewKey(state)) || state.call.is === 'ended';
}

const TALL: ReadonlySet<string> = new Set(['connecting', 'keypad', 'cleared', 'incoming', 'call']);

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
function bodyFor(view: View, full: FullView | undefined): TemplateResult | typeof nothing {
  const { guide, calls } = view;
  const { status, block, call } = view.state;
  switch (status) {
    case 'connecting':
      return connectingView(view, full);
    case 'failed':
      return guide && full ? guide.failedView(full) : spinner();
    case 'blocked':
      // The page draws the guide; the number stays in sight here.
      if (block.is === 'blocked' && block.drawnByPage) return dialpadView(view, full);
      return guide && full ? guide.guideView(full) : spinner();
    case 'ready':
      if (block.is !== 'cleared') return dialpadView(view, full);
      return guide && full ? guide.guideView(full) : spinner();
    case 'idle':
    case 'ended':
      return dialpadView(view, full);
    case 'incoming':
      if (!calls || !full) return spinner();
      return call.is === 'incoming' ? calls.incomingView(full, call) : nothing;
    case 'dialing':
    case 'in-call':
      if (!calls || !full) return spinner();
      return call.is === 'placing' || call.is === 'dialing' || call.is === 'active'
        ? calls.callView(full, call)
        : nothing;
  }
}

function connectingView({ words, state, calls }: View, full: FullView | undefined): TemplateResult {
  const text = state.line.is === 'lost' ? words.status.reconnecting : words.status.connecting;
  return spinner(
    html`<p>${text}</p>
      ${(full && calls?.lostCall(full)) ?? nothing}`,
  );
}

/** Also for the moment until a view has come. */
function spinner(below: unknown = nothing): TemplateResult {
  return html`<div class="center">
    <div class="spinner"></div>
    ${below}
  </div>`;
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
      const [target] = next;
      // Scrolling lays the page out at once, and once more for the paint.
      target?.focus({ preventScroll: true });
      requestAnimationFrame(() => target?.scrollIntoView({ block: 'nearest' }));
    },
  });
}
