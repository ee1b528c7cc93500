/** What every `<vbot-widget>` of a page shows: they share one state, because they share one client. */
import type { RTCSession } from 'jssip/lib/RTCSession';
import type { WireHotline } from './account.ts';
import { Signal } from './signal.ts';

export type TransportState = 'idle' | 'connecting' | 'connected' | 'disconnected';

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

export type NoticeKind = 'error' | 'warning' | 'info';

export interface Notice {
  readonly message: string;
}

/** The same error is not shown again within this time. */
const REPEAT_MS = 3000;

export class VbotState {
  readonly transport = new Signal<TransportState>('idle');
  readonly user = new Signal<User>({ status: 'none' });
  readonly call = new Signal<CallState>('idle');
  readonly callData = new Signal<CallData | null>(null);
  /** Seconds since the call was answered. */
  readonly duration = new Signal<number | undefined>(undefined);
  readonly failure = new Signal<{ readonly error: string } | undefined>(undefined);
  readonly hotlines = new Signal<readonly WireHotline[]>([]);
  readonly notices: Readonly<Record<NoticeKind, Signal<Notice | undefined>>> = {
    error: new Signal<Notice | undefined>(undefined),
    warning: new Signal<Notice | undefined>(undefined),
    info: new Signal<Notice | undefined>(undefined),
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
