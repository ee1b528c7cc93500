/** What every `<vbot-widget>` of a page shows (they share one state, because they share one client), and the SDK's own texts. */
import { signal, type Signal } from '@preact/signals-core';
import type { EndEvent, RTCSession } from 'jssip/lib/RTCSession';

/** As it comes from the API; in the page it is a `number`. */
export interface WireHotline {
  readonly name?: string | undefined;
  readonly phoneNumber?: string | undefined;
}

type TransportState = 'idle' | 'connecting' | 'connected' | 'disconnected';

export type CallState = 'idle' | 'ringing' | 'dialing' | 'in-call';

export type User =
  | { readonly status: 'none' | 'registered' }
  | { readonly status: 'failed'; readonly error: string };

export interface CallData {
  readonly id: string;
  readonly phoneNumber: string;
  readonly displayName?: string | undefined;
  readonly direction: 'incoming' | 'outgoing';
  readonly startTime: Date;
  readonly externalCallId: string | undefined;
  /** The live session; an outgoing call has none before the other party rings. */
  readonly session?: RTCSession;
}

type NoticeKind = 'error' | 'warning' | 'info';

export interface Notice {
  readonly message: string;
}

/** A page gets nothing but these: no event carries a SIP status. */
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

interface FailureText {
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

/** The same error is not shown again within this time. */
const REPEAT_MS = 3000;

export class VbotState {
  readonly transport = signal<TransportState>('idle');
  readonly user = signal<User>({ status: 'none' });
  readonly call = signal<CallState>('idle');
  readonly callData = signal<CallData | null>(null);
  /** Seconds since the call was answered. */
  readonly duration = signal<number | undefined>(undefined);
  readonly failure = signal<{ readonly error: string } | undefined>(undefined);
  readonly hotlines = signal<readonly WireHotline[]>([]);
  readonly notices: Readonly<Record<NoticeKind, Signal<Notice | undefined>>> = {
    error: signal<Notice | undefined>(undefined),
    warning: signal<Notice | undefined>(undefined),
    info: signal<Notice | undefined>(undefined),
  };
  #shownError: { readonly text: string; readonly at: number } | undefined;

  /** Reports a text. The error reported last is not repeated within 3 s; infos and warnings are reported every time. */
  notify(kind: NoticeKind, text: string): void {
    if (kind === 'error') {
      const now = performance.now();
      const shown = this.#shownError;
      if (shown?.text === text && now - shown.at < REPEAT_MS) return;
      this.#shownError = { text, at: now };
    }
    this.notices[kind].value = { message: text };
  }

  failBoot(text: string, error: string): void {
    this.notify('error', text);
    this.user.value = { status: 'failed', error };
  }

  /** Resets everything but the hotlines, which stay until others are loaded. */
  reset(): void {
    this.duration.value = undefined;
    this.call.value = 'idle';
    this.callData.value = null;
    this.failure.value = undefined;
    this.transport.value = 'disconnected';
    this.user.value = { status: 'none' };
    for (const notice of Object.values(this.notices)) notice.value = undefined;
    this.#shownError = undefined;
  }
}
