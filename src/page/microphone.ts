/** What stands between the agent and the microphone, told before a call fails for it. */
import { DialerError } from '../errors.ts';

/**
 * Asks the browser without prompting the agent.
 *
 * @throws {DialerError} `insecure-context`, `microphone-denied`, `microphone-missing`
 */
export async function checkMicrophone(): Promise<void> {
  // Browsers hide the devices of a page that came over plain HTTP.
  if (!navigator.mediaDevices?.getUserMedia) {
    throw new DialerError(
      'insecure-context',
      'This page may not use a microphone: it was not loaded over HTTPS.',
    );
  }
  if ((await permission()) === 'denied') {
    throw new DialerError('microphone-denied', 'The browser blocks the microphone.');
  }
  const devices = await navigator.mediaDevices.enumerateDevices().catch(() => undefined);
  if (devices && !devices.some(({ kind }) => kind === 'audioinput')) {
    throw new DialerError('microphone-missing', 'No microphone was found.');
  }
}

async function permission(): Promise<PermissionState | undefined> {
  try {
    return (await navigator.permissions.query({ name: 'microphone' as PermissionName })).state;
  } catch {
    // Not every browser can be asked; then the SDK's own attempt tells.
    return undefined;
  }
}
