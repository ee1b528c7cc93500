/**
 * Hold and resume, through the session. JsSIP reports a hold before the exchange has agreed, and ends a call whose hold was
 * refused, or in which the socket was lost before the reply to a request. Here a hold counts once the exchange has agreed,
 * and the call goes on in both cases.
 */
import { DialerError } from '../../errors.ts';
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
  /** Aborts when the agent is out of the call, which may be earlier. */
  readonly agentLeft: AbortSignal;
  readonly isAnswered: () => boolean;
  /** Is there a socket to the exchange? */
  readonly isReachable: () => boolean;
}

interface HoldRequest extends PromiseWithResolvers<void> {
  readonly on: boolean;
}

/** `on` is what exchange and agent agreed on last. */
type HoldState =
  | { readonly is: 'agreed'; readonly on: boolean }
  /** The exchange was asked for `asked`. The agent's latest request may be for the opposite. */
  | { readonly is: 'asking'; readonly on: boolean; readonly asked: HoldRequest; readonly latest: HoldRequest }
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
    options.agentLeft.addEventListener('abort', () => this.#rejectLatest('The call has ended.'));
    onSession(session, 'hold', options.over, (data) => this.#onSession(data, true));
    onSession(session, 'unhold', options.over, (data) => this.#onSession(data, false));
  }

  get isOn(): boolean {
    return this.#state.on;
  }

  /**
   * Resolves once the exchange has agreed.
   *
   * @throws {DialerError} `call-rejected`: the exchange refuses, the call ends before, or a later request comes first
   */
  async set(on: boolean): Promise<void> {
    const state = this.#state;
    if (state.is === 'restoring') throw rejected('The other party refused the request.');
    if (state.is === 'agreed' && state.on === on) return;
    if (state.is === 'asking' && state.latest.on === on) return state.latest.promise;
    this.#rejectLatest('A later request replaced this one.');
    const latest = { on, ...Promise.withResolvers<void>() };
    if (state.is === 'asking') this.#state = { ...state, latest };
    else {
      this.#state = { is: 'asking', on: state.on, asked: latest, latest };
      this.#request();
    }
    return latest.promise;
  }

  #rejectLatest(why: string): void {
    if (this.#state.is === 'asking') this.#state.latest.reject(rejected(why));
  }

  #request(): void {
    const state = this.#state;
    if (state.is !== 'asking' || this.#options.over.aborted) return;
    const { asked } = state;
    if (!this.#send(asked.on, () => this.#agree(asked))) return this.#refuse('agreed');
    later(HOLD_TIMEOUT_MS, this.#options.over, () => this.#isAsked(asked) && this.#refuse('restoring'));
  }

  #isAsked(request: HoldRequest): boolean {
    return this.#state.is === 'asking' && this.#state.asked === request;
  }

  /** @returns false: the session cannot do it now */
  #send(on: boolean, onAgreed: () => void): boolean {
    try {
      return on ? this.#session.hold({}, onAgreed) : this.#session.unhold({}, onAgreed);
    } catch {
      return false;
    }
  }

  #agree(asked: HoldRequest): void {
    const state = this.#state;
    if (state.is !== 'asking' || state.asked !== asked || this.#options.over.aborted) return;
    const { on } = asked;
    const { latest } = state;
    const isLatest = latest.on === on;
    this.#state = isLatest ? { is: 'agreed', on } : { is: 'asking', on, asked: latest, latest };
    this.#options.emit({ type: 'held', on });
    if (isLatest) latest.resolve();
    // In a later task: the session is still at work on this request.
    else nextTask(() => this.#request());
  }

  /** The call keeps the last agreed state. @param next `restoring`: the session believes otherwise */
  #refuse(next: 'agreed' | 'restoring'): void {
    const state = this.#state;
    // The agent already wants the old state again.
    if (state.is === 'asking' && state.latest.on === state.on) state.latest.resolve();
    this.#rejectLatest('The other party refused the request.');
    this.#state = { is: next, on: state.on };
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
    this.#options.emit({ type: 'held', on });
  }
}

function rejected(why: string): DialerError {
  return new DialerError('call-rejected', why);
}
