/** The one error class of the package, and the closed list of reasons that it can carry. */

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

export interface DialerErrorOptions extends ErrorOptions {
  /** How long the broker asks the dialer to wait before the next request, in milliseconds. */
  readonly retryAfter?: number | undefined;
  /** ID of the request in the broker's log. */
  readonly requestId?: string | undefined;
  /** The directive of the page's content security policy that blocked the request, e.g. `connect-src`. */
  readonly directive?: string | undefined;
}

/**
 * Every error of the dialer. `code` is for programs and translations, `message` and `cause` for developers; none of them ever
 * contains a token, a key or a password.
 */
export class DialerError extends Error {
  readonly code: DialerErrorCode;
  readonly retryAfter: number | undefined;
  readonly requestId: string | undefined;
  readonly directive: string | undefined;

  constructor(code: DialerErrorCode, message: string, options: DialerErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.retryAfter = options.retryAfter;
    this.requestId = options.requestId;
    this.directive = options.directive;
  }

  override get name(): string {
    return 'DialerError';
  }
}

/** Makes sure that what leaves a `catch` is a DialerError of a known code; any other failure gets the given code. */
export function toDialerError(error: unknown, code: DialerErrorCode, message: string): DialerError {
  // A page's function may throw one with a code of its own.
  const isKnown = error instanceof DialerError && DIALER_ERROR_CODES.includes(error.code);
  return isKnown ? error : new DialerError(code, message, { cause: error });
}

/** @returns `undefined`: it throws */
export function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
