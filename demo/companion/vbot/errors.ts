/** The only error that a request to the vendor throws, and how a response that cannot be read is described. */

export type VendorErrorCode =
  | 'unreachable' // no response in time, or one that says the service is broken
  | 'refused' // the vendor said no; `vendorCode` and `vendorMessage` say why, if it told
  | 'invalid-answer' // a response that means nothing
  | 'rate-limited' // the vendor did not look at the request, as it gets too many
  // The request was never sent:
  | 'not-connected' // no connection could be opened
  | 'not-sent' // the endpoint does not take this input
  | 'circuit-open' // the endpoint has failed again and again a moment ago
  | 'busy'; // too many requests are under way

const NEVER_SENT: readonly VendorErrorCode[] = ['not-connected', 'not-sent', 'circuit-open', 'busy'];

type Facts = 'vendorCode' | 'hasEnvelope' | 'vendorMessage' | 'retryAfterMs' | 'status' | 'isBlank';

/** The message is for logs and operators; it never holds the key or a token. */
export class VendorError extends Error {
  override readonly name = 'VendorError';
  readonly code: VendorErrorCode;
  /** Its meaning differs from endpoint to endpoint. */
  readonly vendorCode: number | undefined;
  /** The body names this code in the field `error`. False: the code comes from HTTP or from another field, perhaps of a gateway. */
  readonly hasEnvelope: boolean;
  /** The vendor's own words, short, without keys, tokens and telephone numbers. */
  readonly vendorMessage: string | undefined;
  readonly retryAfterMs: number | undefined;
  /** Of HTTP; undefined: there was no response. */
  readonly status: number | undefined;
  /** The status is a success, and the body is empty, `{}`, `true` or a bare success code such as `"OK"`. */
  readonly isBlank: boolean;

  constructor(
    code: VendorErrorCode,
    message: string,
    options: ErrorOptions & Partial<Pick<VendorError, Facts>> = {},
  ) {
    super(message, options);
    this.code = code;
    this.vendorCode = options.vendorCode;
    this.hasEnvelope = options.hasEnvelope ?? false;
    this.vendorMessage = options.vendorMessage;
    this.retryAfterMs = options.retryAfterMs;
    this.status = options.status;
    this.isBlank = options.isBlank ?? false;
  }

  /** False: the vendor certainly never saw the request. */
  get sent(): boolean {
    return !NEVER_SENT.includes(this.code);
  }
}

/** Why a response, or a part of it, is not what it has to be. */
export interface Mismatch {
  /** As in the response, e.g. `data.items[0].hotlineCode`. */
  readonly path: string;
  readonly expected: string;
  /** Its type; its value only where no secret can stand. */
  readonly found: string;
}

export function describeMismatch({ path, expected, found }: Mismatch): string {
  return `\`${path}\`: expected ${expected}, found ${found}`;
}
