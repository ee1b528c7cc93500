/** What the agent of random-steps.test.ts types. */
import type { Page } from '@playwright/test';

/** Each entry at once. */
export const KEYS: readonly (readonly string[])[] = [
  ['Enter'],
  ['Enter'],
  [' '],
  ['Escape'],
  ['m'],
  ['h'],
  ['1'],
  [...'0912345678'],
  ['ArrowUp', 'Enter'],
  ['Tab'],
  ['Tab', 'Enter'],
  ['Shift+Tab', ' '],
  ['Control+Shift+H'],
  ['Control+Shift+A'],
  ['Control+Shift+M'],
];

/** None of them ends a call. */
export const CARD_KEYS: typeof KEYS = [['Enter'], ['Enter', 'Enter'], [' '], ['1'], ['m'], ['h'], ['Escape']];

/** @param repeats of a key that is held down */
export async function typeKeys(page: Page, keys: readonly string[], repeats: number): Promise<void> {
  const { keyboard } = page;
  for (const key of keys) {
    const names = key.split('+');
    // A link of the page would lead to another page.
    const isPress = names.length === 1 && key !== 'Tab';
    if (isPress && !(await page.evaluate(() => document.activeElement === window.randomSteps.dialer)))
      continue;
    for (const name of names) await keyboard.down(name);
    for (let time = 0; time < repeats; time += 1) await keyboard.down(names.at(-1) as string);
    for (const name of names.toReversed()) await keyboard.up(name);
  }
}

/** The field of the number, if it can be seen. */
export async function focusField(page: Page): Promise<void> {
  await page.evaluate(() => window.randomSteps.dialer.shadowRoot?.querySelector('input')?.focus());
}

export async function focusCard(page: Page): Promise<void> {
  await page.evaluate(() =>
    window.randomSteps.dialer.shadowRoot?.querySelector<HTMLElement>('.card')?.focus(),
  );
}

/** From here on, what the keys ask for is noted as it is seen at that moment. A focused button is clicked by its key. */
export async function watchKeys(page: Page): Promise<void> {
  await page.evaluate(() => {
    const { dialer, wish } = window.randomSteps;
    dialer.setAttribute('hotkeys', '');
    const onKey = ({ key, ctrlKey, shiftKey, repeat }: KeyboardEvent) => {
      const focused = dialer.shadowRoot?.activeElement;
      if (repeat) return;
      if (ctrlKey && shiftKey && key === 'A') wish('answer');
      if (ctrlKey && shiftKey && key === 'H') wish('hang up');
      if (key !== 'Enter' || !focused || /^(?:button|input)$/i.test(focused.tagName)) return;
      const field = dialer.shadowRoot?.querySelector('input');
      if (field) wish('dial', field.value.replaceAll(/\D/g, ''));
      else wish('answer');
    };
    // Before the dialer hears of them.
    addEventListener('keydown', onKey, { capture: true });
  });
}
