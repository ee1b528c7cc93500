/** Whether the page is visible, and whether anybody has opened it. */
import { pause } from '../wait.ts';

/** A covered window, or a frame that is scrolled out of view, may never paint. */
const PAINT_TIMEOUT_MS = 100;

/** Calls back when somebody returns to the page; perhaps they changed a permission in the browser's settings. */
export function watchReturn(signal: AbortSignal, back: () => void): void {
  addEventListener('focus', back, { signal });
  const listener = () => document.visibilityState === 'visible' && back();
  document.addEventListener('visibilitychange', listener, { signal });
}

/** Resolves once the changes made so far are painted; immediately while the page is hidden. */
export async function painted(): Promise<void> {
  if (document.visibilityState === 'hidden') return;
  const over = new AbortController();
  // The browser paints between the animation callbacks and the next task.
  const frame = requestAnimationFrame(() => setTimeout(() => over.abort()));
  await pause(PAINT_TIMEOUT_MS, over.signal);
  cancelAnimationFrame(frame);
}

/**
 * Has the browser loaded this page before anybody opened it (speculation rules)? `prerenderingchange` tells the document when
 * somebody does. Firefox and Safari do not know the property.
 */
export function isPrerendering(): boolean {
  return Reflect.get(document, 'prerendering') === true;
}
