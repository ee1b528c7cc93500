/**
 * The calls of the vendor's SDK: placed, answered, ended, with a limit to every wait. Its methods resolve whatever
 * happens, so what is true is read off the events alone.
 */
import { DialerError } from '../../errors.ts';
import { microphonePermission } from '../../page/microphone.ts';
import type { SdkEvent } from '../calling-sdk.ts';
import { nextTask } from './next-task.ts';
import { VbotCall } from './call.ts';
import type { VbotElement } from './widget.ts';
import { callDataSchema, type VbotCallData, type VbotMessage } from './messages.ts';
import { outcomeOf } from './outcome.ts';
import { troubleError } from './texts.ts';

/** A call that does not begin, is not answered or does not end within this time after it was asked for, never will. */
const CALL_TIMEOUT_MS = 10_000;
const HANG_UP_TIMEOUT_MS = 5000;
/** "idle" comes together with the end of a call; alone, it is the end in a version that has no event for it. */
const SILENT_END_MS = 1000;
/** No event says that the session is there (the far phone rings); it has to be looked for. */
const SESSION_POLL_MS = 50;

/** A call asked for, of which the SDK has not said yet that it began. */
interface Placing {
  readonly began: () => void;
  readonly failed: (error: DialerError) => void;
  readonly troubles: string[];
}

export class VbotCalls {
  readonly #element: VbotElement;
  readonly #emit: (event: SdkEvent) => void;
  readonly #signal: AbortSignal;
  #placing: Placing | undefined;
  /** Given up before it began: it may still begin, and is then ended at once. */
  #isGivenUp = false;
  /** SIP status of the latest refused INVITE since the last dial. */
  #refusal: number | undefined;
  #call: VbotCall | undefined;

  /** @param signal ends it all, without a further event */
  constructor(element: VbotElement, emit: (event: SdkEvent) => void, signal: AbortSignal) {
    this.#element = element;
    this.#emit = emit;
    this.#signal = signal;
    signal.addEventListener('abort', () => {
      this.#failPlacing(new DialerError('not-ready', 'The SDK was closed.'));
      this.#call = undefined;
    });
  }

  noteRefusal(status: number): void {
    this.#refusal = status;
  }

