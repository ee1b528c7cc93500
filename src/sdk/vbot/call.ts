/** One call of the vendor's SDK, with what its session can do better than the SDK's own methods. */
import type { SdkCall, SdkEvent } from '../calling-sdk.ts';
import { Hold } from './hold.ts';
import { parseSipStatus, type VbotCallData, type VbotSession } from './call-messages.ts';
import type { Microphones } from './microphones.ts';
import type { CallEnd } from './outcome.ts';
import { later } from '../../wait.ts';

/** A connection that has failed may be mended by a new network for this long. */
const AUDIO_TIMEOUT_MS = 10_000;

interface CallListener {
  readonly emit: (event: SdkEvent) => void;
  /** The other party is out of reach for good, and the SDK would stay in the call for ever. */
  readonly loseAudio: () => void;
  /** The session is over, whatever the SDK says of it. */
  readonly sessionEnded: () => void;
  /** Is there a socket to the exchange? */
  readonly isReachable: () => boolean;
}

export class VbotCall {
  readonly info: SdkCall;
  readonly microphones: Microphones;
  isAnswered = false;
  isAnswering = false;
  isHungUp = false;
  isAudioLost = false;
  isElsewhere = false;
  /** What the SDK said of its failure before its end. */
  failure: string | undefined;
  #sipStatus: number | undefined;
  readonly #listener: CallListener;
  readonly #over = new AbortController();
  #session: VbotSession | undefined;
  #hold: Hold | undefined;

  constructor(data: VbotCallData, microphones: Microphones, listener: CallListener) {
    const { id, direction, phoneNumber, displayName, externalCallId } = data;
    this.info = { id, direction, number: phoneNumber, name: displayName, externalCallId };
    this.microphones = microphones;
    this.#listener = listener;
    this.useSession(data.session);
  }

  /** Aborted when the call is over. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  get hasSession(): boolean {
    return this.#session !== undefined;
  }

  useSession(session: VbotSession | undefined): void {
    if (!session || this.#session) return;
    this.#session = session;
    const { emit, sessionEnded, isReachable } = this.#listener;
    // Comes after the SDK's own event, but in the same task: in time for whoever reads it in a later one.
    session.on('failed', (data) => {
      this.#sipStatus = parseSipStatus(data);
      sessionEnded();
    });
    session.on('ended', sessionEnded);
    this.#watchAudio(session);
    this.#hold = new Hold(session, { emit, over: this.over, isAnswered: () => this.isAnswered, isReachable });
    if (this.isAnswered) this.watchMicrophone();
  }

  /**
   * Through the session, because the SDK's own switch misses the second microphone stream of an incoming call; then
   * verified on the tracks that are really sent.
   *
   * @returns what is true now; `undefined` while there is nothing to mute.
   */
  setMuted(on: boolean): boolean | undefined {
    const session = this.#session;
    if (!session) return undefined;
    try {
      if (on) session.mute({ audio: true });
      else session.unmute({ audio: true });
    } catch {
      // The tracks decide what is heard.
    }
    // On hold nothing is sent, muted or not.
    for (const { track } of this.#audioSenders()) track.enabled = !on && this.#hold?.isOn !== true;
    return on;
  }

  setHeld(on: boolean): void {
    if (this.#hold) this.#hold.set(on);
    else this.#listener.emit({ type: 'hold-refused', on });
  }

  /** What is sent from now on: nobody but the track itself tells that a microphone was unplugged or taken back. */
  watchMicrophone(): void {
    const lose = () => this.#listener.emit({ type: 'microphone-lost' });
    for (const { sender, track } of this.#audioSenders()) {
      // The SDK uses a stream again that it had left open, and that was closed for it.
      if (track.readyState === 'ended') this.#replaceTrack(sender).catch(lose);
      else track.addEventListener('ended', lose, { once: true, signal: this.over });
    }
  }

  /** Nobody is heard any more, though the SDK keeps the call. */
  silence(): void {
    const { connection } = this.#session ?? {};
    const ends = [...(connection?.getSenders() ?? []), ...(connection?.getReceivers() ?? [])];
    for (const { track } of ends) track?.stop();
  }

  /** The SDK does not: the session itself is asked to end. */
  isOnHold?(): { readonly local: boolean };
  terminate(options?: { readonly status_code: number }): void {
    try {
      this.#session?.terminate(options);
    } catch {
      // It is over already.
    }
  }

  /** @param text what the SDK says of its failure; absent: it names none */
  close(text: string | undefined, refusal: number | undefined): CallEnd {
    this.#over.abort();
    this.microphones.close();
    const { isAnswered, isAnswering, isHungUp, isAudioLost, isElsewhere } = this;
    const { direction } = this.info;
    const status = this.#sipStatus ?? (direction === 'outgoing' ? refusal : undefined);
    const flags = { isAnswered, isAnswering, isHungUp, isAudioLost, isElsewhere };
    // What was refused of an answered call was not the call.
    return { ...flags, direction, status: isAnswered ? undefined : status, text: text ?? this.failure };
  }

  #audioSenders(): { readonly sender: RTCRtpSender; readonly track: MediaStreamTrack }[] {
    const senders = this.#session?.connection?.getSenders() ?? [];
    return senders.flatMap((sender) =>
      sender.track?.kind === 'audio' ? [{ sender, track: sender.track }] : [],
    );
  }

  async #replaceTrack(sender: RTCRtpSender): Promise<void> {
    const [track] = (await this.microphones.open()).getAudioTracks();
    if (track && !this.over.aborted) await sender.replaceTrack(track);
  }

  /** No event of the SDK's tells that the other party is out of reach. */
  #watchAudio(session: VbotSession): void {
    const { connection } = session;
    if (!connection) return void session.on('peerconnection', () => this.#watchAudio(session));
    const isFailed = () => connection.connectionState === 'failed';
    const look = () => {
      if (isFailed()) later(AUDIO_TIMEOUT_MS, this.over, () => isFailed() && this.#listener.loseAudio());
    };
    connection.addEventListener('connectionstatechange', look, { signal: this.over });
  }
}
