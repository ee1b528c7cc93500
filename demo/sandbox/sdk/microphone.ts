/** The microphone of the page's one client. */
import { Signal } from './signal.ts';
import type { VbotState } from './state.ts';
import { TEXTS } from './texts.ts';

export class Microphone {
  readonly #state: VbotState;
  readonly #stream = new Signal<MediaStream | undefined>(undefined);
  #muted = false;

  constructor(state: VbotState) {
    this.#state = state;
  }

  get muted(): boolean {
    return this.#muted;
  }

  /** The open microphone, else a new one. Two calls at once leave the first stream live, as in the vendor's build. */
  async open(): Promise<MediaStream> {
    const open = this.#stream.value;
    if (open) return open;
    const stream = await navigator.mediaDevices.getUserMedia({ audio: true, video: false });
    this.#stream.value = stream;
    this.#muted = false;
    return stream;
  }

  /** For an outgoing call; reports why there is none. */
  async openToCall(): Promise<MediaStream | undefined> {
    try {
      return await this.open();
    } catch (error) {
      this.#state.notify('error', failureText(error));
      return undefined;
    }
  }

  /** Before answering; false when the call has to go on ringing. Without a device it is answered all the same. */
  async openToAnswer(): Promise<boolean> {
    try {
      await this.open();
      return true;
    } catch (error) {
      const missing = isNamed(error, 'NotFoundError');
      if (missing) this.#state.notify('warning', TEXTS.microphoneMissingShort);
      else this.#state.notify('error', failureText(error));
      return missing;
    }
  }

  toggleMute(): void {
    this.#muted = !this.#muted;
    for (const track of this.#stream.peek()?.getAudioTracks() ?? []) track.enabled = !this.#muted;
  }

  /** Opens another device, also into a running call, and unmutes; false when it cannot be opened. */
  async use(deviceId: string, connection: RTCPeerConnection | null | undefined): Promise<boolean> {
    try {
      const audio = deviceId === 'default' ? {} : { deviceId: { exact: deviceId } };
      const stream = await navigator.mediaDevices.getUserMedia({ audio, video: false });
      const sender = connection?.getSenders().find(({ track }) => track?.kind === 'audio');
      await sender?.replaceTrack(stream.getAudioTracks()[0] ?? null);
      this.close();
      this.#stream.value = stream;
      return true;
    } catch {
      return false;
    }
  }

  close(): void {
    for (const track of this.#stream.peek()?.getTracks() ?? []) track.stop();
    this.#stream.value = undefined;
    this.#muted = false;
  }
}

function failureText(error: unknown): string {
  if (isNamed(error, 'NotFoundError')) return TEXTS.microphoneMissing;
  return isNamed(error, 'NotAllowedError') ? TEXTS.microphoneBlocked : TEXTS.microphoneFailed;
}

function isNamed(error: unknown, name: string): boolean {
  return error instanceof DOMException && error.name === name;
}
