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
} as const satisfies Readonly<Record<string, (element: Element) => void>>;

export type Move = keyof typeof MOVES;
