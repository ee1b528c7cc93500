/**
 * The calls of the vendor's SDK: placed, answered, ended, with a limit to every wait. Its methods resolve whatever
 * happens, so what is true is read off the events, and of those some may be late, doubled or missing.
 */
import { DialerError } from '../../errors.ts';
import type { SdkEvent } from '../calling-sdk.ts';
import { BusyCallers, type Caller } from './busy-callers.ts';
import { CurrentCall } from './current-call.ts';
import { parseCallEvent, type CallMessage, type VbotCallData } from './call-messages.ts';
import type { CallEvent } from './messages.ts';
import { Placing } from './placing.ts';
import { SentKeys } from './sent-keys.ts';
import { isAnsweredElsewhere, refusalOf } from './sip-status.ts';
import { nextTask } from '../../wait.ts';
import { aborted } from '../../wait.ts';
import type { VbotElement } from './widget.ts';
import { isIdle, readCall, readState } from './widget-state.ts';

const BUSY_HERE = 486;

export class VbotCalls {
  readonly #element: VbotElement;
  readonly #emit: (event: SdkEvent) => void;
  readonly #signal: AbortSignal;
  readonly #isReachable: () => boolean;
  #placing: Placing | undefined;
  #current: CurrentCall | undefined;
  /** A call that waits until the SDK is done with one that was given up. */
  #waiting: AbortController | undefined;
  /** SIP status of the latest refused INVITE since the last dial. */
  #refusal: number | undefined;
  readonly #callers = new BusyCallers();
  readonly #keys = new SentKeys();

  /**
   * @param signal ends it all, without a further event
   * @param isReachable is there a socket to the exchange?
   */
  constructor(
    element: VbotElement,
    emit: (event: SdkEvent) => void,
    signal: AbortSignal,
    isReachable: () => boolean,
  ) {
    this.#element = element;
    this.#emit = emit;
    this.#signal = signal;
    this.#isReachable = isReachable;
    signal.addEventListener('abort', () => {
      this.#placing = undefined;
      this.#current?.call.close(undefined, undefined);
      this.#current = undefined;
    });
  }

  /** From the exchange, on the SIP socket. */
  noteReceived(message: string): void {
    this.#callers.received(message);
    this.#refusal = refusalOf(message) ?? this.#refusal;
    const call = this.#current?.call;
    if (call?.info.direction === 'incoming' && isAnsweredElsewhere(message)) call.isElsewhere = true;
  }

  /** To the exchange. */
  noteSent(message: string): void {
    this.#keys.noteSent(message);
    const caller = this.#callers.sent(message);
    if (caller) this.#tellMissed(caller);
  }

  /** In a later task, because this comes in the midst of the SDK's own work. */
  #tellMissed(caller: Caller): void {
    const missed = { type: 'missed', call: { ...caller, direction: 'incoming' } } as const;
    nextTask(() => this.#signal.aborted || this.#emit(missed));
  }

  async dial(number: string, hotline: string | undefined, externalCallId: string | undefined): Promise<void> {
    const isBusy = this.#placing?.isGivenUp === false || this.#current?.isWanted === true;
    if (isBusy || this.#waiting) throw new DialerError('busy', 'The SDK is in a call.');
    if (this.#placing || this.#current) await this.#untilFree();
    this.#waiting = undefined;
    this.#refusal = undefined;
    this.#placing = new Placing({
      number,
      make: () => this.#element.makeCall(number, hotline, externalCallId),
      signal: this.#signal,
      over: (isStuck) => {
        this.#placing = undefined;
        if (isStuck) this.#reportBroken('The SDK neither started the call nor gave it up.');
      },
    });
    await this.#placing.begun;
  }

  answer(): void {
    const { call, answering } = this.#current ?? {};
    if (call?.info.direction !== 'incoming') return;
    answering?.try(
      () => this.#element.answerCall(),
      (error) => this.#emit({ type: 'answer-trouble', error }),
    );
  }

