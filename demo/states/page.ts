/** Puts a `<partner-dialer>` into the page for every state. None of them connects. */
import '../../src/index.ts';
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

/** Nothing happens at a press; each dialer has its own. */
const noActions = () => new Proxy({} as ViewActions, { get: () => () => undefined });

document.documentElement.lang = language;
if (theme === 'dark' || theme === 'light') document.documentElement.style.colorScheme = theme;
document.documentElement.style.setProperty('--partner-dialer-width', `${width}px`);
await wordsFor(language).load();
document.querySelector('main')?.append(...GROUPS.map(drawGroup));

function drawGroup({ title, states }: Group): HTMLElement {
  return drawSection(
    title,
    states.map((state) => drawState(title, state)),
  );
}

function drawSection(title: string, figures: readonly HTMLElement[]): HTMLElement {
  const section = document.createElement('section');
  const heading = document.createElement('h2');
  heading.textContent = title;
  section.append(heading, ...figures);
  return section;
}

/** An element has them once its list is opened, and this one is only told that it is open; its first drawing sets its sheets. */
function adoptListStyles(dialer: HTMLElement): void {
  const { shadowRoot } = dialer;
  if (!shadowRoot?.querySelector('.recent')) requestAnimationFrame(() => adoptListStyles(dialer));
  else {
    const sheets = listStyles.map(({ styleSheet }) => styleSheet).filter((sheet) => sheet !== undefined);
    shadowRoot.adoptedStyleSheets.push(...sheets);
  }
}

function drawState(group: string, { name, state, view, isOpen = false, floating }: ShownState): HTMLElement {
  const figure = drawTag(name, floating);
  const dialer = figure.querySelector('partner-dialer');
  if (!dialer) return figure;
  if (view?.recent?.isOpen) adoptListStyles(dialer);
  shown.set(dialer, {
    name: `${group}, ${name}`,
    state,
    isOpen,
    view: { draft: '', lastCall: undefined, now: NOW, act: noActions(), ...view },
  });
  return figure;
}

function drawTag(name: string, floating: ShownState['floating']): HTMLElement {
  const figure = document.createElement('figure');
  const caption = document.createElement('figcaption');
  caption.textContent = name;
  const dialer = document.createElement('partner-dialer');
  dialer.connectMode = 'manual';
  dialer.lang = language;
  if (theme === 'dark' || theme === 'light') dialer.theme = theme;
  if (floating) dialer.floating = floating;
  dialer.dataset['state'] = name;
  // Keeps a floating dialer, which is fixed, below its name.
  const place = document.createElement('div');
  place.append(dialer);
  figure.append(caption, place);
  return figure;
}
