/** One call of the vendor's SDK, from start to end. Once the agent has left the call, it reports nothing more. */
import { attempt, DialerError } from '../../errors.ts';
import { childOf, every, later, nextTask } from '../../wait.ts';
import type { SdkCall, SdkCallControls, SdkEvent } from '../calling-sdk.ts';
import { VbotAudio, type AudioOptions } from './audio.ts';
import { onSession, parseSipStatus, type JsSipSession, type VbotCallData } from './messages.ts';
import { Microphones } from './microphones.ts';
import { judgeOutcome, type EndCause } from './outcome.ts';
import { Answering, INVITE_TIMEOUT_MS, type CallLife } from './placing.ts';
import { TELLING_TIMEOUT_MS, type SipEvent } from './sip.ts';
import type { SipSocket } from './sip-socket.ts';
import { isInCall, onAnswerPress, readCall, readState } from './widget.ts';

/** No event reports that the session exists (the far phone rings), so the call looks for it. */
const SESSION_POLL_MS = 50;
const SOCKET_POLL_MS = 5000;
/** If the SDK does not end the call within this time, its session does. */
const HANG_UP_TIMEOUT_MS = 5000;
/** "Idle", a failure or the end of the session count as the end of the call if the SDK reports none within this time. */
const SILENT_END_MS = 1000;

interface CallOptions extends Pick<AudioOptions, 'element' | 'emit' | 'wantedMicrophone'> {
  readonly data: VbotCallData;
  /** That of the request, if the dialer has placed the call. */
  readonly life: CallLife;
  readonly socket: SipSocket;
  /** The SDK did not report the end. `isForced`: it did not end the call either, and may never leave it. */
  readonly onUnreportedEnd: (isForced: boolean) => void;
}

export class VbotCall implements SdkCallControls {
  readonly info: SdkCall;
  readonly life: CallLife;
  readonly answering: Answering;
  /** The SDK's text of the failure. */
  failure: string | undefined;
  /** Why this side has ended the call; `undefined`: it has not. */
  #cause: EndCause | undefined;
  /** The Call-ID of the INVITE that this side has sent. */
  #sipId: string | undefined;
  /** Why it ends before its answer, as read on the socket. */
  #sipEnd: SipEvent | undefined;
  #sipStatus: number | undefined;
  #audio: VbotAudio | undefined;
  #session: JsSipSession | undefined;
  readonly #options: CallOptions;
  readonly #microphones: Microphones;

  constructor(options: CallOptions) {
    this.#options = options;
    const { element, data, life } = options;
    const { id, direction, number, name, externalCallId } = data;
    this.info = { id, direction, number, name, externalCallId };
    this.life = life;
    const settled = AbortSignal.any([life.answered, life.left]);
    this.#microphones = new Microphones(options.wantedMicrophone(), life.left, () => this.#isOvertaken);
    const isAnswered = () => this.#session?.isEstablished?.();
    this.answering = new Answering({
      // A second answer would throw, and the SDK would reject the call.
      answer: async () => isAnswered() || this.#microphones.watchTwice(() => element.answerCall(), settled),
      isAnswered,
      settled,
      onFailed: (error) => this.#emit({ type: 'answer-trouble', error }),
    });
    onAnswerPress(element, settled, () => this.answer());
  }

  get audio(): VbotAudio | undefined {
    return this.isAnswered && !this.life.left.aborted ? this.#audio : undefined;
  }

  get isAnswered(): boolean {
    return this.life.answered.aborted;
  }

  begin(): void {
    this.#useSession(this.#options.data.session);
    this.#pollSession();
    if (this.life.left.aborted) return this.#endLeft();
    this.#emit({ type: this.info.direction === 'outgoing' ? 'dialing' : 'incoming', call: this.info });
    if (!this.#options.socket.isOpen) this.socketLost();
  }

  #useSession(session: JsSipSession | undefined): void {
    if (!session || this.#session) return;
    this.#session = session;
    const { over } = this.life;
    const onOver = () => later(SILENT_END_MS, over, () => this.#options.onUnreportedEnd(false));
    // Comes after the SDK's own event, but in the same task. The inbox reads that event in a later task.
    onSession(session, 'failed', over, (data) => {
      this.#sipStatus = parseSipStatus(data);
      onOver();
    });
    onSession(session, 'ended', over, onOver);
    this.#audio = new VbotAudio({
      ...this.#options,
      session,
      microphones: this.#microphones,
      emit: (event) => this.#emit(event),
      canEnd: () => this.#cause !== undefined || this.#canTell,
      end: () => this.end('network-lost'),
    });
  }

