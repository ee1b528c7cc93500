/** The lines that put the dialer on a page, to be copied. */
import { byId } from './dom.ts';
import { words } from './words/language.ts';

/** How long "Copied" stays, in milliseconds. */
const COPIED_MS = 2000;

/** Copies what the snippet says at the time of the press. */
export function offerSnippet(): void {
  const button = byId('copy', HTMLButtonElement);
  const code = byId('snippet', HTMLElement);
  const show = (word: string) => {
    button.textContent = word;
    setTimeout(() => (button.textContent = words().copied.copy), COPIED_MS);
  };
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(code.textContent ?? '');
      show(words().copied.done);
    } catch {
      // Forbidden here, or not a secure page: the text is selected instead, and the keyboard can copy it.
      getSelection()?.selectAllChildren(code);
      show(words().copied.selected);
    }
  });
}
