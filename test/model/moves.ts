/** How pages and frameworks move an element: by a removal and an insertion in one task. Nothing may come of it. */

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
