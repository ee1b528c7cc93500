/** How pages and frameworks move an element: by a removal and an insertion in one task. Nothing may come of it. */
import { ACTS, type ActName } from './acts.ts';
import type { Actor } from './actor.ts';
import type { World } from './world.ts';

export const MOVES = {
  elsewhere: (element: Element) => document.body.append(element),
  before: (element: Element) => element.parentNode?.insertBefore(element, element.parentNode.firstChild),
  'out and in': (element: Element) => {
    const { parentNode } = element;
    element.remove();
    parentNode?.append(element);
  },
  'into a wrapper and back': (element: Element) => {
    const wrapper = document.createElement('div');
    element.replaceWith(wrapper);
    wrapper.append(element);
    wrapper.replaceWith(element);
  },
  'into a window': (element: Element) => void intoWindow(element),
  'into a window that gives it back': (element: Element) => {
    // As Chrome's own example of picture-in-picture does.
    intoWindow(element)?.addEventListener('pagehide', ({ target }) => {
      document.body.append((target as Document).querySelector('partner-dialer') ?? '');
    });
  },
} as const satisfies Readonly<Record<string, (element: Element) => void>>;

function intoWindow(element: Element): Window | null {
  const frame = document.createElement('iframe');
  document.body.append(frame);
  frame.contentDocument?.body.append(element);
  return frame.contentWindow;
}

export type Move = keyof typeof MOVES;

/** Where an element is put that was in no page for a moment. */
export const RETURNS = {
  'where it was': (element: Element, parent: Element) => parent.append(element),
  first: (element: Element, parent: Element) => parent.prepend(element),
  elsewhere: (element: Element) => document.body.append(element),
} as const satisfies Readonly<Record<string, (element: Element, parent: Element) => void>>;

/** A removal, and an insertion so many promises later, with something done before and in between. */
export interface Gap {
  readonly before: ActName;
  readonly act: ActName;
  readonly promises: number;
  readonly to: keyof typeof RETURNS;
  /** The page's document prevents a call of which it is asked in between. */
  readonly isPreventing: boolean;
}

export async function moveWithGap(actor: Actor, world: World, gap: Gap): Promise<void> {
  const { element } = actor;
  ACTS[gap.before](actor, world);
  const { parentElement } = element;
  if (!parentElement) return;
  element.remove();
  const over = new AbortController();
  const prevent = (event: Event) => {
    world.exchange.license('prevented');
    event.preventDefault();
  };
  if (gap.isPreventing) document.addEventListener('dialer-beforecall', prevent, { signal: over.signal });
  ACTS[gap.act](actor, world);
  for (let count = 0; count < gap.promises; count += 1) await undefined;
  over.abort();
  // What was done may have put it somewhere.
  if (!element.isConnected) RETURNS[gap.to](element, parentElement);
}
