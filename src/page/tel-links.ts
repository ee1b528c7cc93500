/** Clicks on `tel:` links anywhere on the page, also on links that were added later. */

interface TelLink {
  /** The address as written: `tel:…`. */
  readonly address: string;
  /** Who is called, as the page says: `data-name`. */
  readonly name: string | undefined;
  /** The link's text, if it may be a name. */
  readonly linkText: string | undefined;
}

/** Longer than the pause within a double click, and than the repeat interval of a key that is held down. */
const REPEAT_MS = 500;
/** How far a pointer moves between the two clicks of a double click. */
const DOUBLE_CLICK_PX = 10;
/** A longer text does not count as a name. */
const LONGEST_NAME = 80;
/** `☎ Gọi ngay`, `Call us`: what the link does, and nobody's name. */
const COMMAND = /^\P{L}*(?:gọi|call)(?!\p{L})/iu;

/**
 * Dials instead of letting the browser open another program. It ignores a click that the page has handled, a click with
 * another button or a modifier key, a link whose `target` is a named frame, one with `download`, and one in editable text.
 */
export function watchTelLinks(signal: AbortSignal, dial: (link: TelLink) => void): void {
  let last: { readonly link: Element; readonly at: number; readonly event: MouseEvent } | undefined;
  const take = (event: MouseEvent, link: Link, address: string) => {
    event.preventDefault();
    const isRepeated =
      last && event.timeStamp < last.at + REPEAT_MS && (last.link === link || isSamePlace(event, last.event));
    last = { link, at: event.timeStamp, event };
    const name = oneLine(link.dataset['name'] ?? '') || undefined;
    if (!isRepeated) dial({ address, name, linkText: nameIn(link) });
  };
  const onClick = (event: MouseEvent) => {
    const link = event.composedPath().find(isLink);
    const address = link && addressOf(link);
    if (!link || address === undefined || isNotForUs(event, link)) return;
    afterPage(event, () => take(event, link, address));
  };
  addEventListener('click', onClick, { capture: true, signal });
}

/** The first click of a double click may have moved another link under the pointer. A key has no place. */
function isSamePlace({ detail, clientX, clientY }: MouseEvent, before: MouseEvent): boolean {
  return detail > 0 && Math.hypot(clientX - before.clientX, clientY - before.clientY) < DOUBLE_CLICK_PX;
}

/**
 * Runs the work after the page's own listeners, unless one of them has prevented the default. Many pages stop the
 * propagation of a click, on its way up or down, so that the table row around the link does not react: the work runs then, too.
 */
function afterPage(event: MouseEvent, work: () => void): void {
  const over = new AbortController();
  const { signal } = over;
  const look = () => {
    const isOver = event.currentTarget === window || event.cancelBubble;
    if (!isOver || signal.aborted) return;
    over.abort();
    if (!event.defaultPrevented) work();
  };
  for (const node of event.composedPath())
    for (const capture of [true, false])
      if (capture === false || node !== window) node.addEventListener('click', look, { capture, signal });
  // No further listener runs. The browser runs a microtask before it opens its own program.
  const stop = event.stopImmediatePropagation.bind(event);
  event.stopImmediatePropagation = () => {
    stop();
    queueMicrotask(look);
  };
  // If no listener was reached, this removes them.
  setTimeout(() => over.abort());
}

type Link = HTMLAnchorElement | HTMLAreaElement | SVGAElement;

function isLink(node: EventTarget): node is Link {
  const isAny =
    node instanceof HTMLAnchorElement || node instanceof HTMLAreaElement || node instanceof SVGAElement;
  return isAny && (node.hasAttribute('href') || node.hasAttribute('xlink:href'));
}

/** `undefined`: it is not a `tel:` link with a number. */
function addressOf({ href }: Link): string | undefined {
  const address = typeof href === 'string' ? href : href.baseVal.trim();
  return /^tel:.*\d/i.test(address) ? address : undefined;
}

function isNotForUs(event: MouseEvent, link: Link): boolean {
  const { button, ctrlKey, metaKey, shiftKey, altKey } = event;
  if (button !== 0 || ctrlKey || metaKey || shiftKey || altKey) return true;
  const target = typeof link.target === 'string' ? link.target : link.target.baseVal;
  const isEdited = link instanceof HTMLElement && link.isContentEditable;
  return !/^(?:_.*)?$/.test(target) || link.hasAttribute('download') || isEdited;
}

/** `undefined` if the link's text is only the number. */
function nameIn(link: Link): string | undefined {
  const text = oneLine(link instanceof HTMLAreaElement ? link.alt : textOf(link));
  const hasNumber = text.replace(/\D/g, '').length > 4;
  const isName = /\p{L}.*\p{L}/u.test(text) && !COMMAND.test(text.normalize('NFC'));
  return isName && !hasNumber && text.length <= LONGEST_NAME ? text : undefined;
}

/** Without the icons: fonts write them as words, and a drawing has a title. */
function textOf(link: Link): string {
  const copy = link.cloneNode(true) as Element;
  for (const icon of copy.querySelectorAll('[aria-hidden=true], svg > title')) icon.remove();
  return copy.textContent ?? '';
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
