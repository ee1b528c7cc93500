/**
 * On a narrow page the bubble would cover the page's text and buttons. It moves to a free place along its own side, else
 * along the other side; if there is none, it stays in its corner.
 */
import type { ReactiveController, ReactiveElement } from 'lit';
import type { ViewSettings } from './view.ts';

/** Wider pages have margins, in which the bubble covers nothing. */
const NARROW_PX = 640;
/** The bubble moves when the page has not scrolled or changed for this long. */
const REST_MS = 200;
const MARGIN_PX = 16;
/** Distance between two places that are tried. */
const STEP_PX = 24;
/** Distance between two points that are tested; every button is larger. */
const POINTS_PX = 14;

export class BubblePlace implements ReactiveController {
  readonly #element: ReactiveElement;
  readonly #view: { readonly settings: ViewSettings };
  /** From insertion into the page to removal. */
  #inPage = new AbortController();
  #resized: ResizeObserver | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(element: ReactiveElement, view: { readonly settings: ViewSettings }) {
    this.#element = element;
    this.#view = view;
  }

  hostConnected(): void {
    this.#inPage = new AbortController();
    const { signal } = this.#inPage;
    const settle = () => this.#settleLater();
    addEventListener('resize', settle, { signal });
    addEventListener('scroll', settle, { signal, capture: true, passive: true });
    // Content that loads later makes the page longer. jsdom lays nothing out, and has no observer.
    this.#resized = 'ResizeObserver' in globalThis ? new ResizeObserver(settle) : undefined;
    this.#resized?.observe(document.documentElement);
  }

  hostDisconnected(): void {
    this.#inPage.abort();
    this.#resized?.disconnect();
    clearTimeout(this.#timer);
  }

  hostUpdated(): void {
    this.#settleLater();
  }

  #settleLater(): void {
    clearTimeout(this.#timer);
    if (this.#view.settings.floating !== false) this.#timer = setTimeout(() => this.#settle(), REST_MS);
  }

  /** An open card covers the page anyway, and the bubble must not move away from under a pointer. */
  #settle(): void {
    const { renderRoot } = this.#element;
    const bar = renderRoot.querySelector<HTMLElement>('.bubble-bar');
    if (!bar || bar.matches(':hover, :focus-within')) return;
    const isClosed = renderRoot.querySelector('.card') === null;
    const [x, y] = (isClosed && innerWidth < NARROW_PX && this.#freeShift(bar)) || [0, 0];
    bar.style.translate = `${x}px ${y}px`;
  }

  /** The distance in pixels from the corner to the nearest free place. */
  #freeShift(bar: HTMLElement): readonly [x: number, y: number] | undefined {
    const corner = this.#view.settings.floating || '';
    const { width, height } = bar.getBoundingClientRect();
    // It is not displayed.
    if (width === 0) return undefined;
    const isTop = corner.startsWith('top');
    const isLeft = corner.endsWith('left');
    const [nearX, farX] = [MARGIN_PX, document.documentElement.clientWidth - MARGIN_PX - width];
    const [homeX, otherX] = isLeft ? [nearX, farX] : [farX, nearX];
    const homeY = isTop ? MARGIN_PX : innerHeight - MARGIN_PX - height;
    for (const x of [homeX, otherX]) {
      for (let far = 0; far <= innerHeight - height - 2 * MARGIN_PX; far += STEP_PX) {
        const y = isTop ? homeY + far : homeY - far;
        if (this.#isFree(new DOMRect(x, y, width, height))) return [x - homeX, y - homeY];
      }
    }
    return undefined;
  }

  #isFree(box: DOMRect): boolean {
    const across = pointsBetween(box.left, box.right);
    const down = pointsBetween(box.top, box.bottom);
    return across.every((x) => down.every((y) => !isContent(this.#under(x, y), box)));
  }

  #under(x: number, y: number): Element | undefined {
    return document.elementsFromPoint(x, y).find((each) => each !== this.#element);
  }
}

function pointsBetween(from: number, to: number): number[] {
  const parts = Math.ceil((to - from - 2) / POINTS_PX);
  return Array.from({ length: parts + 1 }, (_, index) => from + 1 + ((to - from - 2) * index) / parts);
}

const CONTROLS_AND_MEDIA = [
  'a[href], button, input, select, textarea, label, summary, [contenteditable]',
  'iframe, img, svg, video, audio, canvas, object',
  ...['button', 'link', 'checkbox', 'radio', 'switch', 'tab', 'menuitem', 'option'].map(
    (role) => `[role='${role}']`,
  ),
].join();

/** A control, a picture, or text under the box. */
function isContent(element: Element | undefined, box: DOMRect): boolean {
  if (!element) return false;
  if (element.closest(CONTROLS_AND_MEDIA)) return true;
  return [...element.childNodes].some((node) => node instanceof Text && touches(node, box));
}

function touches(text: Text, { left, right, top, bottom }: DOMRect): boolean {
  if (text.data.trim() === '') return false;
  const range = document.createRange();
  range.selectNodeContents(text);
  return [...range.getClientRects()].some(
    (line) => line.left < right && line.right > left && line.top < bottom && line.bottom > top,
  );
}
