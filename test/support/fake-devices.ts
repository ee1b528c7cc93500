/** The browser's audio devices, plugged in and pulled out by the test. What they deliver is a tone, or silence. */

import { Replacements } from './replacements.ts';

interface FakeDevice {
  readonly kind: 'audioinput' | 'audiooutput';
  readonly deviceId: string;
  readonly label: string;
}

export const BUILT_IN: FakeDevice = { kind: 'audioinput', deviceId: 'm1', label: 'Built-in' };
export const HEADSET: FakeDevice = { kind: 'audioinput', deviceId: 'm2', label: 'Headset' };
export const LOUDSPEAKER: FakeDevice = { kind: 'audiooutput', deviceId: 's1', label: 'Loudspeaker' };
export const EARPHONES: FakeDevice = { kind: 'audiooutput', deviceId: 's2', label: 'Headset' };
export const SCREEN: FakeDevice = { kind: 'audiooutput', deviceId: 's3', label: 'Screen' };

export class FakeDevices extends Replacements {
  plugged: readonly FakeDevice[];
  /** Each that was asked for, in order. */
  readonly opened: { readonly id: string; readonly track: MediaStreamTrack }[] = [];
  /** Why none opens. */
  refusal: string | undefined;
  /** A request waits until it is called. */
  grant: (() => void) | undefined;
  isWaiting = false;
  isLoud = true;
  readonly #audio = new AudioContext();

  constructor(...plugged: readonly FakeDevice[]) {
    super();
    this.plugged = plugged;
    const { mediaDevices } = navigator;
    this.replace(mediaDevices, 'enumerateDevices', async () => this.plugged);
    this.replace(mediaDevices, 'getUserMedia', (constraints: MediaStreamConstraints) =>
      this.#open(constraints),
    );
  }

  get live(): readonly string[] {
    return this.opened.filter(({ track }) => track.readyState === 'live').map(({ id }) => id);
  }

  /** A pulled microphone ends its tracks, then the page is told that the list has changed. */
  plug(...plugged: readonly FakeDevice[]): void {
    this.plugged = plugged;
    const isThere = (id: string) => id === '' || plugged.some(({ deviceId }) => deviceId === id);
    for (const { track } of this.opened.filter((each) => !isThere(each.id))) {
      if (track.readyState === 'ended') continue;
      track.stop();
      track.dispatchEvent(new Event('ended'));
    }
    navigator.mediaDevices.dispatchEvent(new Event('devicechange'));
  }

  override restore(): void {
    super.restore();
    void this.#audio.close();
  }

  async #open({ audio }: MediaStreamConstraints): Promise<MediaStream> {
    const wanted = typeof audio === 'object' ? audio.deviceId : undefined;
    const { exact, ideal } = (typeof wanted === 'object' ? wanted : {}) as { exact?: string; ideal?: string };
    if (this.isWaiting) await new Promise<void>((resolve) => (this.grant = resolve));
    if (this.refusal) throw new DOMException('no', this.refusal);
    const there = this.plugged.find(({ deviceId }) => deviceId === (exact ?? ideal));
    if (exact && !there) throw new DOMException('none', 'OverconstrainedError');
    if (!this.plugged.some(({ kind }) => kind === 'audioinput'))
      throw new DOMException('none', 'NotFoundError');
    const output = this.#audio.createMediaStreamDestination();
    if (this.isLoud) {
      const tone = this.#audio.createOscillator();
      tone.connect(output);
      tone.start();
    }
    const [track] = output.stream.getAudioTracks();
    const id = there?.deviceId ?? '';
    if (track) {
      track.getSettings = () => ({ deviceId: id || 'default' });
      // Firefox gives the listeners of a track no event but its own.
      const events = new EventTarget();
      track.addEventListener = events.addEventListener.bind(events);
      track.dispatchEvent = events.dispatchEvent.bind(events);
      this.opened.push({ id, track });
    }
    return output.stream;
  }
}

/** The microphone of a call, exchanged as in the vendor's build. */
export class SdkInput {
  /** What the SDK has opened for the call. */
  stream: MediaStream | undefined;
  readonly #sender: () => RTCRtpSender | undefined;
  readonly #onOpened: (track: MediaStreamTrack | undefined) => void;

  /** @param onOpened called before it is sent */
  constructor(
    sender: () => RTCRtpSender | undefined,
    onOpened: (track: MediaStreamTrack | undefined) => void = () => undefined,
  ) {
    this.#sender = sender;
    this.#onOpened = onOpened;
  }

  /** @returns false: it could not be opened */
  async use(id: string): Promise<boolean> {
    try {
      const audio = id === 'default' ? {} : { deviceId: { exact: id } };
      const next = await navigator.mediaDevices.getUserMedia({ audio, video: false });
      const [track] = next.getAudioTracks();
      this.#onOpened(track);
      await this.#sender()?.replaceTrack(track ?? null);
      for (const old of this.stream?.getTracks() ?? []) old.stop();
      this.stream = next;
      return true;
    } catch {
      return false;
    }
  }
}

/** What was played, and on which device. */
export class FakeOutput extends Replacements {
  readonly played: { readonly on: string; readonly audio: HTMLAudioElement }[] = [];
  /** Devices that the browser refuses. */
  readonly refused = new Set<string>();

  constructor() {
    super();
    const { played, refused } = this;
    const define = (name: string, value: unknown) => this.replace(HTMLMediaElement.prototype, name, value);
    const sinks = new WeakMap<HTMLMediaElement, string>();
    define('setSinkId', async function setSinkId(this: HTMLMediaElement, id: string) {
      if (refused.has(id)) throw new DOMException('gone', 'NotFoundError');
      sinks.set(this, id);
    });
    define('play', async function play(this: HTMLAudioElement) {
      played.push({ on: sinks.get(this) ?? '', audio: this });
    });
    define('pause', function pause(this: HTMLAudioElement) {
      const index = played.findIndex(({ audio }) => audio === this);
      if (index >= 0) played.splice(index, 1);
    });
  }

  /** Devices on which something plays now. */
  get on(): readonly string[] {
    return this.played.map(({ on }) => on).toSorted();
  }

  /** As in an older Safari. */
  withoutChoice(): void {
    Reflect.deleteProperty(HTMLMediaElement.prototype, 'setSinkId');
  }
}
