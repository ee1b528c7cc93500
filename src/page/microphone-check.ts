/** The look at the microphone before a call. */
import { DialerError, type DialerErrorCode } from '../errors.ts';
import { microphonePermission, microphoneTrouble } from './microphone.ts';

const MESSAGES = {
  'insecure-context': 'This page may not use a microphone: it was not loaded over HTTPS.',
  'unsupported-browser': 'This browser has no WebRTC.',
  'microphone-denied': 'The browser blocks the microphone.',
  'microphone-missing': 'No microphone was found.',
} as const satisfies Partial<Record<DialerErrorCode, string>>;

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
