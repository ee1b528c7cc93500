/** What is sent and heard in an answered call. The track that is sent is on if the agent is neither muted nor holds the call. */
import { later } from '../../wait.ts';
import type { CallAudio } from '../calling-sdk.ts';
import { CallMicrophone, type MicrophoneOptions } from './call-microphone.ts';
import { Hold, type HoldOptions } from './hold.ts';
import { onSession } from './messages.ts';

/** A new network may repair a failed connection within this time. */
const AUDIO_TIMEOUT_MS = 10_000;

interface AudioOptions extends MicrophoneOptions, HoldOptions {
  /** The far end cannot be reached any more; the SDK would never end the call. */
  readonly onAudioLost: () => void;
}

export class VbotAudio implements CallAudio {
  readonly #options: AudioOptions;
  readonly #microphone: CallMicrophone;
  readonly #hold: Hold;
  #isMuted = false;

  constructor(options: AudioOptions) {
    this.#options = options;
    this.#microphone = new CallMicrophone(options, () => this.#applySilence());
    this.#hold = new Hold(options, () => this.#applySilence());
    options.left.addEventListener('abort', () => this.#stop(), { once: true });
    this.#watchConnection();
  }

  get microphone(): MediaStreamTrack | undefined {
    return this.#microphone.track;
  }

  async stats(): Promise<RTCStatsReport | undefined> {
    return this.#options.session.connection?.getStats();
  }

  /** The call is answered. */
  begin(): void {
    this.#microphone.begin();
  }

  /** @param id of a device, empty: the system's; used from the answer on */
  useMicrophone(id: string): void {
    this.#microphone.use(id);
  }

  /** The track is off before the state says so, and on after that. */
  setMuted(on: boolean): void {
    const { session, emit } = this.#options;
    this.#isMuted = on;
    if (on) this.#applySilence();
    emit({ type: 'muted', on });
    try {
      if (this.#isMuted) session.mute({ audio: true });
      else session.unmute({ audio: true });
    } catch {
      // The track decides what is heard.
    }
    this.#applySilence();
  }

  setHeld(on: boolean): Promise<void> {
    return this.#hold.set(on);
  }

  #applySilence(): void {
    const { microphone } = this;
    if (microphone) microphone.enabled = !this.#isMuted && !this.#hold.isSilent;
  }

  /** Stops the audio of both sides. The SDK may keep the call. */
  #stop(): void {
    const { connection } = this.#options.session;
    const ends = [...(connection?.getSenders() ?? []), ...(connection?.getReceivers() ?? [])];
    for (const { track } of ends) track?.stop();
  }

  /** No event of the SDK reports that the far end cannot be reached. */
  #watchConnection(): void {
    const { session, left, onAudioLost } = this.#options;
    const { connection } = session;
    if (!connection) return onSession(session, 'peerconnection', left, () => this.#watchConnection());
    const isFailed = () => connection.connectionState === 'failed';
    const check = () => {
      if (isFailed()) later(AUDIO_TIMEOUT_MS, left, () => isFailed() && onAudioLost());
    };
    connection.addEventListener('connectionstatechange', check, { signal: left });
  }
}
