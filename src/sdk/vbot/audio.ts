/**
 * What is sent and heard in an answered call. The track that is sent is on if the agent is neither muted nor holds the call. Its
 * microphone is watched, and exchanged for another one.
 */
import { aborted, every, later, within } from '../../wait.ts';
import type { CallAudio } from '../calling-sdk.ts';
import { Hold, type HoldOptions } from './hold.ts';
import { onSession } from './messages.ts';
import type { Microphones } from './microphones.ts';
import { isVisible, readMuted, type VbotElement } from './widget.ts';

/** A new network may repair a failed connection within this time. */
const AUDIO_TIMEOUT_MS = 10_000;
/** The browser may ask the agent for each microphone. */
const OPEN_TIMEOUT_MS = 30_000;
/** If another microphone opens within this time, the agent does not read that a microphone was lost. */
const LOST_AFTER_MS = 1000;
/** No event reports that the agent mutes on the SDK's own call screen. */
const SCREEN_POLL_MS = 100;

export interface AudioOptions extends HoldOptions {
  readonly element: VbotElement;
  readonly microphones: Microphones;
  /** Id of the device that the agent wants; empty: the system's. */
  readonly wantedMicrophone: () => string;
}

export class VbotAudio implements CallAudio {
  readonly #options: AudioOptions;
  readonly #hold: Hold;
  #isMuted = false;
  #watched: MediaStreamTrack | undefined;
  /** Id of the device that was asked for last. */
  #asked = '';
  /** One change after the other: two at once would leave a microphone open. */
  #changing: Promise<void> = Promise.resolve();

  constructor(options: AudioOptions) {
    this.#options = options;
    this.#hold = new Hold(options, () => this.#updateTrack());
    const { answered, left } = options.life;
    // `answered` is emitted first.
    void aborted(answered).then(() => this.#begin());
    left.addEventListener('abort', () => this.#stop());
    this.#watchConnection();
  }

  get microphone(): MediaStreamTrack | undefined {
    const senders = this.#options.session.connection?.getSenders() ?? [];
    return senders.find(({ track }) => track?.kind === 'audio')?.track ?? undefined;
  }

  async stats(): Promise<RTCStatsReport | undefined> {
    return this.#options.session.connection?.getStats();
  }

  #begin(): void {
    const wanted = this.#options.wantedMicrophone();
    if (this.microphone?.getSettings?.().deviceId === wanted) this.#asked = wanted;
    // On the SDK's own screen, the agent may have muted before the answer.
    this.#readScreen();
    this.changeMicrophone();
    const { element, life } = this.#options;
    if (isVisible(element)) every(SCREEN_POLL_MS, life.left, () => this.#readScreen());
  }

  /** From the answer on, sends the microphone that the agent wants, and no dead one. */
  changeMicrophone(): void {
    if (this.#options.life.answered.aborted)
      this.#changing = this.#changing.then(() => this.#updateMicrophone()).catch(() => undefined);
  }

  /** The track is off before the state says so, and on after that. */
  setMuted(on: boolean): void {
    this.#isMuted = on;
    if (on) this.#updateTrack();
    this.#options.emit({ type: 'muted', on });
    this.#muteSdk();
  }

  setHeld(on: boolean): Promise<void> {
    return this.#hold.set(on);
  }

  #muteSdk(): void {
    const { element } = this.#options;
    if (readMuted(element) === !this.#isMuted) element.toggleMuteMicrophone();
    this.#updateTrack();
  }

  /** The agent may have pressed there, or have chosen a microphone, which the SDK turns on. */
  #readScreen(): void {
    if (readMuted(this.#options.element) === !this.#isMuted) this.setMuted(!this.#isMuted);
    else this.#updateTrack();
  }

  #updateTrack(): void {
    const { microphone } = this;
    if (!microphone) return;
    microphone.enabled = !this.#isMuted && !this.#hold.isSilent;
    if (microphone === this.#watched) return;
    this.#watched = microphone;
    // Only the track itself tells that its microphone was unplugged or taken back.
    const { left: signal } = this.#options.life;
    microphone.addEventListener('ended', () => this.changeMicrophone(), { signal });
  }

  /** Stops the audio of both sides. The SDK may keep the call. */
  #stop(): void {
    const { connection } = this.#options.session;
    const ends = [...(connection?.getSenders() ?? []), ...(connection?.getReceivers() ?? [])];
    for (const { track } of ends) track?.stop();
  }

  /** No event of the SDK reports that the far end cannot be reached. */
  #watchConnection(): void {
    const { session, life, end } = this.#options;
    const { connection } = session;
    const { left } = life;
    if (!connection) return onSession(session, 'peerconnection', left, () => this.#watchConnection());
    const isFailed = () => connection.connectionState === 'failed';
    const check = () => {
      if (isFailed()) later(AUDIO_TIMEOUT_MS, left, () => isFailed() && end());
    };
    connection.addEventListener('connectionstatechange', check, { signal: left });
  }

  /** The track may have ended without an event: the SDK reuses an old stream that the dialer has stopped. */
  get #isEnded(): boolean {
    return this.microphone?.readyState === 'ended';
  }

  /** If no other microphone can be opened, the call goes on with the present one. */
  async #updateMicrophone(): Promise<void> {
    const { life, wantedMicrophone } = this.#options;
    const wanted = wantedMicrophone();
    const { microphone } = this;
    if (life.left.aborted || !microphone || (wanted === this.#asked && !this.#isEnded)) return;
    this.#asked = wanted;
    // The next one has a second of its own.
    later(LOST_AFTER_MS, life.left, () => this.microphone === microphone && this.#reportLost());
    await this.#open(wanted);
    if (this.#isEnded && wanted !== '' && !life.left.aborted) await this.#open('');
  }

  #reportLost(): void {
    this.#options.emit({ type: 'microphone', lost: this.#isEnded });
  }

  /** What the SDK opens stays silent until it is known whether the agent is muted. */
  async #open(id: string): Promise<void> {
    const { element, microphones } = this.#options;
    const before = this.microphone;
    const asked = this.#asked;
    const open = async () => {
      await microphones.watchSilenced(async () => element.setAudioInputDevice?.(id || 'default'));
      // The SDK has unmuted.
      this.#muteSdk();
      if (this.microphone === before) return;
      before?.stop();
      // Perhaps the browser has asked for longer than anybody waited, and another one was asked for meanwhile.
      this.#reportLost();
      if (asked === this.#asked) return;
      this.#asked = asked;
      this.changeMicrophone();
    };
    const opening = open().catch(() => undefined);
    await within(opening, OPEN_TIMEOUT_MS);
  }
}
