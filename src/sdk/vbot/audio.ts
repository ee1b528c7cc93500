/** What is sent and heard in a call, on the tracks of its connection. */
import { later } from '../../wait.ts';
import type { CallMedia } from '../calling-sdk.ts';
import type { JsSipSession } from './messages.ts';
import type { Microphones } from './microphones.ts';

/** A new network may mend a failed connection within this time. */
const AUDIO_TIMEOUT_MS = 10_000;

interface CallAudioOptions {
  readonly microphones: Microphones;
  /** Aborts when the call is over. */
  readonly over: AbortSignal;
  readonly onMicrophoneLost: () => void;
  /** The far end is out of reach for good; the SDK would stay in the call for ever. */
  readonly onLost: () => void;
}

export class CallAudio {
  readonly #session: JsSipSession;
  readonly #options: CallAudioOptions;

  constructor(session: JsSipSession, options: CallAudioOptions) {
    this.#session = session;
    this.#options = options;
    this.#watchConnection();
  }

  get media(): CallMedia | undefined {
    const { connection } = this.#session;
    if (!connection) return undefined;
    return { stats: () => connection.getStats(), microphone: () => this.#senders()[0]?.track };
  }

  /**
   * Through the session, because the SDK's own method misses the second microphone stream of an incoming call; then on the
   * tracks that are really sent.
   */
  setMuted(on: boolean, isHeld: boolean): void {
    try {
      if (on) this.#session.mute({ audio: true });
      else this.#session.unmute({ audio: true });
    } catch {
      // The tracks decide what is heard.
    }
    for (const { track } of this.#senders()) track.enabled = !on && !isHeld;
  }

  /** Only the track itself tells that its microphone was unplugged or taken back. */
  watchMicrophone(): void {
    const { over, onMicrophoneLost } = this.#options;
    for (const { sender, track } of this.#senders()) {
      // The SDK uses a stream again that it had left open, and that we have closed.
      if (track.readyState === 'ended') this.#replaceTrack(sender).catch(onMicrophoneLost);
      else track.addEventListener('ended', onMicrophoneLost, { once: true, signal: over });
    }
  }

  /** Nobody is heard any more, though the SDK keeps the call. */
  stop(): void {
    const { connection } = this.#session;
    const ends = [...(connection?.getSenders() ?? []), ...(connection?.getReceivers() ?? [])];
    for (const { track } of ends) track?.stop();
  }

  #senders(): { readonly sender: RTCRtpSender; readonly track: MediaStreamTrack }[] {
    const senders = this.#session.connection?.getSenders() ?? [];
    return senders.flatMap((sender) =>
      sender.track?.kind === 'audio' ? [{ sender, track: sender.track }] : [],
    );
  }

  async #replaceTrack(sender: RTCRtpSender): Promise<void> {
    const { microphones, over } = this.#options;
    const [track] = (await microphones.open()).getAudioTracks();
    if (track && !over.aborted) await sender.replaceTrack(track);
  }

  /** No event of the SDK tells that the far end is out of reach. */
  #watchConnection(): void {
    const { connection } = this.#session;
    if (!connection) return void this.#session.on('peerconnection', () => this.#watchConnection());
    const { over, onLost } = this.#options;
    const isFailed = () => connection.connectionState === 'failed';
    const check = () => {
      if (isFailed()) later(AUDIO_TIMEOUT_MS, over, () => isFailed() && onLost());
    };
    connection.addEventListener('connectionstatechange', check, { signal: over });
  }
}
