/**
 * Hold and resume, through the session. JsSIP reports a hold before the exchange has agreed, and ends a call whose hold was
 * refused, or in which the socket was lost before the reply to a request. Here a hold counts once the exchange has agreed,
 * lasts until it agrees to the resume, and the call goes on in both cases.
 */
import { attempt, DialerError } from '../../errors.ts';
import { later, nextTask } from '../../wait.ts';
import type { SdkEvent } from '../calling-sdk.ts';
import { onSession, type JsSipSession } from './messages.ts';
import type { CallLife } from './placing.ts';
import type { SipSocket } from './sip-socket.ts';

/** JsSIP itself ends a call in which the exchange does not answer for 32 s. */
const HOLD_TIMEOUT_MS = 35_000;
/** Another offer may be under way, which has to be answered first; or the socket is lost, and each request fails at once. */
const RESTORE_AFTER_MS = 500;

export interface HoldOptions {
  readonly session: JsSipSession;
  readonly emit: (event: SdkEvent) => void;
  readonly life: CallLife;
  readonly socket: Pick<SipSocket, 'isOpen'>;
  /** Does the dialer end the call, or could the exchange be told now? */
  readonly canEnd: () => boolean;
  /** The sound is lost, or the agent hangs up on the SDK's own screen. Ends the call as soon as the exchange can be told. */
  readonly end: () => void;
}

interface HoldOffer {
  readonly on: boolean;
}

interface HoldRequest extends HoldOffer, PromiseWithResolvers<void> {}

/** `on` is what exchange and agent agreed on last. */
type HoldState =
  | { readonly is: 'agreed'; readonly on: boolean }
  /**
   * The exchange was asked for `asked`: for `on` again, if a request was refused or its reply lost, because session and exchange
   * may believe that it worked. The agent's latest request may be for the opposite.
   */
  | {
      readonly is: 'asking';
      readonly on: boolean;
      readonly asked: HoldOffer;
      /** Nobody waits for what is asked for `on` again, unless the agent presses. */
      readonly latest: HoldRequest | undefined;
    };

export class Hold {
  readonly #options: HoldOptions;
  /** What is sent may have to change, or the session has changed it. */
  readonly #onMoved: () => void;
  #state: HoldState = { is: 'agreed', on: false };

