/** The SDK's own messages. A page gets nothing else: no event carries a SIP status. */
import type { EndEvent } from 'jssip/lib/RTCSession';

export const TEXTS = {
  bootFailed: 'Khởi tạo SDK thất bại',
  registrationFailed: 'Đăng ký Client thất bại',
  connectionFailed: 'Kết nối thất bại',
  notBooted: 'Client chưa được khởi tạo',
  notRegistered: 'Client chưa đăng ký',
  busy: 'Đang trong cuộc gọi khác',
  answerFailed: 'Không thể trả lời cuộc gọi',
  microphoneBlocked: 'Trình duyệt đang chặn quyền microphone. Vui lòng cho phép quyền để tiếp tục.',
  microphoneMissing: 'Không tìm thấy thiết bị microphone. Hãy kết nối micro và thử lại.',
  microphoneMissingShort: 'Không tìm thấy thiết bị microphone',
  microphoneFailed: 'Không thể truy cập microphone',
  microphoneNeeded: 'Vui lòng cấp quyền truy cập microphone để thực hiện cuộc gọi',
} as const;

const CANCELLED = 'Cuộc gọi đã bị hủy';
const ENDED = 'Cuộc gọi đã kết thúc';

/** These replies have a fixed text, whatever reason phrase came with them. */
const FIXED: Readonly<Record<number, string>> = {
  480: 'Người gọi Không thể liên lạc được',
  486: 'Thuê bao đang bận',
  487: ENDED,
};

/** Three causes share one text: a page cannot distinguish its own cancel from a dead server or a lost socket. */
const CANCEL_CAUSES = new Set(['Canceled', 'Request Timeout', 'Connection Error']);

export interface FailureText {
  readonly text: string;
  /** Reported as `onInfo` or as `onError`. */
  readonly kind: 'info' | 'error';
}

export function failureText({ message, cause }: EndEvent): FailureText {
  // JsSIP's typings do not say that there may be no message: a call that ended on this side has none.
  const reply = message as EndEvent['message'] | null;
  const fixed = reply && 'status_code' in reply ? FIXED[reply.status_code] : undefined;
  if (fixed) return { text: fixed, kind: 'info' };
  const phrase = reply && 'reason_phrase' in reply ? reply.reason_phrase : '';
  if (phrase) return { text: phrase, kind: 'error' };
  if (!phrase && CANCEL_CAUSES.has(cause)) return { text: CANCELLED, kind: 'info' };
  return { text: cause, kind: 'error' };
}

export function endedText(name: string | undefined): string {
  return name ? `Cuộc gọi với ${name} đã kết thúc` : ENDED;
}
