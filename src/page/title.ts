/**
 * While the phone rings, the page's title begins with the caller and its icon is red, so that an agent sees it from another
 * tab. Afterwards both are restored, with the changes that the page has made meanwhile.
 */

const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20"><circle cx="10" cy="10" r="10" fill="#c81e1e"/><path d="M6 4.500h1.900l1 2.600-1.300.8a6.800 6.800 0 0 0 3.300 3.300l.8-1.300 2.600 1v1.900c0 .7-.5 1.200-1.200 1.200C8.800 14 5 10.200 4.800 5.700c0-.7.500-1.200 1.200-1.200Z" fill="#fff"/></svg>',
)}`;

/** Dialers on one page share its title: the one that rang last is shown. */
const texts = new Map<object, string>();
let badge: Badge | undefined;

interface Badge {
  readonly prefix: string;
  /** The page's own title; absent: it has no title element. */
  pageTitle: string | undefined;
  /** The title with the prefix. */
  written: string;
  readonly icon: HTMLLinkElement;
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
  const icon = document.createElement('link');
  icon.rel = 'icon';
  icon.type = 'image/svg+xml';
  icon.href = ICON;
  const observer = new MutationObserver(() => followPage());
  const pageTitle = titleElement()?.textContent;
  badge = { prefix: `${text} · `, pageTitle, written: '', icon, observer };
  document.head.append(icon);
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
  const { observer, pageTitle, icon } = badge;
  observer.disconnect();
  // A page without an icon may have given this link another address: then the link is the page's.
  if (icon.getAttribute('href') === ICON) icon.remove();
  const title = titleElement();
  if (pageTitle === undefined) title?.remove();
  else if (title) title.textContent = pageTitle;
  badge = undefined;
}

/** The page's title; an SVG can have a title element, too. */
function titleElement(): HTMLTitleElement | null {
  return document.querySelector<HTMLTitleElement>('head > title') ?? document.querySelector('body > title');
}
