/** Finds out, without opening the microphone, why it cannot be used, before a call fails. */
import { DialerError } from '../errors.ts';
import { within } from '../wait.ts';

/** Some browsers list the devices only once the page has the focus. */
const DEVICES_TIMEOUT_MS = 3000;

const MESSAGES = {
  'insecure-context': 'Without HTTPS, this page cannot use the microphone.',
  'unsupported-browser': 'This browser has no WebRTC.',
  'microphone-denied': 'The browser blocks the microphone.',
  'microphone-missing': 'No microphone was found.',
  /** The permissions policy of the page, or of the frame it is in. */
  'microphone-forbidden': "The page's permissions policy forbids the microphone.",
};
export type MicrophoneTrouble = keyof typeof MESSAGES;

/** Why the agent could not be heard in a call; `undefined` also if the browser does not say. */
export async function microphoneTrouble(): Promise<MicrophoneTrouble | undefined> {
  const trouble = pageTrouble();
  if (trouble) return trouble;
  if ((await microphonePermission()) === 'denied') return 'microphone-denied';
  const devices = await listMediaDevices();
  const isMissing = devices !== undefined && !devices.some(({ kind }) => kind === 'audioinput');
  return isMissing ? 'microphone-missing' : undefined;
}

/** As `microphoneTrouble`, but asks for neither the permission nor the devices. */
export function pageTrouble(): MicrophoneTrouble | undefined {
  if (!globalThis.isSecureContext) return 'insecure-context';
  if (!navigator.mediaDevices?.getUserMedia || !('RTCPeerConnection' in globalThis))
    return 'unsupported-browser';
  // Only Chromium says so; in other browsers a policy looks like a denied permission.
  const { featurePolicy } = document as { featurePolicy?: { allowsFeature(name: string): boolean } };
  return featurePolicy?.allowsFeature('microphone') === false ? 'microphone-forbidden' : undefined;
}

/**
 * Asks the browser without prompting the agent.
 *
 * @returns `granted`, or `prompt` when the agent will be asked
 * @throws {DialerError} `insecure-context`, `unsupported-browser`, `microphone-denied`, `microphone-missing`
 */
export async function checkMicrophone(): Promise<PermissionState> {
  const trouble = await microphoneTrouble();
  if (!trouble) return microphonePermission();
  const code = trouble === 'microphone-forbidden' ? 'microphone-denied' : trouble;
  throw new DialerError(code, MESSAGES[trouble]);
}

/** `granted` also if the browser does not say: the permission is then known when the SDK opens the microphone. */
export async function microphonePermission(): Promise<PermissionState> {
  return (await queryPermission())?.state ?? 'granted';
}

/** Calls back when the permission has changed, or a device was plugged in or out. */
export async function watchMicrophone(signal: AbortSignal, changed: () => void): Promise<void> {
  navigator.mediaDevices?.addEventListener?.('devicechange', changed, { signal });
  const permission = await queryPermission();
  // Older browsers answer with less than the standard says.
  if (!signal.aborted) permission?.addEventListener?.('change', changed, { signal });
}

/** `undefined`: the browser does not say. */
async function queryPermission(): Promise<PermissionStatus | undefined> {
  try {
    return await navigator.permissions.query({ name: 'microphone' as PermissionName });
  } catch {
    return undefined;
  }
}

/** `undefined`: the browser does not say. */
export async function listMediaDevices(): Promise<readonly MediaDeviceInfo[] | undefined> {
  try {
    return await within(navigator.mediaDevices.enumerateDevices(), DEVICES_TIMEOUT_MS);
  } catch {
    return undefined;
  }
}

/** Closes the microphone. */
export function stopTracks(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}