  hangUp(): void {
    this.#waiting?.abort();
    // The SDK ignores a hang-up that comes before its call has begun.
    this.#placing?.giveUp(new DialerError('call-rejected', 'The call was given up.'));
    const current = this.#current;
    // Without a socket the SDK would end it here only, and the other party would go on listening to nobody.
    if (current?.isWanted && current.call.isAnswered && !this.#isReachable()) current.leave();
    else current?.ending.hangUp();
  }

  /** The exchange is told now of the end of a call that was hung up without a socket. */
  registered(): void {
    this.#current?.endIfLeft();
  }

  setMuted(on: boolean): void {
    const muted = this.#current?.call.setMuted(on);
    if (muted !== undefined) this.#emit({ type: 'muted', on: muted });
  }

  setHeld(on: boolean): void {
    if (this.#current && this.#isReachable()) this.#current.call.setHeld(on);
    else this.#emit({ type: 'hold-refused', on });
  }

  async sendDtmf(tones: string, queued?: () => void): Promise<void> {
    const over = this.#current?.call.over;
    if (!over || !this.#isReachable())
      throw new DialerError('network-lost', 'There is no connection to the exchange now.');
    const give = () => {
      try {
        this.#element.sendDTMF(tones);
      } catch (error) {
        throw new DialerError('call-rejected', 'The SDK did not send the keys.', { cause: error });
      }
      queued?.();
    };
    await this.#keys.send(tones.length, give, over);
  }

  read(event: CallEvent, events: readonly CallEvent[]): void {
    const message = parseCallEvent(event);
    const following = events.map(parseCallEvent).filter((later) => later !== undefined);
    const call = this.#current?.call;
    switch (message?.type) {
      case 'incoming':
      case 'progress':
        return this.#begin(message.call, following);
      case 'accepted':
        if (this.#placing) this.#begin(message.call, following);
        if (this.#current?.call.info.id !== message.call.id) return;
        this.#current.call.useSession(message.call.session);
        return this.#current.answered();
      case 'duration':
        if (this.#isInCall(following)) this.#current?.answered();
        return;
      case 'ended':
        if (call && (message.id === undefined || message.id === call.info.id)) {
          this.#end(following.find((later) => later.type === 'call-failed')?.text);
        }
        return;
      case 'call-failed':
        if (!call) return;
        call.failure = message.text;
        return this.#current?.ending.expect();
      case 'trouble':
        this.#placing?.troubles.push(message.text);
        return this.#current?.answering.noteTrouble(message.text);
      case 'state':
        return this.#readState(message.state, following);
    }
  }

  /**
   * A call that was given up keeps the SDK busy until the browser's question for the microphone is answered, or until it
   * has begun and ended after all.
   */
  async #untilFree(): Promise<void> {
    const waiting = new AbortController();
    this.#waiting = waiting;
    for (let last; (last = this.#placing?.over ?? this.#current?.call.over);) {
      await aborted(AbortSignal.any([last, waiting.signal, this.#signal]));
      if (!waiting.signal.aborted && !this.#signal.aborted) continue;
      this.#waiting = undefined;
      throw new DialerError('call-rejected', 'The call was given up.');
    }
  }

  #readState(state: string, following: readonly CallMessage[]): void {
    if (state === 'idle') return this.#current?.ending.expectIfIdle();
    if (state === 'ended') return this.#current?.ending.expect();
    if (state === 'in-call' && this.#isInCall(following)) return this.#current?.answered();
    // The event that comes with it has the data of the call; without one, the SDK itself is asked.
    const isToldApart = following.some(({ type }) => type === 'progress' || type === 'incoming');
    if ((state !== 'dialing' && state !== 'ringing') || isToldApart || this.#current) return;
    const data = readCall(this.#element);
    if (data) this.#begin(data, following);
  }

  #begin(data: VbotCallData, following: readonly CallMessage[]): void {
    if (this.#current) {
      // Doubled or late, unless the SDK is in this call now: then the end of the other one was not told.
      if (this.#current.call.info.id === data.id || readCall(this.#element)?.id !== data.id) return;
      this.#end(undefined);
    }
    const placing = this.#placing;
    if (placing && data.direction === 'incoming') return this.#refuse(data);
    // Late or doubled, it may be about a call that is over.
    const isOver = following.some(({ type }) => type === 'ended');
    const now = readCall(this.#element);
    const isNow = !isIdle(this.#element) && (now === undefined || now.id === data.id);
    if (!isOver && !isNow) return;
    this.#placing = undefined;
    placing?.begin();
    this.#current = new CurrentCall(this.#element, {
      data,
      placing,
      emit: this.#emit,
      isReachable: this.#isReachable,
      ended: (isForced) => this.#endUntold(isForced),
    });
    this.#current.begin();
  }

  /** An agent who is placing a call is busy; the SDK would ring, and then lose both calls. */
  #refuse({ id, phoneNumber: number, displayName: name, session }: VbotCallData): void {
    try {
      // That is read off the socket, like the calls that the SDK refuses by itself.
      if (session) return session.terminate({ status_code: BUSY_HERE });
      this.#tellMissed({ id, number, name });
      this.#element.hangupCall();
    } catch {
      // It is over already.
    }
  }

  /** "In call" and the seconds name no call: late or doubled, they may be about an earlier one. */
  #isInCall(following: readonly CallMessage[]): boolean {
    const state = readState(this.#element);
    return state === undefined || state === 'in-call' || following.some(({ type }) => type === 'ended');
  }

  /** Whoever is told may place the next call at once. */
  #end(failure: string | undefined): void {
    const current = this.#current;
    this.#current = undefined;
    current?.end(failure, this.#refusal);
  }

  #endUntold(isForced: boolean): void {
    this.#end(undefined);
    if (isForced) this.#reportBroken('The SDK did not end its call.');
  }

  /** Only a new boot brings the SDK out of it. */
  #reportBroken(message: string): void {
    this.#waiting?.abort();
    this.#emit({ type: 'failed', error: new DialerError('registration-failed', message) });
  }
}
