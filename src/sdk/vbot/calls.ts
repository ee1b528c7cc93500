/**
 * The calls of the vendor's SDK: placed, answered, ended, with a timeout for every wait. The SDK's methods resolve whatever
 * happens, so its events decide; some of them come late, twice or never.
 */
import { attempt, DialerError } from '../../errors.ts';
import { aborted, nextTask, orAbort } from '../../wait.ts';
import { SYSTEM_DEVICES, type CallDevices, type SdkEvent } from '../calling-sdk.ts';
import { VbotCall } from './call.ts';
import type { VbotCallData, VbotMessage } from './messages.ts';
import { Microphones } from './microphones.ts';
import type { EndCause } from './outcome.ts';
import { CallLife, INVITE_TIMEOUT_MS, Placing } from './placing.ts';
import { BUSY_HERE, type SipEvent } from './sip.ts';
import type { SipSocket } from './sip-socket.ts';
import { isInCall, readCall, readState, type VbotElement } from './widget.ts';

export class VbotCalls {
  readonly element: VbotElement;
  readonly #emit: (event: SdkEvent) => void;
  readonly #socket: SipSocket;
  #placing: Placing | undefined;
  #call: VbotCall | undefined;
  /** Of the latest call, or of a request that waits until the SDK is out of the one before. */
  #latest: CallLife | undefined;
  #isClosed = false;
  #devices = SYSTEM_DEVICES;
  /** The speaker that the SDK uses. */
  #speaker = SYSTEM_DEVICES.speaker;

  /** @param emit `failed`: the SDK is stuck in a call */
  constructor(element: VbotElement, emit: (event: SdkEvent) => void, socket: SipSocket) {
    this.element = element;
    this.#emit = emit;
    this.#socket = socket;
  }

  get call(): VbotCall | undefined {
    return this.#call;
  }

