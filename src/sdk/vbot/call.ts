/** One call of the vendor's SDK, from start to end. Once the agent has left the call, it reports nothing more. */
import { DialerError } from '../../errors.ts';
import { aborted, later } from '../../wait.ts';
import type { CallAudio, SdkCall, SdkCallControls, SdkEvent } from '../calling-sdk.ts';
import { VbotAudio } from './audio.ts';
import { CallLife } from './call-life.ts';
import { Ending } from './ending.ts';
import { isSameCall, onSession, parseSipStatus, type JsSipSession, type VbotCallData } from './messages.ts';
import { Microphones } from './microphones.ts';
import { judgeOutcome, type EndCause } from './outcome.ts';
import { Answering, type Placing } from './placing.ts';
import type { SipEvent } from './sip.ts';
import type { SipSocket } from './sip-socket.ts';
import { readCall, type VbotElement } from './widget.ts';

/** No event reports that the session exists (the far phone rings), so the call looks for it. */
const SESSION_POLL_MS = 50;
const SOCKET_POLL_MS = 5000;
/** If there is no socket for so long, the SDK ends the call on this side only. */
const LEAVING_TIMEOUT_MS = 60_000;

interface CallOptions {
  readonly element: VbotElement;
  readonly data: VbotCallData;
  /** Absent: somebody calls, or the call was placed on the SDK's own screen. */
  readonly placing: Placing | undefined;
  /** Id of the device that the agent wants; empty: the system's. */
  readonly wantedMicrophone: () => string;
  readonly emit: (event: SdkEvent) => void;
  readonly socket: SipSocket;
  /** The SDK did not report the end. `isForced`: it did not end the call either, and may never leave it. */
  readonly onUnreportedEnd: (isForced: boolean) => void;
}

export class VbotCall implements SdkCallControls {
  readonly info: SdkCall;
  readonly life: CallLife;
  readonly answering: Answering;
  readonly ending: Ending;
  /** The SDK's text of the failure, sent before the end. */
  failure: string | undefined;
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
    const { element, data, placing } = options;
    const { id = crypto.randomUUID(), direction, phoneNumber, displayName, externalCallId } = data;
    this.info = { id, direction, number: phoneNumber, name: displayName, externalCallId };
    this.life = placing?.life ?? new CallLife('begun');
    const { answered, left, over } = this.life;
    this.#microphones = placing?.microphones ?? new Microphones(options.wantedMicrophone());
    void aborted(left).then(() => this.#microphones.close());
    this.answering = new Answering({
      answer: () => element.answerCall(),
      microphones: this.#microphones,
      settled: AbortSignal.any([answered, left]),
      onFailed: (error) => this.#emit({ type: 'answer-trouble', error }),
    });
    this.ending = new Ending({
      element,
      over,
      hangUp: () => this.#hangUp(),
      terminate: () => this.#terminate(),
      onUnreportedEnd: options.onUnreportedEnd,
    });
  }

  get audio(): CallAudio | undefined {
    return this.isAnswered && !this.life.left.aborted ? this.#audio : undefined;
  }

  get isAnswered(): boolean {
    return this.life.answered.aborted;
  }

