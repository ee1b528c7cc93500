/** The closed list of reasons that an error of the dialer can carry. */

export const DIALER_ERROR_CODES = [
  'configuration',
  'broker-unauthorized',
  'broker-unreachable',
  'broker-invalid-answer',
  'vendor-unreachable',
  'sdk-load-failed',
  'sdk-auth-failed',
  'registration-failed',
  'insufficient-funds',
  'no-hotline',
  'microphone-denied',
  'microphone-missing',
  'insecure-context',
  'unsupported-browser',
  'not-ready',
  'busy',
  'invalid-number',
  'call-rejected',
  'network-lost',
  'active-elsewhere',
] as const;

export type DialerErrorCode = (typeof DIALER_ERROR_CODES)[number];

export function isDialerErrorCode(value: unknown): value is DialerErrorCode {
  return DIALER_ERROR_CODES.some((code) => code === value);
}
