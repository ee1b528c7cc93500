/**
 * Hold and resume through the session. JsSIP says "hold" before the exchange has agreed, and ends a call whose hold was
 * refused, or in which the socket was lost before the reply to a request; here a hold counts once it was agreed to, and a
 * call outlives both.
 */
import type { SdkEvent } from '../calling-sdk.ts';
import type { VbotSession } from './call-messages.ts';
import { nextTask } from '../../wait.ts';
import { later } from '../../wait.ts';

/** JsSIP itself ends a call in which the exchange does not answer for 32 s. */
const HOLD_TIMEOUT_MS = 35_000;
/** Another offer may be under way, which has to be answered first. */
const RESTORE_RETRY_MS = 500;

interface HoldOptions {
  readonly emit: (event: SdkEvent) => void;
  /** Aborted when the call is over. */
  readonly over: AbortSignal;
  readonly isAnswered: () => boolean;
  /** Is there a socket to the exchange? */
  readonly isReachable: () => boolean;
}

export class Hold {
  readonly #session: VbotSession;
  readonly #emit: (event: SdkEvent) => void;
  readonly #signal: AbortSignal;
  readonly #isAnswered: () => boolean;
  readonly #isReachable: () => boolean;
  /** As last agreed with the exchange. */
  #isOn = false;
  /** What the exchange is asked for now. */
  #wanted: boolean | undefined;
  #isRestoring = false;

  constructor(session: VbotSession, { emit, over, isAnswered, isReachable }: HoldOptions) {
    this.#session = session;
    this.#emit = emit;
    this.#signal = over;
    this.#isAnswered = isAnswered;
    this.#isReachable = isReachable;
    this.#keepCallAlive();
    session.on('hold', (data) => this.#onSession(data, true));
    session.on('unhold', (data) => this.#onSession(data, false));
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  /** What comes of it is told by `held` or `hold-refused`. */
  set(on: boolean): void {
    if (this.#wanted === on) return;
    if (this.#wanted !== undefined || this.#isRestoring) return this.#emit({ type: 'hold-refused', on });
    if (this.#isOn === on) return this.#emit({ type: 'held', on });
    this.#wanted = on;
    if (!this.#ask(on, () => this.#agree(on))) return this.#refuse(on, false);
    later(HOLD_TIMEOUT_MS, this.#signal, () => this.#wanted === on && this.#refuse(on, true));
  }

  #ask(on: boolean, agreed: () => void): boolean {
    try {
      return on ? this.#session.hold({}, agreed) : this.#session.unhold({}, agreed);
    } catch {
      return false;
    }
  }

  #agree(on: boolean): void {
    if (this.#wanted !== on || this.#signal.aborted) return;
    this.#wanted = undefined;
    this.#isOn = on;
    this.#emit({ type: 'held', on });
  }

  #refuse(on: boolean, isHalfDone: boolean): void {
    this.#wanted = undefined;
    this.#emit({ type: 'hold-refused', on });
    if (!isHalfDone) return;
    this.#isRestoring = true;
    nextTask(() => this.#restore());
  }

  /** The session takes itself for held, or not held, as was asked for; only the opposite request changes that. */
  #restore(): void {
    if (this.#signal.aborted) return;
    const isSent =
      this.#isReachable() &&
      this.#ask(this.#isOn, () => {
        this.#isRestoring = false;
      });
    // The socket may be lost once more before the reply: the session is as it was by then.
    if (!isSent && this.#session.isOnHold?.().local === this.#isOn) this.#isRestoring = false;
    else if (!isSent) later(RESTORE_RETRY_MS, this.#signal, () => this.#restore());
  }

  #keepCallAlive(): void {
    const session = this.#session;
    const terminate = session.terminate.bind(session);
    session.terminate = (options) => {
      const reason = options?.reason_phrase ?? '';
      if (/connection error/i.test(reason) && this.#isAnswered()) return this.#loseSocket();
      if (!/hold failed/i.test(reason)) return terminate(options);
      if (this.#isRestoring) this.#isRestoring = false;
      else this.#refuse(this.#wanted ?? !this.#isOn, true);
    };
  }

  /** The request was not sent, or its reply will not come: for keys that is all, a hold is asked back later. */
  #loseSocket(): void {
    if (this.#wanted !== undefined) this.#refuse(this.#wanted, true);
    else if (this.#isRestoring) later(RESTORE_RETRY_MS, this.#signal, () => this.#restore());
  }

  /** Without a wish of ours it comes from the SDK's own call screen, or from a restored state. */
  #onSession(data: unknown, on: boolean): void {
    const originator: unknown = typeof data === 'object' && data !== null && Reflect.get(data, 'originator');
    if (originator !== 'local' || this.#wanted !== undefined || this.#isRestoring) return;
    this.#isOn = on;
    this.#emit({ type: 'held', on });
  }
}
