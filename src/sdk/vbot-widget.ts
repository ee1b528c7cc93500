/**
 * The adapter to the vendor's `<vbot-widget>`. Its names, its Vietnamese texts and its quirks stop here.
 */
import { DialerError } from '../errors.ts';
import { microphonePermission } from '../page/microphone.ts';
import type { BootOptions, CallingSdk, SdkEvent, Sounds } from './calling-sdk.ts';
import { loadScript, type ScriptOptions } from './load-script.ts';
import { nextTask } from './next-task.ts';
import { callDataSchema, parseHotlines, type VbotCallData, type VbotMessage } from './vbot-messages.ts';
import { openInbox, type InboxReader } from './vbot-inbox.ts';
import { VbotCall } from './vbot-call.ts';
import { troubleError } from './vbot-texts.ts';
import { tapNextSocket } from './sip-tap.ts';
import { enterStage, leaveStage, reserveStage } from './vbot-stage.ts';

/** The vendor's published address; always handed over, else the SDK would take one from the page's own query string. */
const VENDOR_API_BASE = 'https://open-api-h01.vbot.vn/v3.0';
const TAG = 'vbot-widget';
/** Without a word from the SDK for this long after its start, the agent is told; the SDK may still come up later. */
const BOOT_PATIENCE_MS = 20_000;
/** A call that does not begin, is not answered or does not end within this time after it was asked for, never will. */
const CALL_PATIENCE_MS = 10_000;
const HANG_UP_PATIENCE_MS = 5000;
/** "idle" comes together with the end of a call; alone, it is the end in a version that has no event for it. */
const SILENT_END_MS = 1000;
/** No event says that the session is there (the far phone rings); it has to be looked for. */
const SESSION_POLL_MS = 50;

interface VbotElement extends HTMLElement {
  makeCall(number: string, hotline?: string, externalCallId?: string): Promise<unknown>;
  answerCall(): Promise<unknown>;
  hangupCall(): void;
  sendDTMF(tone: string): void;
  getHotlines(): unknown;
  getCallData(): unknown;
}

/** After any of these the SDK can be removed without leaving a registration behind. */
const BOOT_ENDS = new Set(['vbot:onConnecting', 'vbot:onUserConnected', 'vbot:onUserConnectionFailed']);

const isDefined = () => customElements.get(TAG) !== undefined;

/** A call asked for, of which the SDK has not said yet that it began. */
interface Placing {
  readonly began: () => void;
  readonly failed: (error: DialerError) => void;
  readonly troubles: string[];
}

