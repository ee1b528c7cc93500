/** May this page make a sound before anybody has touched it? */

/** A browser that allows it has nothing to say to a player without a sound, so silence is a yes. */
const TIMEOUT_MS = 250;

/** Nothing is loaded, played or shown for it. */
export async function maySound(): Promise<boolean> {
  if (navigator.userActivation?.hasBeenActive) return true;
  const player = new Audio();
  const isRefused = player.play().then(
    () => false,
    (error: unknown) => error instanceof DOMException && error.name === 'NotAllowedError',
  );
  const silence = new Promise<boolean>((resolve) => {
    setTimeout(() => resolve(false), TIMEOUT_MS);
  });
  return !(await Promise.race([isRefused, silence]));
}

/** Tells once somebody has touched the page, from when on it may; after what the touch itself does. */
export function onFirstTouch(touched: () => void, signal: AbortSignal): void {
  const over = new AbortController();
  const listening = { capture: true, signal: AbortSignal.any([signal, over.signal]) };
  const listener = () => {
    if (navigator.userActivation?.hasBeenActive === false) return;
    over.abort();
    setTimeout(() => signal.aborted || touched());
  };
  // No `pointerup`: the click that follows it would find another page.
  for (const name of ['keydown', 'click']) addEventListener(name, listener, listening);
}
