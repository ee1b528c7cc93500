/** The microphone and its permission, and how many tracks of it are live. */
import type { World } from './world.ts';

export type MicrophoneState = 'granted' | 'prompt' | 'denied' | 'missing';

export class PlayedTrack extends EventTarget {
  readonly kind = 'audio';
  enabled = true;
  readyState: 'live' | 'ended' = 'live';

  stop(): void {
    this.readyState = 'ended';
  }
}

export class PlayedStream {
  readonly track = new PlayedTrack();

  getTracks(): PlayedTrack[] {
    return [this.track];
  }

  getAudioTracks(): PlayedTrack[] {
    return [this.track];
  }
}

class PlayedPermission extends EventTarget {
  onchange: (() => void) | null = null;
  readonly #microphone: PlayedMicrophone;

  constructor(microphone: PlayedMicrophone) {
    super();
    this.#microphone = microphone;
  }

  get state(): PermissionState {
    const { state } = this.#microphone;
    return state === 'missing' ? 'granted' : state;
  }
}

interface Prompt {
  readonly open: () => void;
  readonly refuse: (error: DOMException) => void;
}

export class PlayedMicrophone extends EventTarget {
  state: MicrophoneState = 'granted';
  /** Happens when the dialer next asks for the permission, before it is told. */
  whenQueried: () => unknown = () => undefined;
  readonly #world: World;
  readonly #tracks: PlayedTrack[] = [];
  readonly #prompts: Prompt[] = [];
  #answeredAt = -Infinity;
  readonly #permission = new PlayedPermission(this);

  constructor(world: World) {
    super();
    this.#world = world;
  }

  get live(): number {
    return this.#tracks.filter(({ readyState }) => readyState === 'live').length;
  }

  /** The browser's question is open. */
  get isAsking(): boolean {
    return this.#prompts.length > 0;
  }

  /** When it was open last, in virtual time. */
  get askedAt(): number {
    return this.isAsking ? this.#world.clock.lived : this.#answeredAt;
  }

  async query(): Promise<PlayedPermission> {
    const happen = this.whenQueried;
    this.whenQueried = () => undefined;
    await happen();
    return this.#permission;
  }

  async enumerateDevices(): Promise<{ kind: string; deviceId: string }[]> {
    return this.state === 'missing' ? [] : [{ kind: 'audioinput', deviceId: 'default' }];
  }

  getUserMedia(): Promise<PlayedStream> {
    this.#world.next();
    if (this.state === 'denied') return Promise.reject(new DOMException('denied', 'NotAllowedError'));
    if (this.state === 'missing') return Promise.reject(new DOMException('none', 'NotFoundError'));
    if (this.state === 'granted') return Promise.resolve(this.#open());
    return new Promise((resolve, refuse) => {
      this.#prompts.push({ open: () => resolve(this.#open()), refuse });
    });
  }

  become(state: MicrophoneState): void {
    this.#world.next();
    this.state = state;
    this.#permission.dispatchEvent(new Event('change'));
    this.#permission.onchange?.();
    if (state === 'missing') this.#unplug();
    if (state !== 'prompt') this.#answerPrompts(state);
    this.dispatchEvent(new Event('devicechange'));
  }

  #answerPrompts(state: 'granted' | 'denied' | 'missing'): void {
    const name = state === 'missing' ? 'NotFoundError' : 'NotAllowedError';
    this.#answeredAt = this.askedAt;
    for (const { open, refuse } of this.#prompts.splice(0)) {
      if (state === 'granted') open();
      else refuse(new DOMException(state, name));
    }
  }

  #unplug(): void {
    for (const track of this.#tracks.filter(({ readyState }) => readyState === 'live')) {
      track.stop();
      track.dispatchEvent(new Event('ended'));
    }
  }

  #open(): PlayedStream {
    const stream = new PlayedStream();
    this.#tracks.push(stream.track);
    return stream;
  }
}
