/**
 * Hold and resume, through the session. JsSIP reports a hold before the exchange has agreed, and ends a call whose hold was
 * refused, or in which the socket was lost before the reply to a request. Here a hold counts once the exchange has agreed,
 * and the call goes on in both cases.
 */
import { later, nextTask } from '../../wait.ts';
import type { SdkEvent } from '../calling-sdk.ts';
import { onSession, type JsSipSession } from './messages.ts';

/** JsSIP itself ends a call in which the exchange does not answer for 32 s. */
const HOLD_TIMEOUT_MS = 35_000;
/** Another offer may be under way, which has to be answered first. */
const RESTORE_RETRY_MS = 500;

interface HoldOptions {
  readonly emit: (event: SdkEvent) => void;
  /** Aborts when the call is over. */
  readonly over: AbortSignal;
  readonly isAnswered: () => boolean;
  /** Is there a socket to the exchange? */
  readonly isReachable: () => boolean;
}

/** `on` is what exchange and agent agreed on last. */
type HoldState =
  | { readonly is: 'agreed'; readonly on: boolean }
  /** The exchange was asked for `asked`. The agent now wants `wanted`, which may be the opposite. */
  | { readonly is: 'asking'; readonly on: boolean; readonly asked: boolean; readonly wanted: boolean }
  /** The request was refused, but the session believes that it worked. Only the opposite request corrects it. */
  | { readonly is: 'restoring'; readonly on: boolean };

export class Hold {
  readonly #session: JsSipSession;
  readonly #options: HoldOptions;
  #state: HoldState = { is: 'agreed', on: false };

  constructor(session: JsSipSession, options: HoldOptions) {
    this.#session = session;
    this.#options = options;
    this.#keepCallAlive();
    onSession(session, 'hold', options.over, (data) => this.#onSession(data, true));
    onSession(session, 'unhold', options.over, (data) => this.#onSession(data, false));
  }

  get isOn(): boolean {
    return this.#state.on;
  }

  /**
   * Each call gets one `held` or `hold-refused` with its own `on`. The latest call counts: it refuses an earlier one that the
   * exchange has not agreed to yet.
   */
  set(on: boolean): void {
    const state = this.#state;
    switch (state.is) {
      case 'agreed':
        return this.#ask(on);
      case 'restoring':
        return this.#emit('hold-refused', on);
      case 'asking':
        if (state.wanted === on) return;
        this.#state = { ...state, wanted: on };
        return this.#emit('hold-refused', !on);
    }
  }

  #emit(type: 'held' | 'hold-refused', on: boolean): void {
    this.#options.emit({ type, on });
  }

  #ask(on: boolean): void {
    const agreed = this.#state.on;
    if (on === agreed) return this.#emit('held', on);
    this.#state = { is: 'asking', on: agreed, asked: on, wanted: on };
    this.#request();
  }

  #request(): void {
    const state = this.#state;
    if (state.is !== 'asking' || this.#options.over.aborted) return;
    const { asked } = state;
    if (!this.#send(asked, () => this.#agree(asked))) return this.#refuse('agreed');
    later(HOLD_TIMEOUT_MS, this.#options.over, () => this.#isAsked(asked) && this.#refuse('restoring'));
  }

  #isAsked(on: boolean): boolean {
    return this.#state.is === 'asking' && this.#state.asked === on;
  }

  /** @returns false: the session cannot do it now */
  #send(on: boolean, onAgreed: () => void): boolean {
    try {
      return on ? this.#session.hold({}, onAgreed) : this.#session.unhold({}, onAgreed);
    } catch {
      return false;
    }
  }

  #agree(on: boolean): void {
    const state = this.#state;
    if (state.is !== 'asking' || state.asked !== on || this.#options.over.aborted) return;
    const { wanted } = state;
    const isWanted = wanted === on;
    this.#state = isWanted ? { is: 'agreed', on } : { is: 'asking', on, asked: wanted, wanted };
    this.#emit('held', on);
    // In a later task: the session is still at work on this request.
    if (!isWanted) nextTask(() => this.#request());
  }

  /** The call keeps the last agreed state. @param next `restoring`: the session believes otherwise */
  #refuse(next: 'agreed' | 'restoring'): void {
    const state = this.#state;
    const { on } = state;
    const wanted = state.is === 'asking' ? state.wanted : !on;
    this.#state = { is: next, on };
    this.#emit(wanted === on ? 'held' : 'hold-refused', wanted);
    if (next === 'restoring') nextTask(() => this.#restore());
  }

  #restore(): void {
    const { is, on } = this.#state;
    const { over, isReachable } = this.#options;
    if (is !== 'restoring' || over.aborted) return;
    const isSent = isReachable() && this.#send(on, () => this.#endRestoring());
    if (isSent) return;
    // The session may be restored although the socket was lost again before the reply.
    if (this.#session.isOnHold?.().local === on) this.#endRestoring();
    else later(RESTORE_RETRY_MS, over, () => this.#restore());
  }

  #endRestoring(): void {
    if (this.#state.is === 'restoring') this.#state = { is: 'agreed', on: this.#state.on };
  }

  #keepCallAlive(): void {
    const session = this.#session;
    const terminate = session.terminate.bind(session);
    const restore = () => (session.terminate = terminate);
    this.#options.over.addEventListener('abort', restore, { once: true });
    session.terminate = (options) => {
      const reason = options?.reason_phrase ?? '';
      if (/connection error/i.test(reason) && this.#options.isAnswered()) return this.#onSocketLost();
      if (!/hold failed/i.test(reason)) return terminate(options);
      if (this.#state.is === 'restoring') this.#endRestoring();
      else this.#refuse('restoring');
    };
  }

  /** A request was not sent, or its reply will not come. If it was for keys, nothing has to be done. */
  #onSocketLost(): void {
    const { is } = this.#state;
    if (is === 'asking') this.#refuse('restoring');
    else if (is === 'restoring') later(RESTORE_RETRY_MS, this.#options.over, () => this.#restore());
  }

  /** A hold that we have not asked for comes from the SDK's own call screen. */
  #onSession(data: unknown, on: boolean): void {
    const originator: unknown = typeof data === 'object' && data !== null && Reflect.get(data, 'originator');
    if (originator !== 'local' || this.#state.is !== 'agreed') return;
    this.#state = { is: 'agreed', on };
    this.#emit('held', on);
  }
}
