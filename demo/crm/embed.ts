/** The lines that put the dialer on a page, to be copied. */
import { byId } from './dom.ts';
import { words } from './words/language.ts';

/** How long "Copied" stays, in milliseconds. */
const COPIED_MS = 2000;

export function offerSnippet(): void {
  offerCopy(byId('copy', HTMLButtonElement), byId('snippet', HTMLElement), () => words().copied);
}

interface CopyWords {
  readonly copy: string;
  readonly done: string;
  readonly selected: string;
}

/** Copies what the element says at the time of the press. */
export function offerCopy(button: HTMLButtonElement, code: HTMLElement, read: () => CopyWords): void {
  const show = (word: string) => {
    button.textContent = word;
    setTimeout(() => (button.textContent = read().copy), COPIED_MS);
  };
  button.addEventListener('click', () => {
    navigator.clipboard.writeText(code.textContent ?? '').then(
      () => show(read().done),
      // Forbidden here: the text is selected instead, and the keyboard can copy it.
      () => {
        getSelection()?.selectAllChildren(code);
        show(read().selected);
      },
    );
  });
}
