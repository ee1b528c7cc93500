/** What is sent and heard in a call, on the tracks of its connection. */
import { later } from '../../wait.ts';
import type { CallMedia } from '../calling-sdk.ts';
import { CallMicrophone, type CallMicrophoneOptions } from './call-microphone.ts';
import { onSession } from './messages.ts';

/** A new network may mend a failed connection within this time. */
const AUDIO_TIMEOUT_MS = 10_000;

interface CallAudioOptions extends CallMicrophoneOptions {
  /** The far end is out of reach for good; the SDK would stay in the call for ever. */
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

  /** Nobody is heard any more, though the SDK keeps the call. */
  stop(): void {
    const { connection } = this.#options.session;
    const ends = [...(connection?.getSenders() ?? []), ...(connection?.getReceivers() ?? [])];
    for (const { track } of ends) track?.stop();
  }

  /** No event of the SDK tells that the far end is out of reach. */
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
