/** Puts a `<partner-dialer>` into the page for every state. None of them connects. */
import type { PartnerDialer } from '../../src/index.ts';
import '../../src/index.ts';
import { chunks } from '../../src/element/lazy-phone.ts';
import { fetchTheRest } from '../../src/element/the-rest.ts';
import { drawFirstView, type FirstView } from '../../src/element/first-view.ts';
import { shown } from '../../src/element/shown.ts';
import { wordsFor } from '../../src/i18n/words-for.ts';
import type { ViewActions } from '../../src/ui/view.ts';
import { styles as listStyles } from '../../src/ui/recent-calls.ts';
import { FIRST_STATES, type FirstState } from './before-a-call.ts';
import { NOW, type ShownState } from './samples.ts';
import { GROUPS, type Group } from './states.ts';

const MIN_WIDTH = 280;
const MAX_WIDTH = 400;

const query = new URLSearchParams(location.search);
const language = query.get('lang') === 'vi' ? 'vi' : 'en';
const theme = query.get('theme');
const width = Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, Number(query.get('width')) || 320));

/** Nothing happens at a press; each dialer has its own. */
const noActions = () => new Proxy({} as ViewActions & FirstView, { get: () => () => undefined });

document.documentElement.lang = language;
if (theme === 'dark' || theme === 'light') document.documentElement.style.colorScheme = theme;
document.documentElement.style.setProperty('--partner-dialer-width', `${width}px`);
// Before the phone is there: afterwards every new one is drawn by it.
document.querySelector('main')?.append(drawFirstViews());
// Nobody shows interest in them.
await Promise.all([chunks.phone.load(), fetchTheRest(), wordsFor(language).load()]);
document.querySelector('main')?.append(...GROUPS.map(drawGroup));

/** As the first file draws them; nobody asks for their phones. */
function drawFirstViews(): HTMLElement {
  const title = 'Before the phone is there';
  return drawSection(
    title,
    FIRST_STATES.map((first) => {
      const figure = drawTag(first.name, first.floating);
      const dialer = figure.querySelector('partner-dialer');
      if (dialer) void drawFirst(dialer, first, title);
      return figure;
    }),
  );
}

async function drawFirst(dialer: PartnerDialer, first: FirstState, group: string): Promise<void> {
  const { name, status, isOpen, floating } = first;
  const { toggle, retry, type, call } = noActions();
  // What it draws by itself comes first.
  await dialer.updateComplete;
  drawFirstView(dialer.renderRoot, {
    language,
    status,
    isOpen,
    isFloating: floating !== undefined,
    toggle,
    retry,
    type,
    call,
  });
  const card = dialer.renderRoot.querySelector('.card');
  card?.setAttribute('aria-label', `${card.getAttribute('aria-label')}: ${group}, ${name}`);
}

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
