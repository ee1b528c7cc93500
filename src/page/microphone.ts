/** What keeps the agent from the microphone, found out before a call fails for it. Nothing here opens the microphone. */
import { DialerError, type DialerErrorCode } from '../errors.ts';
import { within } from '../wait.ts';

/** Some browsers list the devices only once the page has the focus: until then they do not tell. */
const DEVICES_TIMEOUT_MS = 3000;

/** `microphone-forbidden`: by the permissions policy of the page, or of the frame it is in. */
export type MicrophoneTrouble =
  | Extract<
      DialerErrorCode,
      'insecure-context' | 'unsupported-browser' | 'microphone-denied' | 'microphone-missing'
    >
  | 'microphone-forbidden';

const MESSAGES = {
  'insecure-context': 'This page may not use a microphone: it was not loaded over HTTPS.',
  'unsupported-browser': 'This browser has no WebRTC.',
  'microphone-denied': 'The browser blocks the microphone.',
  'microphone-missing': 'No microphone was found.',
} as const satisfies Partial<Record<DialerErrorCode, string>>;

/** Why nobody could be heard in a call; `undefined` also where the browser does not tell. */
export async function microphoneTrouble(): Promise<MicrophoneTrouble | undefined> {
  if (!globalThis.isSecureContext) return 'insecure-context';
  if (!navigator.mediaDevices?.getUserMedia || !('RTCPeerConnection' in globalThis))
    return 'unsupported-browser';
  if (isForbiddenByPolicy()) return 'microphone-forbidden';
  if ((await microphonePermission()) === 'denied') return 'microphone-denied';
  const devices = await listDevices();
  const isMissing = devices !== undefined && !devices.some(({ kind }) => kind === 'audioinput');
  return isMissing ? 'microphone-missing' : undefined;
}

/**
 * Asks the browser without prompting the agent.
 *
 * @returns `granted`, or `prompt` when the agent will be asked
 * @throws {DialerError} `insecure-context`, `unsupported-browser`, `microphone-denied`, `microphone-missing`
 */
export async function checkMicrophone(): Promise<PermissionState> {
  const trouble = await microphoneTrouble();
  if (trouble === 'microphone-forbidden')
    throw new DialerError('microphone-denied', "The page's permissions policy forbids the microphone.");
  if (trouble) throw new DialerError(trouble, MESSAGES[trouble]);
  return microphonePermission();
}

/** `granted` also where the browser does not tell: then the SDK's own attempt will. */
export async function microphonePermission(): Promise<PermissionState> {
  return (await queryPermission())?.state ?? 'granted';
}

/** Tells when a permission was given or taken back, or a device plugged in or out, where the browser tells. */
export async function watchMicrophone(signal: AbortSignal, changed: () => void): Promise<void> {
  navigator.mediaDevices?.addEventListener?.('devicechange', changed, { signal });
  const permission = await queryPermission();
  // Older browsers answer with less than the standard says.
  if (!signal.aborted) permission?.addEventListener?.('change', changed, { signal });
}

/** `undefined`: the browser does not tell. */
async function queryPermission(): Promise<PermissionStatus | undefined> {
  try {
    return await navigator.permissions.query({ name: 'microphone' as PermissionName });
  } catch {
    return undefined;
  }
}

async function listDevices(): Promise<readonly MediaDeviceInfo[] | undefined> {
  try {
    return await within(navigator.mediaDevices.enumerateDevices(), DEVICES_TIMEOUT_MS);
  } catch {
    return undefined;
  }
}

/** Chromium alone tells; elsewhere a policy looks like a permission denied. */
function isForbiddenByPolicy(): boolean {
  const { featurePolicy } = document as { featurePolicy?: { allowsFeature(name: string): boolean } };
  return featurePolicy?.allowsFeature('microphone') === false;
}
