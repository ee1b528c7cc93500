/** What the SDK says, and the orders of events that come again and again. */

export const CANCELLED = 'Cuộc gọi đã bị hủy';
export const NOT_REGISTERED = 'Client chưa đăng ký';
export const BUSY = 'Đang trong cuộc gọi khác';

export const ended = (name: string): string => `Cuộc gọi với ${name} đã kết thúc`;

export const DIALING = ['onCallStateChange dialing', 'onCallProgress outgoing without session'];

export const ACCEPTED = ['onCallStateChange in-call', 'onCallAccepted outgoing with session'];

export const RINGING = [
  'onCallStateChange ringing',
  'onCallIncoming incoming with session',
  'onCallStateChange dialing',
  'onCallProgress incoming with session',
];

/** The end of a call that had a session, as the last event would have it. */
export const over = (direction: 'outgoing' | 'incoming'): string[] => [
  'onCallStateChange idle',
  `onCallEnded ${direction} with session`,
];

/** An outgoing call that comes to nothing: it ends, then it failed, then it is said. */
export function failed(text: string, said: 'onError' | 'onInfo', session = false): string[] {
  return [
    'onCallStateChange idle',
    `onCallEnded outgoing ${session ? 'with' : 'without'} session`,
    `onCallFailed ${text}`,
    `${said} ${text}`,
  ];
}
