/** Puts a `<partner-dialer>` into the page for every state. None of them connects. */
import '../../src/index.ts';
import { chunks } from '../../src/element/lazy-phone.ts';
import { fetchTheRest } from '../../src/element/the-rest.ts';
import { shown } from '../../src/element/shown.ts';
import { wordsFor } from '../../src/i18n/words-for.ts';
import type { ViewActions } from '../../src/ui/view.ts';
import { styles as listStyles } from '../../src/ui/recent-calls.ts';
import { NOW, type ShownState } from './samples.ts';
import { GROUPS, type Group } from './states.ts';

const MIN_WIDTH = 280;
const MAX_WIDTH = 400;

const query = new URLSearchParams(location.search);
const language = query.get('lang') === 'vi' ? 'vi' : 'en';
const theme = query.get('theme');
const width = Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, Number(query.get('width')) || 320));

/** Nothing happens at a press. */
const NO_ACTIONS = new Proxy({} as ViewActions, { get: () => () => undefined });

document.documentElement.lang = language;
if (theme === 'dark' || theme === 'light') document.documentElement.style.colorScheme = theme;
document.documentElement.style.setProperty('--partner-dialer-width', `${width}px`);
// Nobody shows interest in them.
await Promise.all([chunks.phone.load(), fetchTheRest(), wordsFor(language).load()]);
document.querySelector('main')?.append(...GROUPS.map(drawGroup));

function drawGroup({ title, states }: Group): HTMLElement {
  const section = document.createElement('section');
  const heading = document.createElement('h2');
  heading.textContent = title;
  section.append(heading, ...states.map((state) => drawState(title, state)));
  return section;
}

/** An element has them once its list is opened, and this one is only told that it is open; its first drawing sets its sheets. */
function adoptListStyles(dialer: HTMLElement): void {
  const { shadowRoot } = dialer;
  const { styleSheet } = listStyles;
  if (!shadowRoot?.querySelector('.recent')) requestAnimationFrame(() => adoptListStyles(dialer));
  else if (styleSheet) shadowRoot.adoptedStyleSheets.push(styleSheet);
}

function drawState(group: string, { name, state, view, isOpen = false, floating }: ShownState): HTMLElement {
  const figure = document.createElement('figure');
  const caption = document.createElement('figcaption');
  caption.textContent = name;
  const dialer = document.createElement('partner-dialer');
  dialer.connectMode = 'manual';
  dialer.lang = language;
  if (theme === 'dark' || theme === 'light') dialer.theme = theme;
  if (floating) dialer.floating = floating;
  if (view?.recent?.isOpen) adoptListStyles(dialer);
  dialer.dataset['state'] = name;
  shown.set(dialer, {
    name: `${group}, ${name}`,
    state,
    isOpen,
    view: { draft: '', lastCall: undefined, now: NOW, act: NO_ACTIONS, ...view },
  });
  figure.append(caption, dialer);
  return figure;
}
