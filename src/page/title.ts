/**
 * While the phone rings, the page's title begins with the caller, so that an agent sees it from another tab. Afterwards it is
 * restored, with the changes that the page has made meanwhile. The page's icon stays: a drawn one is a `data:` address, which
 * many policies of pages forbid.
 */

/** Dialers on one page share its title: the one that rang last is shown. */
const texts = new Map<object, string>();
let badge: Badge | undefined;

interface Badge {
  readonly prefix: string;
  /** The page's own title; absent: it has no title element. */
  pageTitle: string | undefined;
  /** The title with the prefix. */
  written: string;
  readonly observer: MutationObserver;
}

/** @param text shown for this dialer; absent: removes it */
export function setTitleBadge(dialer: object, text?: string): void {
  if (texts.get(dialer) === text) return;
  texts.delete(dialer);
  if (text !== undefined) texts.set(dialer, text);
  restore();
  const latest = [...texts.values()].at(-1);
  if (latest !== undefined) show(latest);
}

function show(text: string): void {
  const observer = new MutationObserver(() => followPage());
  const pageTitle = titleElement()?.textContent;
  badge = { prefix: `${text} · `, pageTitle, written: '', observer };
  write();
  observer.observe(document.head, { childList: true, subtree: true, characterData: true });
}

function write(): void {
  if (!badge) return;
  badge.written = badge.prefix + (badge.pageTitle ?? '').trim();
  document.title = badge.written;
  // The observer must not take this change for the page's.
  badge.observer.takeRecords();
}

/** The page has changed the title, perhaps by adding to ours: its own title is what remains without our prefix. */
function followPage(): void {
  const now = titleElement()?.textContent;
  if (!badge || now === badge.written) return;
  badge.pageTitle = now?.replace(badge.prefix, '');
  write();
}

function restore(): void {
  if (!badge) return;
  followPage();
  const { observer, pageTitle } = badge;
  observer.disconnect();
  const title = titleElement();
  if (pageTitle === undefined) title?.remove();
  else if (title) title.textContent = pageTitle;
  badge = undefined;
}

/** The page's title; an SVG can have a title element, too. */
function titleElement(): HTMLTitleElement | null {
  return document.querySelector<HTMLTitleElement>('head > title') ?? document.querySelector('body > title');
}
