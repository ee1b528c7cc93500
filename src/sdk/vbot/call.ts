/** One call of the vendor's SDK, with what its session can do better than the SDK's own methods. */
import type { SdkCall, SdkEvent } from '../calling-sdk.ts';
import { parseSipStatus, type VbotCallData, type VbotSession } from './messages.ts';

/** A connection that has failed may be mended by a new network for this long. */
const AUDIO_TIMEOUT_MS = 10_000;

export class VbotCall {
  readonly info: SdkCall;
  answered = false;
  answering = false;
  hungUp = false;
  /** The audio is gone for good. */
  lost = false;
  answeredElsewhere = false;
  sipStatus: number | undefined;
  /** Texts of errors that came while answering. */
  readonly troubles: string[] = [];
  readonly #emit: (event: SdkEvent) => void;
  readonly #loseAudio: () => void;
  #session: VbotSession | undefined;

  constructor(data: VbotCallData, emit: (event: SdkEvent) => void, loseAudio: () => void) {
    const { id, direction, phoneNumber, displayName, externalCallId } = data;
    this.info = { id, direction, number: phoneNumber, name: displayName, externalCallId };
    this.#emit = emit;
    this.#loseAudio = loseAudio;
    this.useSession(data.session);
  }

  get hasSession(): boolean {
    return this.#session !== undefined;
  }

  useSession(session: VbotSession | undefined): void {
    if (!session || this.#session) return;
    this.#session = session;
    // Comes after the SDK's own event, but in the same task: in time for whoever reads it in a later one.
    session.on('failed', (data) => {
      this.sipStatus = parseSipStatus(data);
    });
    this.#watchAudio(session);
    session.on('hold', (data) => this.#sayHeld(data, true));
    session.on('unhold', (data) => this.#sayHeld(data, false));
  }

  /** No event of the SDK's tells that the far end is out of reach. */
  #watchAudio(session: VbotSession): void {
    const { connection } = session;
    if (!connection) return void session.on('peerconnection', () => this.#watchAudio(session));
    connection.addEventListener('connectionstatechange', () => {
      if (connection.connectionState !== 'failed') return;
      setTimeout(() => connection.connectionState === 'failed' && this.#loseAudio(), AUDIO_TIMEOUT_MS);
    });
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
    if (on) session.mute({ audio: true });
    else session.unmute({ audio: true });
    for (const { track } of session.connection?.getSenders() ?? []) {
      if (track?.kind === 'audio') track.enabled = !on;
    }
    return on;
  }

  /** Nobody but the track itself tells that the microphone was unplugged or taken back. */
  watchMicrophone(): void {
    for (const { track } of this.#session?.connection?.getSenders() ?? []) {
      track?.addEventListener('ended', () => this.#emit({ type: 'microphone-lost' }), { once: true });
    }
  }

  /** What comes of it is told by `held` events. */
  setHeld(on: boolean): void {
    const session = this.#session;
    const isUnderWay = on ? session?.hold() : session?.unhold();
    if (!isUnderWay) this.#emit({ type: 'hold-refused', on });
  }

  #sayHeld(data: unknown, on: boolean): void {
    const originator: unknown = typeof data === 'object' && data !== null && Reflect.get(data, 'originator');
    if (originator === 'local') this.#emit({ type: 'held', on });
  }
}