  answer(): void {
    if (this.info.direction === 'incoming' && !this.#isOvertaken) void this.answering.start();
  }

  onAnswered(session?: JsSipSession): void {
    this.#useSession(session);
    if (this.life.moveTo('answered')) this.#emit({ type: 'answered' });
  }

  is({ id }: VbotCallData): boolean {
    return id === this.info.id;
  }

  /** Hangs up, cancels or rejects. If the exchange cannot be told now, the call is left until it can. */
  end(cause: EndCause): void {
    if (this.#cause) return;
    if (!this.#canTell) return this.leave();
    this.#cause = cause;
    nextTask(() => {
      if (this.#canTell) return this.#hangUp();
      // The socket was lost since.
      this.#cause = undefined;
      this.leave();
    });
  }

  /** The call is over for the agent. The SDK keeps it until the exchange can be told. */
  leave(): void {
    // The SDK may know of an answer whose event is still to be read.
    if (!this.#canTell) this.onAnswered();
    if (!this.life.moveTo('left')) return;
    this.#options.emit({ type: 'ended', outcome: 'answered', confidence: 'certain', reason: '' });
    this.#endLeft();
  }

  /** The SDK has reported something that comes only with an end, of this call or of an earlier one. */
  awaitEnd(): void {
    const { element, onUnreportedEnd } = this.#options;
    later(SILENT_END_MS, this.life.over, () => {
      if (!isInCall(element)) return onUnreportedEnd(false);
      this.failure = undefined;
    });
  }

  /** The socket is gone. An incoming call can no longer be answered: the SDK would send nothing. */
  socketLost(): void {
    // No other one brings the ACK of our answer. After 32 s without it, JsSIP ends the call, and tells nobody.
    this.#session?.receiveRequest?.({ method: 'ACK' });
    if (this.info.direction === 'incoming' && !this.isAnswered) this.end('network-lost');
  }

  /** The late refusal of an earlier call has another Call-ID. */
  onSip(event: SipEvent): void {
    const isOutgoing = this.info.direction === 'outgoing';
    if (event.type === 'invited') {
      this.#sipId ??= event.id;
      // A closing socket sends nothing, and the SDK ends the call.
      if (this.life.age() > INVITE_TIMEOUT_MS) this.#options.socket.close();
    } else if ('id' in event ? event.id === this.#sipId : !isOutgoing) this.#sipEnd ??= event;
  }

  async sendDtmf(tones: string, queued?: () => void): Promise<void> {
    const { element, socket } = this.#options;
    if (!socket.isOpen) throw new DialerError('network-lost', 'The connection to the exchange is lost.');
    const give = () => {
      try {
        element.sendDTMF(tones);
      } catch (error) {
        throw new DialerError('call-rejected', 'Not all keys were sent.', { cause: error });
      }
      queued?.();
    };
    await (socket.keys ? socket.keys.send(tones.length, give, this.life.left) : give());
  }

  /** @param cause why it was lost, unless this side has ended it; absent: what this side did, also on the SDK's own screen */
  onEnded(cause?: EndCause): void {
    const { isAnswered, life, failure: text } = this;
    const { direction } = this.info;
    const isAnswering = this.answering.isUnderWay;
    const refusal = this.#sipEnd?.type === 'refused' ? this.#sipEnd.status : undefined;
    // In an answered call, a status belongs to a request within it.
    const status = isAnswered ? undefined : (this.#sipStatus ?? refusal);
    const endedBy = cause ? (this.#cause ?? cause) : this.#ownCause;
    const end = { direction, isAnswered, isAnswering, cause: endedBy, status, text };
    const wasLeft = life.left.aborted;
    // The SDK may have lost a call that the exchange still has.
    this.#terminate();
    this.#options.socket.openCalls.leave(this.#sipId);
    // Before the event, because a listener may place the next call at once.
    life.moveTo('over');
    if (!wasLeft) this.#options.emit({ type: 'ended', ...judgeOutcome(end), status, reason: text ?? '' });
  }

  get #ownCause(): EndCause | undefined {
    const sipEnd = this.#sipEnd?.type;
    if (sipEnd === 'answered-elsewhere') return sipEnd;
    // Without a microphone, the SDK itself rejects a call that it was told to answer.
    const isDeclined =
      sipEnd === 'declined' && !this.answering.isUnderWay && !/denied media/i.test(this.failure ?? '');
    return this.#cause ?? (isDeclined || sipEnd === 'cancelled' ? 'hung-up' : undefined);
  }

  #emit(event: SdkEvent): void {
    if (!this.life.left.aborted) this.#options.emit(event);
  }

  /**
   * Without a socket, or before the exchange knows of the answer, the SDK ends an answered call on this side only; the other
   * party would stay in it alone. The SDK knows of an answer before its event is read.
   */
  get #canTell(): boolean {
    const { element, socket } = this.#options;
    return socket.canEndCall || !(this.isAnswered || readState(element) === 'in-call');
  }

  /** Ends a call that the agent has left as soon as the exchange can be told. Perhaps no event reports that: the call looks. */
  #endLeft(): void {
    const { over } = this.life;
    every(SOCKET_POLL_MS, over, () => this.end('hung-up'));
    later(TELLING_TIMEOUT_MS, over, () => {
      this.#cause = 'hung-up';
      this.#hangUp();
      this.#options.socket.openCalls.forget();
    });
    this.end('hung-up');
  }

  #hangUp(): void {
    const { element, onUnreportedEnd } = this.#options;
    const { left, over } = this.life;
    if (over.aborted) return;
    try {
      if (!this.#isOvertaken) element.hangupCall();
      // The SDK may be late, and nobody would see it.
      if (left.aborted) this.#terminate();
    } catch {
      this.#terminate();
    }
    later(HANG_UP_TIMEOUT_MS, over, () => {
      this.#terminate();
      later(SILENT_END_MS, over, () => onUnreportedEnd(true));
    });
  }

  /** The SDK is in the next call already, which its methods would answer or end. The message of it is still to be read. */
  get #isOvertaken(): boolean {
    const now = readCall(this.#options.element);
    return now?.direction === 'incoming' && !this.is(now);
  }

  #terminate(): void {
    // The session asks `canEnd`: now it ends, whether the exchange can be told or not.
    this.#cause ??= 'hung-up';
    // It throws if it is over already.
    attempt(() => this.#session?.terminate());
  }

  #pollSession(): void {
    const looking = childOf(this.life.over);
    every(SESSION_POLL_MS, looking.signal, () => {
      if (!this.#isOvertaken) this.#useSession(readCall(this.#options.element)?.session);
      if (!this.#session) return;
      looking.abort();
      if (this.info.direction === 'outgoing' && !this.isAnswered) this.#emit({ type: 'ringing' });
    });
  }
}
