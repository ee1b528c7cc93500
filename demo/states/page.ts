/** Draws the view of every state, each as in a `<partner-dialer>`. The tag is not defined here: nothing is connected. */
import { adoptStyles, render } from 'lit';
import { chooseCallerNumber } from '../../src/dialer/state/hotlines.ts';
import { INITIAL_DEVICES } from '../../src/devices/state.ts';
import { LANGUAGES, chooseWords } from '../../src/i18n/words.ts';
import { dialerView } from '../../src/ui/views/dialer-view.ts';
import { styles } from '../../src/ui/views/styles.ts';
import { EMPTY_DISPLAY, INITIAL_UI_STATE } from '../../src/ui/ui-state.ts';
import type { View, ViewActions } from '../../src/ui/view.ts';
import { longerWords } from './longer-words.ts';
import { NOW, type ShownState } from './samples.ts';
import { GROUPS, type Group } from './states.ts';

const MIN_WIDTH = 280;
const MAX_WIDTH = 400;
const LOW_BALANCE = 500;
/** A third language may need so much more room than English. */
const LONGER = 1.4;

const query = new URLSearchParams(location.search);
const language = query.get('lang') ?? 'en';
/** A language that is not in the file brings words. */
const words = chooseWords(language, language in LANGUAGES ? undefined : longerWords(LONGER));
const theme = query.get('theme');
const width = Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, Number(query.get('width')) || 320));
const accent = query.get('accent');

/** A press does nothing. */
const noActions: ViewActions = new Proxy(
  Object.assign(() => undefined),
  { get: () => noActions },
);

const { style } = document.documentElement;
document.documentElement.lang = language;
if (theme === 'dark' || theme === 'light') style.colorScheme = theme;
style.setProperty('--partner-dialer-width', `${width}px`);
if (accent) style.setProperty('--partner-dialer-accent', accent);
document.querySelector('nav')?.append(...GROUPS.map(linkTo));
document.querySelector('main')?.append(...GROUPS.map(drawGroup));

function linkTo({ title, states }: Group): HTMLElement {
  const link = document.createElement('a');
  const count = document.createElement('span');
  count.textContent = ` ${states.length}`;
  link.href = `#${idOf(title)}`;
  link.append(title, count);
  return link;
}

function idOf(title: string): string {
  return title.toLowerCase().replaceAll(' ', '-');
}

function drawGroup({ title, states }: Group): HTMLElement {
  const section = document.createElement('section');
  section.id = idOf(title);
  const heading = document.createElement('h2');
  heading.textContent = title;
  section.append(heading, ...states.map((state) => drawState(title, state)));
  return section;
}

function drawState(group: string, shown: ShownState): HTMLElement {
  const { name, floating } = shown;
  const figure = document.createElement('figure');
  const caption = document.createElement('figcaption');
  caption.textContent = name;
  // Keeps a floating dialer, which is fixed, below its name.
  const place = document.createElement('div');
  const dialer = document.createElement('partner-dialer');
  dialer.dataset['state'] = name;
  if (floating) dialer.setAttribute('floating', floating);
  if (theme === 'dark' || theme === 'light') dialer.setAttribute('theme', theme);
  const root = dialer.attachShadow({ mode: 'open' });
  adoptStyles(root, styles);
  render(dialerView(viewOf(group, shown)), root);
  place.append(dialer);
  figure.append(caption, place);
  return figure;
}

function viewOf(group: string, shown: ShownState): View {
  const { name, state, ui, display, waitingCall, calls, prompts, devices, floating } = shown;
  return {
    state,
    ui: { ...INITIAL_UI_STATE, ...ui },
    display: { ...EMPTY_DISPLAY, ...display },
    settings: {
      lowBalance: LOW_BALANCE,
      floating: floating ?? false,
      numberPlan: 'vietnam',
      recentCalls: 'on',
    },
    // A name of its own for each, for whoever hears the page.
    words: { ...words, dialer: `${words.dialer}: ${group}, ${name}` },
    callerNumber: chooseCallerNumber(state.hotlines, []),
    waitingCall,
    calls: calls ?? [],
    prompts: prompts ?? { isSilent: false, mayOfferNotifications: false },
    devices: devices ?? INITIAL_DEVICES,
    now: NOW,
    actions: noActions,
  };
}
