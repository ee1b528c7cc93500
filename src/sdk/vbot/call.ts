/** One call of the vendor's SDK, from start to end. Once the agent has left the call, it reports nothing more. */
import { DialerError } from '../../errors.ts';
import { later } from '../../wait.ts';
import type { CallAudio, SdkCall, SdkCallControls, SdkEvent } from '../calling-sdk.ts';
import { VbotAudio } from './audio.ts';
import { Ending } from './ending.ts';
import { isSameCall, onSession, parseSipStatus, type JsSipSession, type VbotCallData } from './messages.ts';
import { Microphones } from './microphones.ts';
import { judgeOutcome } from './outcome.ts';
import { Answering, type Placing } from './placing.ts';
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
  /** Id of a device; empty: the system's. */
  readonly microphone: string;
  /** Aborts when the SDK is closed: the call is over then, without a further event. */
  readonly sdkClosed: AbortSignal;
  readonly emit: (event: SdkEvent) => void;
  readonly socket: SipSocket;
  /** The SDK did not report the end. `isForced`: it did not end the call either, and may never leave it. */
  readonly onUnreportedEnd: (isForced: boolean) => void;
}

export class VbotCall implements SdkCallControls {
  readonly info: SdkCall;
  /** Aborts when the agent is out of the call: given up before it began, hung up without a socket, or over. */
  readonly agentLeft: AbortController;
  /** Aborts when the call is over. */
  readonly over: AbortSignal;
  readonly answering: Answering;
  readonly ending: Ending;
  /** Another device of the member has answered. */
  isAnsweredElsewhere = false;
  /** The SDK's text of the failure, sent before the end. */
  failure: string | undefined;
  /** SIP status of its refusal, as read on the socket. */
  refusal: number | undefined;
  #sipStatus: number | undefined;
  #audio: VbotAudio | undefined;
  #session: JsSipSession | undefined;
  #microphone: string;
  readonly #options: CallOptions;
  readonly #microphones: Microphones;
  readonly #answered = new AbortController();
  readonly #over = new AbortController();

  constructor(options: CallOptions) {
    this.#options = options;
    const { element, data, placing, sdkClosed } = options;
    this.#microphone = options.microphone;
    const { id = crypto.randomUUID(), direction, phoneNumber, displayName, externalCallId } = data;
    this.info = { id, direction, number: phoneNumber, name: displayName, externalCallId };
    this.agentLeft = placing?.agentLeft ?? new AbortController();
    this.over = AbortSignal.any([this.#over.signal, sdkClosed]);
    this.#microphones = placing?.microphones ?? new Microphones(options.microphone);
    this.over.addEventListener('abort', () => this.#microphones.close(), { once: true });
    this.answering = new Answering({
      answer: () => element.answerCall(),
      microphones: this.#microphones,
      settled: AbortSignal.any([this.#answered.signal, this.over]),
      onFailed: (error) => this.#emit({ type: 'answer-trouble', error }),
    });
    this.ending = new Ending({
      element,
      over: this.over,
      terminate: () => this.#terminate(),
      onUnreportedEnd: options.onUnreportedEnd,
    });
  }

  get audio(): CallAudio | undefined {
    return this.isAnswered && !this.agentLeft.signal.aborted ? this.#audio : undefined;
  }

  get isAnswered(): boolean {
    return this.#answered.signal.aborted;
  }

  begin(): void {
    this.useSession(this.#options.data.session);
    this.#pollSession();
    if (this.agentLeft.signal.aborted) return this.ending.hangUp('hung-up');
    this.#emit({ type: this.info.direction === 'outgoing' ? 'dialing' : 'incoming', call: this.info });
    if (!this.#options.socket.isOpen) this.socketLost();
  }

  useSession(session: JsSipSession | undefined): void {
    if (!session || this.#session) return;
    this.#session = session;
    const { over } = this;
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
      microphones: this.#microphones,
      emit: (event) => this.#emit(event),
      over,
      left: AbortSignal.any([over, this.agentLeft.signal]),
      isAnswered: () => this.isAnswered,
      isReachable: () => this.#options.socket.isOpen,
      onAudioLost: () => this.ending.hangUp('network-lost'),
    });
    this.#audio.useMicrophone(this.#microphone);
    if (this.isAnswered) this.#audio.begin();
  }

  answer(): void {
    if (this.info.direction === 'incoming') this.answering.start();
  }

  onAnswered(): void {
    if (this.isAnswered) return;
    this.#answered.abort();
    this.#microphones.stopWatching();
    this.#emit({ type: 'answered' });
    // The listener may have hung up.
    if (!this.over.aborted) this.#audio?.begin();
  }

  is(data: VbotCallData): boolean {
    return isSameCall(this.#options.data, data);
  }

  /** Ends, cancels or rejects. */
  hangUp(): void {
    if (this.agentLeft.signal.aborted) return;
    // Without a socket the SDK ends the call on this side only; the other party would stay in it alone.
    if (this.isAnswered && !this.#options.socket.isOpen) this.#leave();
    else this.ending.hangUp('hung-up');
  }

  /** The socket is gone. An incoming call can no longer be answered: the SDK would send nothing. */
  socketLost(): void {
    if (this.info.direction === 'incoming' && !this.isAnswered) this.ending.hangUp('network-lost');
  }

  /** The socket is back. If the agent hung up meanwhile, the exchange is told now. */
  socketBack(): void {
    if (this.agentLeft.signal.aborted && this.#options.socket.isOpen) this.ending.hangUp('hung-up');
  }

  useMicrophone(id: string): void {
    this.#microphone = id;
    this.#audio?.useMicrophone(id);
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
    await socket.keys.send(tones.length, give, this.over);
  }

  /** @param text what the SDK says of its failure; absent: it names none */
  end(text: string | undefined): void {
    const { isAnswered, failure } = this;
    const { direction } = this.info;
    const cause = this.isAnsweredElsewhere ? 'answered-elsewhere' : this.ending.cause;
    const isAnswering = this.answering.isUnderWay;
    // In an answered call, a status belongs to a request within it.
    const status = isAnswered ? undefined : (this.#sipStatus ?? this.refusal);
    const end = { direction, isAnswered, isAnswering, cause, status, text: text ?? failure };
    this.#over.abort();
    this.#emitEnd({ type: 'ended', ...judgeOutcome(end), status, reason: end.text ?? '' });
  }

  #emit(event: SdkEvent): void {
    const { emit, sdkClosed } = this.#options;
    if (!this.agentLeft.signal.aborted && !sdkClosed.aborted) emit(event);
  }

  /** The agent leaves the call first, because a listener may place the next call at once. */
  #emitEnd(event: SdkEvent): void {
    const { emit, sdkClosed } = this.#options;
    if (this.agentLeft.signal.aborted || sdkClosed.aborted) return;
    this.agentLeft.abort();
    emit(event);
  }

  /** The call is over for the agent. The SDK keeps it until the exchange can be told. */
  #leave(): void {
    // Perhaps no event reports that the SDK has registered again.
    const timer = setInterval(() => this.socketBack(), SOCKET_POLL_MS);
    this.over.addEventListener('abort', () => clearInterval(timer), { once: true });
    later(LEAVING_TIMEOUT_MS, this.over, () => this.ending.hangUp('hung-up'));
    this.#emitEnd({ type: 'ended', outcome: 'answered', confidence: 'certain', reason: '' });
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
    this.over.addEventListener('abort', () => clearInterval(timer), { once: true });
  }
}