  noteAnsweredElsewhere(): void {
    if (this.#call?.info.direction === 'incoming') this.#call.answeredElsewhere = true;
  }

  async dial(number: string, hotline: string | undefined, externalCallId: string | undefined): Promise<void> {
    if (this.#placing || this.#call || this.#isGivenUp)
      throw new DialerError('busy', 'The SDK is in a call.');
    this.#refusal = undefined;
    const make = async () => this.#element.makeCall(number, hotline, externalCallId);
    await new Promise<void>((resolve, reject) => {
      const placing: Placing = { began: resolve, failed: reject, troubles: [] };
      this.#placing = placing;
      // It resolves whatever happens; only the events before it tell whether there is a call.
      const judge = () => nextTask(() => this.#judgePlacing(placing));
      make().then(judge, judge);
      void this.#watchPlacing(placing);
    });
  }

  answer(): void {
    const call = this.#call;
    // Answering twice breaks the SDK's own call data.
    if (!call || call.answering) return;
    call.answering = true;
    const judge = () => nextTask(() => this.#judgeAnswer(call));
    const answer = async () => this.#element.answerCall();
    answer().then(judge, judge);
  }

  hangUp(): void {
    // The SDK ignores a hang-up that comes before its call has begun.
    if (this.#placing) this.#giveUpPlacing(new DialerError('call-rejected', 'The call was given up.'));
    const call = this.#call;
    if (!call) return;
    call.hungUp = true;
    nextTask(() => this.#element.hangupCall());
    this.#later(HANG_UP_TIMEOUT_MS, () => this.#call === call && this.#endByForce());
  }

  setMuted(on: boolean): void {
    const muted = this.#call?.setMuted(on);
    if (muted !== undefined) this.#emit({ type: 'muted', on: muted });
  }

  setHeld(on: boolean): void {
    this.#call?.setHeld(on);
  }

  sendDtmf(tones: string): void {
    this.#element.sendDTMF(tones);
  }

  read(message: VbotMessage, following: readonly VbotMessage[]): void {
    switch (message.type) {
      case 'progress':
        if (message.call.direction === 'outgoing') this.#begin(message.call);
        return;
      case 'incoming':
        this.#begin(message.call);
        return;
      case 'accepted':
        this.#call?.useSession(message.call.session);
        this.#sayAnswered();
        return;
      case 'duration':
        this.#sayAnswered();
        return;
      case 'ended':
        this.#end(following.find((later) => later.type === 'call-failed')?.text);
        return;
      case 'trouble':
        this.#placing?.troubles.push(message.text);
        if (this.#call?.answering) this.#call.troubles.push(message.text);
        return;
      case 'state':
        if (message.state === 'in-call') this.#sayAnswered();
        if (message.state === 'idle' || message.state === 'ended') this.#expectEnd();
        return;
    }
  }

  #begin(data: VbotCallData): void {
    if (this.#call) return;
    if (data.direction === 'outgoing' && this.#isGivenUp) return this.#endGivenUp();
    const call = new VbotCall(data, this.#emit, () => this.#loseAudio());
    this.#call = call;
    if (data.direction === 'incoming') {
      this.#emit({ type: 'incoming', call: call.info });
      return;
    }
    this.#emit({ type: 'dialing', call: call.info });
    const placing = this.#placing;
    this.#placing = undefined;
    placing?.began();
    this.#lookForSession(call);
  }

  #lookForSession(call: VbotCall): void {
    const timer = setInterval(() => {
      if (this.#call !== call || call.hasSession) return clearInterval(timer);
      const data = callDataSchema.safeParse(this.#element.getCallData());
      if (data.success) call.useSession(data.data.session);
    }, SESSION_POLL_MS);
  }

  #sayAnswered(): void {
    if (!this.#call || this.#call.answered) return;
    this.#call.answered = true;
    this.#emit({ type: 'answered' });
    this.#call?.watchMicrophone();
  }

  #end(failureText: string | undefined): void {
    const call = this.#call;
    this.#isGivenUp = false;
    if (!call) return;
    this.#call = undefined;
    const { direction } = call.info;
    const status = call.sipStatus ?? (direction === 'outgoing' ? this.#refusal : undefined);
    const { outcome, confidence } = outcomeOf({
      direction,
      isAnswered: call.answered,
      isAnswering: call.answering,
      isHungUp: call.hungUp,
      isAudioLost: call.lost,
      isElsewhere: call.answeredElsewhere,
      status,
      text: failureText,
    });
    const refusal = call.answered ? undefined : status;
    this.#emit({ type: 'ended', outcome, confidence, status: refusal, reason: failureText ?? '' });
  }

  #expectEnd(): void {
    const call = this.#call;
    this.#later(SILENT_END_MS, () => call && this.#call === call && this.#end(undefined));
  }

  /** The SDK does not end its call: the agent goes on without it, on a new one. */
  #endByForce(): void {
    this.#end(undefined);
    this.#emit({
      type: 'failed',
      error: new DialerError('registration-failed', 'The SDK did not end its call.'),
    });
  }

  /** The far end is out of reach for good, and the SDK would stay in the call for ever. */
  #loseAudio(): void {
    const call = this.#call;
    if (!call) return;
    call.lost = true;
    this.hangUp();
  }

  #judgePlacing(placing: Placing): void {
    if (this.#placing === placing) this.#failPlacing(troubleError(placing.troubles));
    // Resolved without having begun: it never will.
    this.#isGivenUp = false;
  }

  /** While the browser asks for the microphone, the agent may take all the time of the world. */
  async #watchPlacing(placing: Placing): Promise<void> {
    const isAsking = (await microphonePermission()) === 'prompt';
    this.#later(CALL_TIMEOUT_MS, () => {
      if (this.#placing !== placing) return;
      if (isAsking) return void this.#watchPlacing(placing);
      this.#giveUpPlacing(new DialerError('call-rejected', 'The SDK did not start the call.'));
    });
  }

  #giveUpPlacing(error: DialerError): void {
    this.#isGivenUp = true;
    this.#failPlacing(error);
  }

  #failPlacing(error: DialerError): void {
    const placing = this.#placing;
    this.#placing = undefined;
    placing?.failed(error);
  }

  #endGivenUp(): void {
    nextTask(() => this.#element.hangupCall());
  }

  #judgeAnswer(call: VbotCall): void {
    if (call.troubles.length > 0) return this.#failAnswer(call);
    this.#later(CALL_TIMEOUT_MS, () => this.#failAnswer(call));
  }

  /** The SDK keeps ringing after a refused microphone; the agent may try again. */
  #failAnswer(call: VbotCall): void {
    if (this.#call !== call || call.answered) return;
    call.answering = false;
    this.#emit({ type: 'answer-trouble', error: troubleError(call.troubles.splice(0)) });
  }

  #later(milliseconds: number, work: () => unknown): void {
    const timer = setTimeout(work, milliseconds);
    this.#signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  }
}
