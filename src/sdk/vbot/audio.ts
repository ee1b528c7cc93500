/** What is sent and heard in a call, on the tracks of its connection. */
import { later } from '../../wait.ts';
import type { CallMedia } from '../calling-sdk.ts';
import { CallMicrophone, type CallMicrophoneOptions } from './call-microphone.ts';
import { onSession } from './messages.ts';

/** A new network may repair a failed connection within this time. */
const AUDIO_TIMEOUT_MS = 10_000;

interface CallAudioOptions extends CallMicrophoneOptions {
  /** The far end cannot be reached any more; the SDK would never end the call. */
  readonly onAudioLost: () => void;
}

export class CallAudio {
  readonly microphone: CallMicrophone;
  readonly #options: CallAudioOptions;

  constructor(options: CallAudioOptions) {
    this.#options = options;
    this.microphone = new CallMicrophone(options);
    this.#watchConnection();
  }

  get media(): CallMedia | undefined {
    const { connection } = this.#options.session;
    if (!connection) return undefined;
    return { stats: async () => connection.getStats(), microphone: () => this.microphone.track };
  }

  /** Stops the audio of both sides. The SDK keeps the call. */
  stop(): void {
    const { connection } = this.#options.session;
    const ends = [...(connection?.getSenders() ?? []), ...(connection?.getReceivers() ?? [])];
    for (const { track } of ends) track?.stop();
  }

  /** No event of the SDK reports that the far end cannot be reached. */
  #watchConnection(): void {
    const { session, over, onAudioLost } = this.#options;
    const { connection } = session;
    if (!connection) return onSession(session, 'peerconnection', over, () => this.#watchConnection());
    const isFailed = () => connection.connectionState === 'failed';
    const check = () => {
      if (isFailed()) later(AUDIO_TIMEOUT_MS, over, () => isFailed() && onAudioLost());
    };
    connection.addEventListener('connectionstatechange', check, { signal: over });
  }
}
