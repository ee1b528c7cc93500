/** Clicks on `tel:` links, wherever on the page they are, and whenever they came there. */

export interface TelLink {
  /** The link's address, as it is written: `tel:…`. */
  readonly address: string;
  /** Who is called, as the page says: `data-name`, else the link's text. */
  readonly name: string | undefined;
}

/** Longer than the pause in a double press, and than that between the repetitions of a key kept down. */
const REPEAT_MS = 500;
/** A longer text is no name. */
const LONGEST_NAME = 80;

/**
 * Takes the clicks that would have the browser open another program. What the page or the agent wants otherwise is left
 * alone: a click that was handled already, or with another button or a modifier key, a link with a `target` or to be
 * downloaded, one that is being edited.
 */
export function watchTelLinks(signal: AbortSignal, dial: (link: TelLink) => void): void {
  let last: { readonly link: Element; readonly at: number } | undefined;
  const take = (event: MouseEvent, link: Link, address: string) => {
    event.preventDefault();
    const isRepeated = last?.link === link && event.timeStamp < last.at + REPEAT_MS;
    last = { link, at: event.timeStamp };
    if (!isRepeated) dial({ address, name: nameOf(link) });
  };
  const onClick = (event: MouseEvent) => {
    const link = event.composedPath().find(isLink);
    const address = link && addressOf(link);
    if (!link || address === undefined || isMeantOtherwise(event, link)) return;
    afterPage(event, () => take(event, link, address));
  };
  addEventListener('click', onClick, { capture: true, signal });
}

/**
 * Once the page's own listeners have had the event, and have not prevented what it does. Many pages stop a click on its way,
 * so that the row around a link is not pressed as well: then this is the place to look.
 */
function afterPage(event: MouseEvent, work: () => void): void {
  const over = new AbortController();
  const look = () => {
    const isOver = event.currentTarget === window || event.cancelBubble;
    if (!isOver) return;
    over.abort();
    if (!event.defaultPrevented) work();
  };
  for (const node of event.composedPath()) node.addEventListener('click', look, { signal: over.signal });
  // An event that goes on to no listener of ours leaves none behind.
  setTimeout(() => over.abort());
}

type Link = HTMLAnchorElement | HTMLAreaElement | SVGAElement;

function isLink(node: EventTarget): node is Link {
  const isAny =
    node instanceof HTMLAnchorElement || node instanceof HTMLAreaElement || node instanceof SVGAElement;
  return isAny && (node.hasAttribute('href') || node.hasAttribute('xlink:href'));
}

/** `undefined`: it leads elsewhere, or nowhere. */
function addressOf({ href }: Link): string | undefined {
  const address = typeof href === 'string' ? href : href.baseVal.trim();
  return /^tel:.*\d/i.test(address) ? address : undefined;
}

function isMeantOtherwise(event: MouseEvent, link: Link): boolean {
  const { button, ctrlKey, metaKey, shiftKey, altKey } = event;
  if (button !== 0 || ctrlKey || metaKey || shiftKey || altKey) return true;
  const target = typeof link.target === 'string' ? link.target : link.target.baseVal;
  const isEdited = link instanceof HTMLElement && link.isContentEditable;
  return !/^(?:_self)?$/i.test(target) || link.hasAttribute('download') || isEdited;
}

/** A link whose text is the number says nothing of who is called. */
function nameOf(link: Link): string | undefined {
  const given = oneLine(link.dataset['name'] ?? '');
  if (given !== '') return given;
  const text = oneLine(link instanceof HTMLAreaElement ? link.alt : (link.textContent ?? ''));
  const hasNumber = text.replace(/\D/g, '').length > 4;
  return text === '' || hasNumber || text.length > LONGEST_NAME ? undefined : text;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