  constructor(options: HoldOptions, onMoved: () => void) {
    this.#options = options;
    this.#onMoved = onMoved;
    const { session } = options;
    const { left } = options.life;
    this.#keepCallAlive();
    left.addEventListener('abort', () => this.#rejectLatest('The call is already over.'));
    onSession(session, 'hold', left, (data) => this.#onSession(data, true));
    onSession(session, 'unhold', left, (data) => this.#onSession(data, false));
    onSession(session, 'sdp', left, (data) => this.#onDescription(data));
  }

  /** On hold, or about to be. */
  get isSilent(): boolean {
    const state = this.#state;
    return state.on || (state.is === 'asking' && (state.asked.on || state.latest?.on === true));
  }

  get #latest(): HoldRequest | undefined {
    return this.#state.is === 'asking' ? this.#state.latest : undefined;
  }

  /** As `CallAudio.setHeld`; the exchange has 35 s to agree. */
  async set(on: boolean): Promise<void> {
    if (!this.#options.socket.isOpen) throw rejected('The connection to the exchange is lost.');
    const state = this.#state;
    if (state.is === 'agreed' && state.on === on) return;
    if (this.#latest?.on === on) return this.#latest.promise;
    this.#rejectLatest('A newer request replaced this one.');
    const latest = { on, ...Promise.withResolvers<void>() };
    later(HOLD_TIMEOUT_MS, this.#options.life.left, () => {
      if (this.#latest !== latest) return;
      this.#rejectLatest();
      this.#restore();
    });
    const asked = state.is === 'asking' ? state.asked : latest;
    this.#move({ is: 'asking', on: state.on, asked, latest });
    if (asked === latest) this.#request(latest);
    return latest.promise;
  }

  #move(state: HoldState): void {
    const { on } = this.#state;
    this.#state = state;
    // First: at a resume, JsSIP has turned on the track of a muted agent.
    this.#onMoved();
    if (state.on !== on) this.#options.emit({ type: 'held', on: state.on });
  }

  #isAsked(offer: HoldOffer): boolean {
    return this.#state.is === 'asking' && this.#state.asked === offer && !this.#options.life.left.aborted;
  }

  #request(asked: HoldOffer): void {
    if (!this.#isAsked(asked)) return;
    if (this.#options.socket.isOpen && this.#send(asked)) return;
    if (asked.on === this.#state.on) this.#requestLater(asked);
    else this.#keep();
  }

  #requestLater(asked: HoldOffer): void {
    later(RESTORE_AFTER_MS, this.#options.life.left, () => this.#request(asked));
  }

  /** @returns false: the session cannot do it now */
  #send(asked: HoldOffer): boolean {
    const { session } = this.#options;
    const onAgreed = () => this.#agree(asked);
    const isSent = attempt(() => {
      // The session believes so already, but the exchange may not have heard of it.
      if (session.isOnHold().local === asked.on) return session.renegotiate({}, onAgreed);
      return asked.on ? session.hold({}, onAgreed) : session.unhold({}, onAgreed);
    });
    // `renegotiate` sets the track without an event.
    this.#onMoved();
    return isSent ?? false;
  }

  #agree(asked: HoldOffer): void {
    const state = this.#state;
    if (state.is !== 'asking' || !this.#isAsked(asked)) return;
    const { on } = asked;
    const { latest } = state;
    if (!latest || latest.on === on) {
      this.#move({ is: 'agreed', on });
      return latest?.resolve();
    }
    this.#move({ is: 'asking', on, asked: latest, latest });
    // In a later task: the session is still at work on this request.
    nextTask(() => this.#request(latest));
  }

  #rejectLatest(why = 'The other party refused.'): void {
    if (this.#state.is !== 'asking') return;
    this.#state.latest?.reject(rejected(why));
    this.#state = { ...this.#state, latest: undefined };
  }

  /** The call keeps the last agreed state. */
  #keep(): void {
    this.#rejectLatest();
    this.#move({ is: 'agreed', on: this.#state.on });
  }

  /** As `#keep`, but session or exchange may believe otherwise. */
  #restore(): void {
    const { on } = this.#state;
    // The agent may already want the old state again.
    if (this.#latest?.on !== on) this.#rejectLatest();
    const asked = { on };
    this.#move({ is: 'asking', on, asked, latest: this.#latest });
    this.#requestLater(asked);
  }

  #keepCallAlive(): void {
    const { session, life, canEnd, end } = this.#options;
    const terminate = session.terminate.bind(session);
    session.terminate = (options) => {
      const reason = options?.reason_phrase ?? '';
      if (/connection error/i.test(reason) && life.answered.aborted) return this.#onSocketLost();
      if (!/ failed$/i.test(reason)) return canEnd() ? terminate(options) : end();
      // The refusal is late.
      if (life.left.aborted) return;
      const state = this.#state;
      if (state.is === 'asking' && state.asked.on === state.on) this.#keep();
      else this.#restore();
    };
    // The SDK keeps its sessions. Of a late refusal, JsSIP would throw.
    life.over.addEventListener('abort', () => (session.terminate = doNothing));
  }

  /** A request was not sent, or its reply will not come. */
  #onSocketLost(): void {
    // If it was for keys: JsSIP would send the rest of its queue over the next socket, without those in between.
    Reflect.set(this.#options.session, '_tones', null);
    if (this.#state.is === 'asking') this.#restore();
  }

  /** JsSIP has set the track by itself. A hold that nobody here has asked for comes from the SDK's own call screen. */
  #onSession(data: unknown, on: boolean): void {
    if (isLocal(data) && this.#state.is === 'agreed') this.#move({ is: 'agreed', on });
    else this.#onMoved();
  }

  /** JsSIP's answer to an offer of the other party would end the hold, and the agent would hear them. */
  #onDescription(data: unknown): void {
    if (!this.#state.on || !isLocal(data) || Reflect.get(data, 'type') !== 'answer') return;
    const sdp = String(Reflect.get(data, 'sdp'));
    const held = sdp.replace(/^a=sendrecv/gm, 'a=sendonly').replace(/^a=recvonly/gm, 'a=inactive');
    Reflect.set(data, 'sdp', held);
  }
}

/** Not in the method that uses it: there it would keep in memory what that method names. */
function doNothing(): void {}

/** Is a session's event about what this side did? */
function isLocal(data: unknown): data is object {
  return Reflect.get(Object(data), 'originator') === 'local';
}

function rejected(why: string): DialerError {
  return new DialerError('call-rejected', why);
}