  get leaving(): Promise<void> | undefined {
    const life = this.#call?.life;
    if (!life) return this.#socket.openCalls.replying;
    return life.left.aborted ? aborted(life.over).then(() => this.#socket.openCalls.replying) : undefined;
  }

  onSip(event: SipEvent): void {
    // In a later task: the SDK is still at work when this comes.
    if (event.type === 'busy') nextTask(() => this.#emit({ type: 'missed', call: event.call }));
    else if (event.type === 'acknowledged') this.endLeft();
    else if (event.type === 'lost') this.#call?.socketLost();
    else this.#call?.onSip(event);
  }

  async dial(number: string, hotline: string | undefined, externalCallId: string | undefined): Promise<void> {
    if (this.#latest?.left.aborted === false) throw new DialerError('busy', 'The SDK is in a call.');
    const life = new CallLife();
    this.#latest = life;
    if (this.#placing || this.#call) await this.#untilFree(life);
    if (this.#isCalled) life.moveTo('left', new DialerError('busy', 'Another call came in first.'));
    life.left.throwIfAborted();
    const microphones = new Microphones(this.#devices.microphone, life.left, () => this.#isCalled);
    const make = async () => microphones.watch(() => this.element.makeCall(number, hotline, externalCallId));
    const placing = new Placing(life, make, (isStuck) => {
      this.#placing = undefined;
      // It was given up, and somebody has called since: the SDK goes on.
      if (isStuck && !this.#call) this.#reportStuck();
    });
    this.#placing = placing;
    // If it fails, the agent is out of it first.
    await orAbort(aborted(placing.settled), life.left);
  }

  hangUp(): void {
    // The SDK ignores a hang-up before its call has begun. So the call is given up, and ended if it still begins.
    if (this.#call && this.#call.life === this.#latest) this.#call.end('hung-up');
    else this.#latest?.moveTo('left');
  }

  /** The SDK is closed: the agent leaves whatever there is. It may be kept for a while, and must not ring meanwhile. */
  close(): void {
    this.#isClosed = true;
    this.#call?.leave();
    this.#latest?.moveTo('left', new DialerError('not-ready', 'The SDK was closed.'));
  }

  /** The element is out of the page, and the SDK has no call any more. It reports no end. */
  removed(): void {
    this.#end('network-lost');
    this.#placing?.fail(new DialerError('call-rejected', "The SDK's element was removed."));
    this.#placing = undefined;
  }

  /** The exchange can be told now. */
  endLeft(): void {
    if (this.#call?.life.left.aborted) this.#call.end('hung-up');
  }

  /** While idle, the SDK would open the microphone and leave it open: its devices wait for the next call. */
  useDevices(devices: CallDevices): void {
    this.#devices = devices;
    if (!this.#call) return;
    this.#useSpeaker();
    this.#call.audio?.changeMicrophone();
  }

  #useSpeaker(): void {
    const { speaker } = this.#devices;
    if (speaker === this.#speaker) return;
    this.#speaker = speaker;
    const use = async () => this.element.setAudioOutputDevice?.(speaker || 'default');
    // The call is heard where it was before.
    use().catch(() => undefined);
  }

  read(message: VbotMessage, following: readonly VbotMessage[]): void {
    const call = this.#call;
    switch (message.type) {
      case 'incoming':
      case 'progress':
        return this.#begin(message.call, following);
      case 'accepted':
        if (this.#placing) this.#begin(message.call, following);
        if (this.#call?.is(message.call)) this.#call.onAnswered(message.call.session);
        return;
      case 'ended':
        if (call && (message.id === undefined || message.id === call.info.id)) {
          call.failure = following.find((later) => later.type === 'call-failed')?.text ?? call.failure;
          this.#end();
        }
        return;
      case 'call-failed':
        if (!call) return;
        call.failure = message.text;
        return call.awaitEnd();
      case 'trouble':
        (this.#placing ?? call?.answering)?.troubles?.push(message.text);
        return;
      case 'state':
        return this.#readState(message.state, following);
    }
  }

  #readState(state: string, following: readonly VbotMessage[]): void {
    const call = this.#call;
    // A late or repeated message may be about an earlier call.
    if (state === 'idle' || state === 'ended') return call?.awaitEnd();
    if (state === 'in-call' && this.#isInCall(following)) return call?.onAnswered();
    if ((state !== 'dialing' && state !== 'ringing') || call) return;
    // The next event has the data of the call. If none follows, the SDK itself is asked.
    const data = readCall(this.element);
    if (data && !following.some(({ type }) => type === 'progress' || type === 'incoming'))
      this.#begin(data, following);
  }

  /**
   * A call that was given up keeps the SDK busy until the browser's question for the microphone is answered, or until it
   * has begun and ended after all.
   */
  async #untilFree(life: CallLife): Promise<void> {
    for (let last; (last = this.#placing?.settled ?? this.#call?.life.over);) {
      await aborted(AbortSignal.any([last, life.left]));
      if (life.age() > INVITE_TIMEOUT_MS) life.moveTo('left');
      life.left.throwIfAborted();
    }
  }

  #begin(data: VbotCallData, following: readonly VbotMessage[]): void {
    const now = readCall(this.element);
    if (this.#call) {
      // The message is late or repeated. But if the SDK is in this call now, it did not report the end of the other one.
      if (this.#call.is(data) || now?.id !== data.id) return;
      this.#end();
    }
    const isIncoming = data.direction === 'incoming';
    const isPlacing = this.#placing !== undefined && this.#latest?.left.aborted === false;
    if (isIncoming && (isPlacing || this.#isClosed)) return this.#refuse(data);
    // A late or repeated message may be about a call that is over.
    const isOver = following.some(({ type }) => type === 'ended');
    const isNow = isInCall(this.element) && (now === undefined || now.id === data.id);
    if (!isOver && !isNow) return;
    // A call that was given up may still wait for the browser's question; it will not begin.
    const placing = isIncoming ? undefined : this.#placing;
    if (placing) {
      this.#placing = undefined;
      placing.begin();
    }
    const call = new VbotCall({
      element: this.element,
      data,
      life: placing?.life ?? new CallLife(),
      wantedMicrophone: () => this.#devices.microphone,
      emit: this.#emit,
      socket: this.#socket,
      onUnreportedEnd: (isForced) => {
        this.#end();
        if (isForced) this.#reportStuck();
      },
    });
    this.#call = call;
    if (!placing) {
      this.#latest?.moveTo('left');
      this.#latest = call.life;
    }
    this.#useSpeaker();
    call.begin();
  }

  /** Somebody calls. The message of it may still be to be read. */
  get #isCalled(): boolean {
    return isInCall(this.element) && readCall(this.element)?.direction === 'incoming';
  }

  /**
   * While a call is being placed, the SDK would ring, and then lose both calls. Once it is closed, it would ring with nobody to
   * see it.
   */
  #refuse({ id, number, name, session }: VbotCallData): void {
    // The socket reports the caller as missed, as for calls that the SDK refuses by itself.
    if (!session) this.onSip({ type: 'busy', call: { id, direction: 'incoming', number, name } });
    // It throws if the call is over already.
    attempt(() => (session ? session.terminate({ status_code: BUSY_HERE }) : this.element.hangupCall()));
  }

  /** "In call" and the seconds may be about an earlier call. If `ended` follows in this task, the SDK is idle by now. */
  #isInCall(following: readonly VbotMessage[]): boolean {
    return readState(this.element) === 'in-call' || following.some(({ type }) => type === 'ended');
  }

  #end(cause?: EndCause): void {
    const call = this.#call;
    this.#call = undefined;
    call?.onEnded(cause);
  }

  #reportStuck(): void {
    this.#latest?.moveTo('left');
    const error = new DialerError('registration-failed', 'The SDK is stuck in a call.');
    this.#emit({ type: 'failed', error });
  }
}
