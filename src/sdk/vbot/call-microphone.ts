/** The microphone of an answered call: watched, and exchanged for another one. */
import { within } from '../../wait.ts';
import type { SdkEvent } from '../calling-sdk.ts';
import type { JsSipSession } from './messages.ts';
import type { Microphones } from './microphones.ts';
import type { VbotElement } from './widget.ts';

/** The browser may ask the agent for each microphone. */
const OPEN_TIMEOUT_MS = 30_000;
/** If another microphone opens within this time, the agent does not read that a microphone was lost. */
const LOST_AFTER_MS = 1000;

export interface MicrophoneOptions {
  readonly session: JsSipSession;
  readonly element: VbotElement;
  readonly microphones: Microphones;
  readonly emit: (event: SdkEvent) => void;
  /** Aborts when the agent is out of the call. */
  readonly left: AbortSignal;
}

export class CallMicrophone {
  readonly #options: MicrophoneOptions;
  /** Another track is sent, which is silent until then. */
  readonly #onSent: () => void;
  #isAnswered = false;
  #isLost = false;
  /** Id of the device that the agent wants, and of the one asked for last; empty: the system's. */
  #wanted = '';
  #asked = '';
  /** Of the track that is sent now. */
  #watching: AbortController | undefined;
  /** One change after the other: two at once would leave a microphone open. */
  #changing: Promise<void> = Promise.resolve();

  constructor(options: MicrophoneOptions, onSent: () => void) {
    this.#options = options;
    this.#onSent = onSent;
  }

  /** The track that is sent now. */
  get track(): MediaStreamTrack | undefined {
    return this.#sender?.track ?? undefined;
  }

  /** The call is answered. */
  begin(): void {
    this.#isAnswered = true;
    if (this.track?.getSettings?.().deviceId === this.#wanted) this.#asked = this.#wanted;
    this.#watch();
    this.#change();
  }

  /** @param id of a device, empty: the system's; used from the answer on */
  use(id: string): void {
    this.#wanted = id;
    if (this.#isAnswered) this.#change();
  }

  get #sender(): RTCRtpSender | undefined {
    return this.#options.session.connection?.getSenders().find(({ track }) => track?.kind === 'audio');
  }

  /** Only the track itself tells that its microphone was unplugged or taken back. */
  #watch(): void {
    const { track } = this;
    this.#watching?.abort();
    this.#watching = new AbortController();
    const signal = AbortSignal.any([this.#watching.signal, this.#options.left]);
    track?.addEventListener('ended', () => this.#change(), { once: true, signal });
  }

  #change(): void {
    this.#changing = this.#changing.then(() => this.#update()).catch(() => undefined);
  }

  /** If no other microphone can be opened, the call goes on with the present one. */
  async #update(): Promise<void> {
    const { left } = this.#options;
    const wanted = this.#wanted;
    // The track may have ended without an event: the SDK reuses an old stream that the dialer has stopped.
    const isEnded = this.track?.readyState === 'ended';
    if (left.aborted || !this.track || (wanted === this.#asked && !isEnded)) return;
    this.#asked = wanted;
    if (!isEnded) return void (await this.#open(wanted));
    const opening = this.#openAny(wanted);
    if ((await within(opening, LOST_AFTER_MS)) === undefined) this.#setLost(true);
    this.#setLost(!(await opening));
  }

  #setLost(isLost: boolean): void {
    const { left, emit } = this.#options;
    if (isLost === this.#isLost || left.aborted) return;
    this.#isLost = isLost;
    emit({ type: 'microphone', lost: isLost });
  }

  async #openAny(wanted: string): Promise<boolean> {
    return (await this.#open(wanted)) || (wanted !== '' && (await this.#open('')));
  }

  /** The SDK's own method unmutes, so what it opens stays silent until it is known whether the agent is muted. */
  async #open(id: string): Promise<boolean> {
    const { element, microphones } = this.#options;
    const before = this.track;
    const opening = microphones.watchSilenced(async () =>
      element.setAudioInputDevice ? element.setAudioInputDevice(id || 'default') : this.#replace(id),
    );
    const opened = opening.then(
      (isDone) => this.#opened(before) && isDone !== false,
      () => false,
    );
    return (await within(opened, OPEN_TIMEOUT_MS)) ?? false;
  }

  /** For an SDK without that method. */
  async #replace(id: string): Promise<boolean> {
    const sender = this.#sender;
    const stream = await navigator.mediaDevices.getUserMedia({
      audio: id === '' ? true : { deviceId: { exact: id } },
      video: false,
    });
    const [track] = stream.getAudioTracks();
    if (!sender || !track) return false;
    await sender.replaceTrack(track);
    return true;
  }

  /** @returns whether another track is sent now */
  #opened(before: MediaStreamTrack | undefined): boolean {
    if (this.track === before) return false;
    before?.stop();
    this.#onSent();
    this.#watch();
    return true;
  }
}
