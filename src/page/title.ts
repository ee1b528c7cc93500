/**
 * Who calls, in front of the page's title, and a sign in place of its icon, where an agent sees it from another tab. All is
 * put back as it was; what the page itself does to its title meanwhile counts.
 */

const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20"><circle cx="10" cy="10" r="10" fill="#c81e1e"/><path d="M6 4.500h1.900l1 2.600-1.300.8a6.800 6.800 0 0 0 3.300 3.300l.8-1.300 2.600 1v1.900c0 .7-.5 1.200-1.200 1.200C8.800 14 5 10.200 4.800 5.700c0-.7.500-1.200 1.200-1.200Z" fill="#fff"/></svg>',
)}`;

/** Several dialers of one page share its title; the last one to ring has it. */
const texts = new Map<object, string>();
let shown: Shown | undefined;

interface Shown {
  readonly prefix: string;
  /** The title of the page's own; absent: it has no such element. */
  own: string | undefined;
  /** What the title reads with the prefix. */
  written: string;
  readonly icon: HTMLLinkElement;
  readonly observer: MutationObserver;
}

/** @param text what to show for this dialer; absent: nothing any more */
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
  shown = { prefix: `${text} · `, own: titleElement()?.textContent, written: '', icon, observer };
  document.head.append(icon);
  write();
  observer.observe(document.head, { childList: true, subtree: true, characterData: true });
}

function write(): void {
  if (!shown) return;
  shown.written = shown.prefix + (shown.own ?? '').trim();
  document.title = shown.written;
  // Our own change is none of the page's.
  shown.observer.takeRecords();
}

/** A page that adds something to its title adds it to ours: that is taken out of it again. */
function followPage(): void {
  const now = titleElement()?.textContent;
  if (!shown || now === shown.written) return;
  shown.own = now?.replace(shown.prefix, '');
  write();
}

function restore(): void {
  if (!shown) return;
  followPage();
  const { observer, own, icon } = shown;
  observer.disconnect();
  // A page without an icon of its own may have made ours its own.
  if (icon.getAttribute('href') === ICON) icon.remove();
  const title = titleElement();
  if (own === undefined) title?.remove();
  else if (title) title.textContent = own;
  shown = undefined;
}

/** The one that counts, which an SVG's is not. */
function titleElement(): HTMLTitleElement | null {
  return document.querySelector<HTMLTitleElement>('head > title') ?? document.querySelector('body > title');
}
