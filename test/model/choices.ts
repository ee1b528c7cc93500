/** What a step may be about. */

/** Of the page's own, by the property `words`. */
export const WORDS = {
  none: undefined,
  null: null,
  some: { dialer: 'Máy gọi', status: { ready: 'Gọi được' } },
  function: { dialer: 'Phone', balanceOf: (money: string) => `Left: ${money}` },
} as const;
export const PLACES = ['remove', 'return', 'clone', 'replace-by-clone'] as const;
export const PARTS = ['any', 'call-button', 'hangup-button', 'guide-action', 'key'] as const;
/** Events of a call that is over, and details that make no sense. */
export const STALE = [
  'onCallEnded',
  'onCallAccepted',
  'onCallProgress',
  'onCallIncoming',
  'nonsense',
] as const;

export const NUMBERS = ['0912345678', '02899990001', '19001009', '+84912345678'] as const;
export const WRONG_NUMBERS = ['', 'abc', '12', '0912345678 or 0912345679', '<b>1</b>'] as const;
export const ATTRIBUTES: Readonly<Record<string, readonly (string | null)[]>> = {
  'broker-url': ['/broker/session', '/broker/second/session', 'http://[', '', null],
  'broker-credentials': ['include', 'omit', 'nonsense', null],
  'sdk-url': ['/sdk.js', '/other.js', 'no address:', null],
  'sdk-base-url': ['https://sandbox.example/v3.0', 'javascript:1', null],
  'disconnect-sound-url': ['/good.mp3', '/bad.mp3', 'javascript:1', null],
  'ringtone-url': ['/ring.mp3', null],
  'hold-music-url': ['/hold.mp3', null],
  hotline: ['842899990003', '02899990005', '84999', null],
  'external-call-id': ['crm42', 'crm43', 'Not An Id', null],
  'connect-mode': ['auto', 'interaction', 'manual', null],
  floating: ['', 'top-left', null],
  open: ['', null],
  'vendor-ui': ['', null],
  'click-to-call': ['', null],
  lang: ['vi', 'en', 'fr', null],
  theme: ['dark', 'nonsense', null],
  'low-balance': ['0', '20000', 'nonsense', null],
};
/** What the page gives as `session`: the broker's answer to a sign-in of its own, in whatever form, or something else. */
export const GIVEN = ['answer', 'response', 'promise', 'late', 'failed', 'never', 'wrong', 'none'] as const;
