/** The call the SDK is in, with the ways to answer and to end it; nobody is told of one that was given up before it began. */
import type { SdkEvent } from '../calling-sdk.ts';
import { Answering } from './answering.ts';
import { VbotCall } from './call.ts';
import { Ending } from './ending.ts';
import type { VbotCallData } from './call-messages.ts';
import { Microphones } from './microphones.ts';
import { outcomeOf } from './outcome.ts';
import type { Placing } from './placing.ts';
import type { VbotElement } from './widget.ts';
import { readCall } from './widget-state.ts';

/** No event says that the session is there (the far phone rings); it has to be looked for. */
const SESSION_POLL_MS = 50;
const LEFT_POLL_MS = 5000;

interface CurrentCallOptions {
  readonly data: VbotCallData;
  /** What led to it; absent: somebody calls, or the call was placed on the SDK's own screen. */
  readonly placing: Placing | undefined;
  readonly emit: (event: SdkEvent) => void;
  /** Is there a socket to the exchange? */
  readonly isReachable: () => boolean;
  /** @param isForced the SDK did not end it, and may be in it for ever */
  readonly ended: (isForced: boolean) => void;
}

export class CurrentCall {
  readonly call: VbotCall;
  readonly answering: Answering;
  readonly ending: Ending;
  #isWanted: boolean;
  readonly #emit: (event: SdkEvent) => void;
  readonly #isReachable: () => boolean;

  constructor(element: VbotElement, { data, placing, emit, isReachable, ended }: CurrentCallOptions) {
    this.#isWanted = placing?.isGivenUp !== true;
    this.#isReachable = isReachable;
    this.#emit = (event) => this.#isWanted && emit(event);
    this.call = new VbotCall(data, placing?.microphones ?? new Microphones(), {
      emit: this.#emit,
      loseAudio: () => {
        this.call.isAudioLost = true;
        this.ending.hangUp();
      },
      sessionEnded: () => this.ending.expect(),
      isReachable,
    });
    this.answering = new Answering(this.call);
    this.ending = new Ending(element, this.call, { ended });
    this.#lookForSession(element);
    if (!this.#isWanted) this.ending.hangUp();
  }

  /** False: it was given up, before it began or without its socket, and nobody is told of it any more. */
  get isWanted(): boolean {
    return this.#isWanted;
  }

  begin(): void {
    const { info } = this.call;
    this.#emit({ type: info.direction === 'outgoing' ? 'dialing' : 'incoming', call: info });
  }

  answered(): void {
    const { call } = this;
    if (call.isAnswered) return;
    call.isAnswered = true;
    call.microphones.stopWatching();
    this.#emit({ type: 'answered' });
    // Whoever was told may have hung up.
    if (!call.over.aborted) call.watchMicrophone();
  }

  /**
   * @param failure what the SDK says of it; absent: it names none
   * @param refusal SIP status of the latest refused INVITE
   */
  end(failure: string | undefined, refusal: number | undefined): void {
    const end = this.call.close(failure, refusal);
    const { status, text: reason = '' } = end;
    this.#emit({ type: 'ended', ...outcomeOf(end), status, reason });
  }

  /** An answered call is over for the agent. The SDK keeps it until it can tell the exchange. */
  leave(): void {
    this.call.silence();
    this.#emit({ type: 'ended', outcome: 'answered', confidence: 'certain', reason: '' });
    this.#isWanted = false;
    // Whoever was told may have ended all.
    if (this.call.over.aborted) return;
    // In case nobody tells that the SDK has registered again.
    const timer = setInterval(() => this.endIfLeft(), LEFT_POLL_MS);
    this.call.over.addEventListener('abort', () => clearInterval(timer), { once: true });
  }

  /** Once the exchange can be told. */
  endIfLeft(): void {
    if (!this.#isWanted && this.#isReachable()) this.ending.hangUp();
  }

  #lookForSession(element: VbotElement): void {
    const { call } = this;
    const timer = setInterval(() => {
      if (!call.hasSession) call.useSession(readCall(element)?.session);
      if (!call.hasSession) return;
      clearInterval(timer);
      if (call.info.direction === 'outgoing' && !call.isAnswered) this.#emit({ type: 'ringing' });
    }, SESSION_POLL_MS);
    call.over.addEventListener('abort', () => clearInterval(timer), { once: true });
  }
}
