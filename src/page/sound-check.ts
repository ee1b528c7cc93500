/** Whether the browser can play a sound, found out without playing it. */

/** A file that is neither there nor refused after this is left to the SDK. */
const TIMEOUT_MS = 20_000;

/** Only the browser knows whether it can fetch and play an address. What it has not told in time counts as playable. */
export async function isPlayable(address: string, signal: AbortSignal): Promise<boolean> {
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