  begin(): void {
    this.useSession(this.#options.data.session);
    this.#pollSession();
    if (this.life.left.aborted) return this.#tell();
    this.#emit({ type: this.info.direction === 'outgoing' ? 'dialing' : 'incoming', call: this.info });
    if (!this.#options.socket.isOpen) this.socketLost();
  }

  useSession(session: JsSipSession | undefined): void {
    if (!session || this.#session) return;
    this.#session = session;
    const { left, over } = this.life;
    const onEnded = () => this.ending.awaitEnd();
    // Comes after the SDK's own event, but in the same task. The inbox reads that event in a later task.
    onSession(session, 'failed', over, (data) => {
      this.#sipStatus = parseSipStatus(data);
      // JsSIP ignores an answer that crosses its CANCEL; the other party would stay in the call. This makes it send a BYE.
      Reflect.set(session, '_is_canceled', true);
      onEnded();
    });
    onSession(session, 'ended', over, onEnded);
    this.#audio = new VbotAudio({
      session,
      element: this.#options.element,
      wantedMicrophone: this.#options.wantedMicrophone,
      microphones: this.#microphones,
      emit: (event) => this.#emit(event),
      over,
      left,
      isAnswered: () => this.isAnswered,
      isReachable: () => this.#options.socket.isOpen,
      onAudioLost: () => this.end('network-lost'),
    });
    if (this.isAnswered) this.#audio.begin();
  }

  answer(): void {
    if (this.info.direction === 'incoming') this.answering.start();
  }

  onAnswered(): void {
    if (!this.life.moveTo('answered')) return;
    this.#microphones.stopWatching();
    this.#emit({ type: 'answered' });
    // The listener may have hung up.
    if (!this.life.left.aborted) this.#audio?.begin();
  }

  is(data: VbotCallData): boolean {
    return isSameCall(this.#options.data, data);
  }

  /** Hangs up, cancels or rejects. If the exchange cannot be told now, the call is left until it can. */
  end(cause: EndCause): void {
    if (this.#canTell) this.ending.hangUp(cause);
    else this.leave();
  }

  /** The call is over for the agent. The SDK keeps it until the exchange can be told. */
  leave(): void {
    const { life } = this;
    if (!life.moveTo('left')) return;
    // Perhaps no event reports that the SDK has registered again.
    const timer = setInterval(() => this.#tell(), SOCKET_POLL_MS);
    void aborted(life.over).then(() => clearInterval(timer));
    later(LEAVING_TIMEOUT_MS, life.over, () => this.ending.hangUp('hung-up'));
    this.#options.emit({ type: 'ended', outcome: 'answered', confidence: 'certain', reason: '' });
    this.#tell();
  }

  /** The socket is gone. An incoming call can no longer be answered: the SDK would send nothing. */
  socketLost(): void {
    if (this.info.direction === 'incoming' && !this.isAnswered) this.end('network-lost');
  }

  socketBack(): void {
    if (this.life.left.aborted) this.#tell();
  }

  /** The late refusal of an earlier call has another Call-ID. */
  onSip(event: SipEvent): void {
    const isOutgoing = this.info.direction === 'outgoing';
    if (event.type === 'invited') this.#sipId ??= event.id;
    else if ('id' in event ? event.id === this.#sipId : !isOutgoing) this.#sipEnd ??= event;
  }

  changeMicrophone(): void {
    this.#audio?.changeMicrophone();
  }

  async sendDtmf(tones: string, queued?: () => void): Promise<void> {
    const { element, socket } = this.#options;
    if (!socket.isOpen) throw new DialerError('network-lost', 'The connection to the exchange is lost.');
    const give = () => {
      try {
        element.sendDTMF(tones);
      } catch (error) {
        throw new DialerError('call-rejected', 'The SDK did not send the DTMF tones.', { cause: error });
      }
      queued?.();
    };
    await socket.keys.send(tones.length, give, this.life.left);
  }

  /**
   * @param text what the SDK says of its failure; absent: it names none
   * @param cause absent: what this side did, also by a press on the SDK's own screen
   */
  onEnded(text = this.failure, cause?: EndCause): void {
    const { isAnswered, life } = this;
    const { direction } = this.info;
    const isAnswering = this.answering.isUnderWay;
    const refusal = this.#sipEnd?.type === 'refused' ? this.#sipEnd.status : undefined;
    // In an answered call, a status belongs to a request within it.
    const status = isAnswered ? undefined : (this.#sipStatus ?? refusal);
    const end = { direction, isAnswered, isAnswering, cause: cause ?? this.#causeOf(text), status, text };
    const wasLeft = life.left.aborted;
    // Before the event, because a listener may place the next call at once.
    life.moveTo('over');
    if (!wasLeft) this.#options.emit({ type: 'ended', ...judgeOutcome(end), status, reason: text ?? '' });
  }

  #causeOf(text = ''): EndCause | undefined {
    const sipEnd = this.#sipEnd?.type;
    if (sipEnd === 'answered-elsewhere') return sipEnd;
    // Without a microphone, the SDK itself rejects a call that it was told to answer.
    const isDeclined = sipEnd === 'declined' && !this.answering.isUnderWay && !/denied media/i.test(text);
    return this.ending.cause ?? (isDeclined || sipEnd === 'cancelled' ? 'hung-up' : undefined);
  }

  #emit(event: SdkEvent): void {
    if (!this.life.left.aborted) this.#options.emit(event);
  }

  /** Without a socket, the SDK ends an answered call on this side only; the other party would stay in it alone. */
  get #canTell(): boolean {
    return !this.isAnswered || this.#options.socket.isOpen;
  }

  #tell(): void {
    if (this.#canTell) this.ending.hangUp('hung-up');
  }

  /** The far phone may ring, and answer, before the session was looked for: then nothing would end a crossing answer. */
  #hangUp(): void {
    const { element } = this.#options;
    this.useSession(readCall(element)?.session);
    element.hangupCall();
    // The SDK may be late, and nobody would see it.
    if (this.life.left.aborted) this.#terminate();
  }

  #terminate(): void {
    try {
      this.#session?.terminate();
    } catch {
      // It is over already.
    }
  }

  #pollSession(): void {
    const timer = setInterval(() => {
      this.useSession(readCall(this.#options.element)?.session);
      if (!this.#session) return;
      clearInterval(timer);
      if (this.info.direction === 'outgoing' && !this.isAnswered) this.#emit({ type: 'ringing' });
    }, SESSION_POLL_MS);
    void aborted(this.life.over).then(() => clearInterval(timer));
  }
}
