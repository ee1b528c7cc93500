/** Whether the browser can play a sound file, and whether it may play sounds yet. Plays nothing audible. */
import { within } from '../wait.ts';
import { violationsReported, watchRequest } from './content-security-policy.ts';

/** A file that has neither loaded nor failed by then counts as playable. */
const TIMEOUT_MS = 20_000;

/** @returns why it cannot; `undefined`: it can, or has not told in time */
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
    over.addEventListener('abort', () => end(true));
    audio.preload = 'metadata';
    audio.src = address;
  });
}

/** A browser that allows sounds leaves the promise pending, because the player has no source. */
const SILENCE_MS = 250;

/** May the page play sounds yet? Browsers allow it after the first click. */
export async function mayPlaySound(): Promise<boolean> {
  if (navigator.userActivation?.hasBeenActive) return true;
  const player = new Audio();
  // jsdom's play() gives no promise.
  const isRefused = Promise.resolve(player.play()).then(
    () => false,
    (error: unknown) => error instanceof DOMException && error.name === 'NotAllowedError',
  );
  return !(await within(isRefused, SILENCE_MS));
}

/** Calls back once after the first click or key on the page, after their own listeners. */
export function onFirstInteraction(interacted: () => void, signal: AbortSignal): void {
  const over = new AbortController();
  const listening = { capture: true, signal: AbortSignal.any([signal, over.signal]) };
  const listener = () => {
    if (navigator.userActivation?.hasBeenActive === false) return;
    over.abort();
    setTimeout(() => signal.aborted || interacted());
  };
  // Not `pointerup`: the view would change before its click.
  for (const name of ['keydown', 'click']) addEventListener(name, listener, listening);
}