export class VbotSdk implements CallingSdk {
  readonly #script: Omit<ScriptOptions, 'isReady'>;
  readonly #emit: (event: SdkEvent) => void;
  readonly #life = new AbortController();
  #element: VbotElement | undefined;
  #sounds: Sounds = {};
  #visible = false;
  #reserved = false;
  #registered = false;
  #settleBoot: () => void = () => undefined;
  readonly #bootSettled = new Promise<void>((resolve) => {
    this.#settleBoot = resolve;
  });
  #placing: Placing | undefined;
  /** Given up before it began: it may still begin, and is then ended at once. */
  #isGivenUp = false;
  /** SIP status of the latest refused INVITE since the last dial. */
  #refusal: number | undefined;
  #call: VbotCall | undefined;

  constructor(script: Omit<ScriptOptions, 'isReady'>, emit: (event: SdkEvent) => void) {
    this.#script = script;
    this.#emit = emit;
  }

  async load(): Promise<void> {
    // A page that loads the SDK itself is not made to load it twice.
    if (!isDefined()) await loadScript({ ...this.#script, isReady: isDefined });
  }

  async boot(options: BootOptions, signal: AbortSignal): Promise<void> {
    this.#sounds = options.sounds;
    await reserveStage(signal);
    this.#reserved = true;
    const element = document.createElement(TAG) as VbotElement;
    this.#element = element;
    this.#visible = options.vendorUi;
    element.setAttribute('token', options.token);
    element.setAttribute('base-url', options.baseUrl ?? VENDOR_API_BASE);
    element.setAttribute('headless', String(!this.#visible));
    // What was set while the place was taken counts.
    this.setSounds(this.#sounds);
    const reader: InboxReader = {
      peek: (eventName) => this.#peek(eventName),
      read: (message, following) => this.#read(message, following),
    };
    openInbox(element, reader, this.#life.signal);
    const patience = setTimeout(() => this.#loseBootPatience(), BOOT_PATIENCE_MS);
    this.#life.signal.addEventListener('abort', () => {
      // A boot that has ended keeps nothing alive; one that goes on has to be waited for.
      void this.#bootSettled.then(() => clearTimeout(patience));
    });
    enterStage(element, this.#visible);
  }

  async dial(number: string, hotline: string | undefined, externalCallId: string | undefined): Promise<void> {
    const element = this.#element;
    if (!element || !this.#registered) throw new DialerError('not-ready', 'The SDK is not registered.');
    if (this.#placing || this.#call || this.#isGivenUp)
      throw new DialerError('busy', 'The SDK is in a call.');
    this.#refusal = undefined;
    const make = async () => element.makeCall(number, hotline, externalCallId);
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
    const element = this.#element;
    if (!element || !call || call.answering) return;
    call.answering = true;
    const judge = () => nextTask(() => this.#judgeAnswer(call));
    const answer = async () => element.answerCall();
    answer().then(judge, judge);
  }

  hangUp(): void {
    // The SDK ignores a hang-up that comes before its call has begun.
    if (this.#placing) this.#giveUpPlacing(new DialerError('call-rejected', 'The call was given up.'));
    const call = this.#call;
    if (!call) return;
    call.hungUp = true;
    nextTask(() => this.#element?.hangupCall());
    this.#later(HANG_UP_PATIENCE_MS, () => this.#call === call && this.#endByForce());
  }

  setMuted(on: boolean): void {
    const muted = this.#call?.setMuted(on);
    if (muted !== undefined) this.#emit({ type: 'muted', on: muted });
  }

  setHeld(on: boolean): void {
    this.#call?.setHeld(on);
  }

  sendDtmf(tones: string): void {
    this.#element?.sendDTMF(tones);
  }

  setSounds(sounds: Sounds): void {
    this.#sounds = sounds;
    // Only `config` works at run time; the attribute of the same name is ignored by the public build.
    const config = {
      headless: !this.#visible,
      enableFloatingBubble: this.#visible,
      ...(sounds.disconnect && { disconnectSoundUrl: sounds.disconnect }),
      ...(sounds.ringtone && { ringtoneUrl: sounds.ringtone }),
      ...(sounds.holdMusic && { holdMusicUrl: sounds.holdMusic }),
    };
    this.#element?.setAttribute('config', JSON.stringify(config));
  }

  close(): void {
    if (this.#life.signal.aborted) return;
    // Keeps listening to the end of the boot, then to nothing.
    const settled = this.#bootSettled;
    this.#failPlacing(new DialerError('not-ready', 'The SDK was closed.'));
    this.#call = undefined;
    this.#life.abort();
    if (this.#reserved) leaveStage(this.#element, settled);
  }

  #peek(eventName: string): void {
    if (BOOT_ENDS.has(eventName)) this.#settleBoot();
    // At once: the socket opens in this very task.
    if (eventName === 'vbot:onConnecting') this.#tapSocket();
  }

  #tapSocket(): void {
    if (this.#life.signal.aborted) return;
    tapNextSocket((status) => {
      this.#refusal = status;
    });
  }

  #read(message: VbotMessage, following: readonly VbotMessage[]): void {
    switch (message.type) {
      case 'registered':
        this.#registered = true;
        void this.#sayRegistered();
        return;
      case 'lost':
        this.#registered = false;
        this.#emit({ type: 'lost' });
        return;
      case 'failed':
        this.#emit({ type: 'failed', error: this.#bootError(message.text) });
        this.#registered = false;
        return;
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

  async #sayRegistered(): Promise<void> {
    // An array in the public build, a promise by the documentation.
    const ask = async () => this.#element?.getHotlines();
    const hotlines = parseHotlines(await ask().catch(() => undefined));
    if (!this.#life.signal.aborted) this.#emit({ type: 'registered', hotlines });
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
      const data = callDataSchema.safeParse(this.#element?.getCallData());
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
    const status = call.sipStatus ?? (call.info.direction === 'outgoing' ? this.#refusal : undefined);
    const failure = failureText === undefined ? undefined : { text: failureText, status };
    this.#emit({ type: 'ended', hungUpHere: call.hungUp, lost: call.lost, failure });
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
    this.#later(CALL_PATIENCE_MS, () => {
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
    nextTask(() => this.#element?.hangupCall());
  }

  #judgeAnswer(call: VbotCall): void {
    if (call.troubles.length > 0) return this.#failAnswer(call);
    this.#later(CALL_PATIENCE_MS, () => this.#failAnswer(call));
  }

  /** The SDK keeps ringing after a refused microphone; the agent may try again. */
  #failAnswer(call: VbotCall): void {
    if (this.#call !== call || call.answered) return;
    call.answering = false;
    this.#emit({ type: 'answer-trouble', error: troubleError(call.troubles.splice(0)) });
  }

  #later(milliseconds: number, work: () => unknown): void {
    const timer = setTimeout(work, milliseconds);
    this.#life.signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  }

  #bootError(text: string): DialerError {
    // One text for a refused token and for an outage: which of them it was cannot be told here.
    const beforeExchange = /khởi tạo/i.test(text);
    return beforeExchange
      ? new DialerError('sdk-auth-failed', 'The calling service did not accept the sign-in.')
      : new DialerError('registration-failed', 'The exchange did not accept the registration.');
  }

  #loseBootPatience(): void {
    this.#settleBoot();
    if (this.#life.signal.aborted || this.#registered) return;
    this.#emit({
      type: 'failed',
      error: new DialerError('registration-failed', 'The exchange has not answered.'),
    });
  }
}
