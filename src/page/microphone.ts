/** What stands between the agent and the microphone, told before a call fails for it. */
import { DialerError } from '../errors.ts';

/**
 * Asks the browser without prompting the agent.
 *
 * @returns `granted`, or `prompt` when the agent will be asked
 * @throws {DialerError} `insecure-context`, `microphone-denied`, `microphone-missing`
 */
export async function checkMicrophone(): Promise<PermissionState> {
  // Browsers hide the devices of a page that came over plain HTTP.
  if (!navigator.mediaDevices?.getUserMedia) {
    throw new DialerError(
      'insecure-context',
      'This page may not use a microphone: it was not loaded over HTTPS.',
    );
  }
  const state = await microphonePermission();
  if (state === 'denied') {
    throw new DialerError('microphone-denied', 'The browser blocks the microphone.');
  }
  const devices = await navigator.mediaDevices.enumerateDevices().catch(() => undefined);
  if (devices && !devices.some(({ kind }) => kind === 'audioinput')) {
    throw new DialerError('microphone-missing', 'No microphone was found.');
  }
  return state;
}

/** `granted` also where the browser does not tell: then the SDK's own attempt will. */
export async function microphonePermission(): Promise<PermissionState> {
  try {
    return (await navigator.permissions.query({ name: 'microphone' as PermissionName })).state;
  } catch {
    return 'granted';
  }
}
