/** What is shown until the phone is there, and when it does not come. By hand: lit-html comes with the phone. */
import type { Language } from '../i18n/language.ts';
import { firstWords } from '../i18n/first-words.ts';

/** Longer than the pause in a double press. */
const MOMENT_MS = 500;
let pressedAt = -MOMENT_MS;

export interface FirstView {
  readonly language: Language;
  readonly isFloating: boolean;
  readonly isOpen: boolean;
  /** `idle`: nobody has asked for a connection yet. */
  readonly status: 'idle' | 'connecting' | 'failed';
  readonly toggle: () => void;
  readonly retry: () => void;
  readonly type: (number: string) => void;
  readonly call: () => void;
}

/** Draws it anew, unless it is there as it has to be: what has the focus keeps it. */
export function drawFirstView(root: ParentNode & Node, view: FirstView): void {
  const { language, isFloating, isOpen, status } = view;
  const key = [language, isFloating, isOpen, status].join(' ');
  if (root.firstElementChild?.getAttribute('data-first') === key) return;
  const words = firstWords[language];
  const word = status === 'connecting' ? words.connecting : words.idle;
  const said = status === 'failed' ? words.loadFailed : word;
  const announcement = make('div', { class: 'visually-hidden', role: 'status', lang: language }, said);
  announcement.dataset['first'] = key;
  root.replaceChildren(
    announcement,
    ...(isFloating && !isOpen ? [] : [card(view, word)]),
    ...(isFloating ? [bubble(view)] : []),
  );
}

function card(view: FirstView, word: string): Element {
  const { language } = view;
  return make(
    'section',
    {
      class: 'card',
      part: 'card',
      tabindex: '-1',
      'aria-label': firstWords[language].dialer,
      lang: language,
    },
    make(
      'header',
      { class: 'status', part: 'status' },
      make('span', { class: 'dot' }),
      make('p', { class: 'word' }, word),
    ),
    make('div', { class: 'body' }, make('div', { class: 'view tall' }, body(view))),
  );
}

function body({ language, status, retry, type, call }: FirstView): Element {
  const words = firstWords[language];
  if (status === 'connecting') return make('div', { class: 'center' }, make('div', { class: 'spinner' }));
  if (status === 'failed') {
    const press = button({ class: 'primary accent', part: 'guide-action' }, retry, words.retry);
    return make('div', { class: 'guide', part: 'guide' }, make('p', {}, words.loadFailed), press);
  }
  // The first sign of interest has the phone fetched, which takes over what is typed.
  const number = make('input', {
    class: 'number',
    part: 'number',
    type: 'tel',
    'aria-label': words.number,
    placeholder: words.number,
  });
  number.addEventListener('input', () => type((number as HTMLInputElement).value));
  number.addEventListener('keydown', (event) => isEnter(event as KeyboardEvent) && call());
  return number;
}

/** Neither kept down nor the end of a composed word. */
function isEnter({ key, repeat, isComposing }: KeyboardEvent): boolean {
  return key === 'Enter' && !repeat && !isComposing;
}

function bubble({ language, isOpen, toggle }: FirstView): Element {
  const words = firstWords[language];
  const label = isOpen ? words.closeDialer : words.openDialer;
  return button(
    { class: 'bubble', part: 'bubble', 'aria-expanded': `${isOpen}`, 'aria-label': label },
    toggle,
    // As text: its icons come with the phone.
    isOpen ? '×' : '☎\ufe0e',
  );
}

function button(attributes: Attributes, press: () => void, ...children: string[]): Element {
  const made = make('button', { type: 'button', ...attributes }, ...children);
  made.addEventListener('click', ({ isTrusted, timeStamp }) => {
    // A double press is one wish, and so is a key that is kept down.
    const isAgain = isTrusted && timeStamp < pressedAt + MOMENT_MS;
    pressedAt = timeStamp;
    if (!isAgain) press();
  });
  return made;
}

type Attributes = Readonly<Record<string, string>>;

function make(tag: string, attributes: Attributes, ...children: (Element | string)[]): HTMLElement {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}
