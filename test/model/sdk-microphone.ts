/** The microphone as the SDK opens it: one stream of its own that it uses again, and forgets to close in some cases. */
import type { PlayedClient } from './client.ts';
import type { PlayedStream } from './microphone.ts';

const TEXTS = {
  missing: 'Không tìm thấy thiết bị microphone. Hãy kết nối micro và thử lại.',
  missingShort: 'Không tìm thấy thiết bị microphone',
  blocked: 'Trình duyệt đang chặn quyền microphone. Vui lòng cho phép quyền để tiếp tục.',
  needed: 'Vui lòng cấp quyền truy cập microphone để thực hiện cuộc gọi',
} as const;

export class SdkMicrophone {
  readonly #client: PlayedClient;
  #shared: PlayedStream | undefined;
  #isMuted = false;

  constructor(client: PlayedClient) {
    this.#client = client;
  }

  get isMuted(): boolean {
    return this.#isMuted;
  }

  /** The track that is sent may be another one. */
  toggleMute(): void {
    this.#isMuted = !this.#isMuted;
    if (this.#shared) this.#shared.track.enabled = !this.#isMuted;
  }

  /** Says what is wrong, then gives none. */
  async openToCall(): Promise<PlayedStream | undefined> {
    try {
      return await this.#open();
    } catch (error) {
      this.#client.notify('error', isMissing(error) ? TEXTS.missing : TEXTS.blocked);
      this.#client.notify('error', TEXTS.needed);
      return undefined;
    }
  }

  /** `missing`: the call is answered all the same, and ends by that. */
  async openToAnswer(): Promise<'open' | 'refused' | 'missing'> {
    try {
      await this.#open();
      return 'open';
    } catch (error) {
      if (isMissing(error)) this.#client.notify('warning', TEXTS.missingShort);
      else this.#client.notify('error', TEXTS.blocked);
      return isMissing(error) ? 'missing' : 'refused';
    }
  }

  /** Also where no call is left to send it in. @returns false: none could be opened */
  async exchange(send: (stream: PlayedStream) => Promise<void>): Promise<boolean> {
    const next = await askBrowser().catch(() => undefined);
    if (!next) return false;
    await send(next);
    this.close();
    this.#shared = next;
    return true;
  }

  close(): void {
    this.#isMuted = false;
    this.#shared?.track.stop();
    this.#shared = undefined;
  }

  async #open(): Promise<PlayedStream> {
    this.#isMuted = false;
    this.#shared ??= await askBrowser();
    return this.#shared;
  }
}

/** In this very task, as the page may watch. */
export function askBrowser(): Promise<PlayedStream> {
  return navigator.mediaDevices.getUserMedia({ audio: true }) as unknown as Promise<PlayedStream>;
}

function isMissing(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'NotFoundError';
}
