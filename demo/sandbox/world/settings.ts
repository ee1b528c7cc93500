/** Where the interface leaves the answer open, the sandbox can give either. */
export interface Settings {
  /** The field of the member answer that lists the assigned hotlines, if any does. */
  readonly hotlineList: 'absent' | 'hotlines' | 'hotline_numbers';
  /** HTTP status of a business failure: always 200, or the envelope code mirrored. */
  readonly failureStatus: 'ok' | 'mirrored';
  /** Assigning a hotline that the member has already: success, or 409. */
  readonly repeatAssignment: 'success' | 'conflict';
  /** The phrase beside SIP 402; may be in another language, or empty. */
  readonly paymentPhrase: string;
  /** Whether a call for which there is no money rings first. */
  readonly paymentRefusal: 'at-once' | 'after-ringing';
  /** The longest registration that is granted, in seconds; 0: as long as the dialer asks. */
  readonly registerExpires: number;
  /** How long a number that answers rings before it does, in milliseconds; 0: as long as is told of it. */
  readonly answerAfter: number;
  /** The number of the first page of customers, fields and histories. */
  readonly firstCustomerPage: 0 | 1;
  /** Whether a search for `nguyen` finds `Nguyễn`. */
  readonly searchDiacritics: 'ignored' | 'significant';
}

export const DEFAULT_SETTINGS: Settings = {
  hotlineList: 'absent',
  failureStatus: 'ok',
  repeatAssignment: 'success',
  paymentPhrase: 'Payment Required',
  paymentRefusal: 'at-once',
  registerExpires: 0,
  answerAfter: 0,
  firstCustomerPage: 0,
  searchDiacritics: 'ignored',
};
