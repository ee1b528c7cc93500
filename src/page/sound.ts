/** Whether the browser can play a sound, and may play one by now. Nothing is heard of it. */
import { within } from '../wait.ts';
import { violationsReported, watchRequest } from './content-security-policy.ts';

/** A file that is neither there nor refused after this is left to the SDK. */
const TIMEOUT_MS = 20_000;

/**
 * Only the browser knows whether it can fetch and play an address.
 *
 * @returns why it cannot; `undefined`: it can, or has not told in time
 */
export async function soundTrouble(address: string, signal: AbortSignal): Promise<string | undefined> {
  const policy = watchRequest(address);
  try {
    if (await isPlayable(address, signal)) return undefined;
    await violationsReported();
    const directive = policy.directive();
    return directive === undefined
      ? 'cannot be loaded or played'
      : `is blocked by the page's content security policy (${directive})`;
  } finally {
    policy.end();
  }
}

function isPlayable(address: string, signal: AbortSignal): Promise<boolean> {
  const audio = new Audio();
  const over = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  return new Promise((settle) => {
    const end = (playable: boolean) => {
      audio.removeAttribute('src');
      settle(playable);
    };
    audio.addEventListener('loadedmetadata', () => end(true), { signal: over });
    audio.addEventListener('error', () => audio.hasAttribute('src') && end(false), { signal: over });
    over.addEventListener('abort', () => end(true), { once: true });
    audio.preload = 'metadata';
    audio.src = address;
  });
}

/** A browser that allows it has nothing to say to a player without a sound, so silence is a yes. */
const SILENCE_MS = 250;

/** Nothing is loaded, played or shown for it. */
export async function maySound(): Promise<boolean> {
  if (navigator.userActivation?.hasBeenActive) return true;
  const player = new Audio();
  const isRefused = player.play().then(
    () => false,
    (error: unknown) => error instanceof DOMException && error.name === 'NotAllowedError',
  );
  return !(await within(isRefused, SILENCE_MS));
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
