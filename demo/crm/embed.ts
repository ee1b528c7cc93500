/** The six lines that put the dialer on a page, to be copied. */
import { byId } from './dom.ts';

const SNIPPET = `<script src="/assets/partner-dialer.js" defer></script>

<partner-dialer
  broker-url="/dialer/session"
  disconnect-sound-url="/sounds/hang-up.wav">
</partner-dialer>`;

/** How long "Copied" stays, in milliseconds. */
const COPIED_MS = 2000;

export function offerSnippet(): void {
  const code = byId('snippet', HTMLElement);
  code.textContent = SNIPPET;
  const button = byId('copy', HTMLButtonElement);
  const show = (word: string) => {
    button.textContent = word;
    setTimeout(() => (button.textContent = 'Copy'), COPIED_MS);
  };
  button.addEventListener('click', () => {
    navigator.clipboard.writeText(SNIPPET).then(
      () => show('Copied'),
      // Forbidden here: the text is selected instead, and the keyboard can copy it.
      () => {
        getSelection()?.selectAllChildren(code);
        show('Selected');
      },
    );
  });
}
