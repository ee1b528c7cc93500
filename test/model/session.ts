/** The JsSIP session behind a call, as far as a page can reach it. */
import type { ExchangeCall } from './exchange.ts';
import type { Manners } from './manners.ts';
import { PlayedStream, type PlayedTrack } from './microphone.ts';
import type { World } from './world.ts';

/** The way of the audio; it fails without the SDK noticing. */
export class PlayedConnection extends EventTarget {
  connectionState: RTCPeerConnectionState = 'connected';
  readonly #tracks: readonly PlayedTrack[];

  constructor(tracks: readonly PlayedTrack[]) {
    super();
    this.#tracks = tracks;
  }

  get iceConnectionState(): string {
    return this.connectionState;
  }

  getSenders(): { readonly track: PlayedTrack }[] {
    return this.#tracks.map((track) => ({ track }));
  }

  getReceivers(): unknown[] {
    return [];
  }

  become(state: RTCPeerConnectionState): void {
    this.connectionState = state;
    this.dispatchEvent(new Event('connectionstatechange'));
    this.dispatchEvent(new Event('iceconnectionstatechange'));
  }
}

/** When the far end's reply to a re-INVITE arrives; none within 32 s counts as a refusal. */
const HOLD_MS = { agreed: 60, refused: 60, late: 4000, unanswered: 32_000 } as const;

interface SessionOptions {
  readonly world: World;
  readonly manners: Manners;
  readonly call: ExchangeCall;
  readonly stream: PlayedStream | undefined;
  /** A re-INVITE was refused: JsSIP ends the call itself. */
  readonly breakOff: () => void;
}

export class PlayedSession {
  connection: PlayedConnection | undefined;
  readonly #options: SessionOptions;
  readonly #listeners = new Map<string, Set<(data: unknown) => void>>();
  #tracks: PlayedTrack[] = [];
  #localHold = false;
  /** A re-INVITE is under way. */
  #isOffering = false;
  #isMuted = false;

  constructor(options: SessionOptions) {
    this.#options = options;
    if (options.stream) this.connect(options.stream);
  }

  connect(stream: PlayedStream): void {
    this.#tracks = stream.getTracks();
    this.connection = new PlayedConnection(this.#tracks);
    this.emit('peerconnection', { peerconnection: this.connection });
  }

  on(event: string, listener: (data: unknown) => void): this {
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners.add(listener));
    return this;
  }

  off(event: string, listener: (data: unknown) => void): this {
    this.#listeners.get(event)?.delete(listener);
    return this;
  }

  removeListener(event: string, listener: (data: unknown) => void): this {
    return this.off(event, listener);
  }

  emit(event: string, data?: unknown): void {
    this.#options.world.next();
    for (const listener of this.#listeners.get(event) ?? []) listener(data);
  }

  /** Does the far end hear this side? */
  get isHeard(): boolean {
    return this.#tracks.some(({ enabled, readyState }) => enabled && readyState === 'live');
  }

  isMuted(): { audio: boolean; video: boolean } {
    return { audio: this.#isMuted, video: false };
  }

  isOnHold(): { local: boolean; remote: boolean } {
    return { local: this.#localHold, remote: false };
  }

  isReadyToReOffer(): boolean {
    return !this.#isOffering;
  }

  mute(): void {
    this.#setMuted(true);
  }

  unmute(): void {
    this.#setMuted(false);
  }

  hold(_options?: object, done?: () => void): boolean {
    return this.#offer(true, done);
  }

  unhold(_options?: object, done?: () => void): boolean {
    return this.#offer(false, done);
  }

  #setMuted(on: boolean): void {
    if (this.#isMuted === on) return;
    this.#isMuted = on;
    for (const track of this.#tracks) track.enabled = !on;
    this.emit(on ? 'muted' : 'unmuted', { audio: true, video: false });
  }

  /** Tells of the hold at once, before the far end has agreed; one offer at a time. */
  #offer(on: boolean, done: (() => void) | undefined): boolean {
    const { world, manners, call, breakOff } = this.#options;
    if (!call.answered || call.endedBy || this.#localHold === on || this.#isOffering) return false;
    this.#localHold = on;
    this.#isOffering = true;
    this.emit(on ? 'hold' : 'unhold', { originator: 'local' });
    const { hold } = manners;
    world.clock.later(HOLD_MS[hold], () => {
      if (call.endedBy) return;
      this.#isOffering = false;
      if (hold === 'refused' || hold === 'unanswered') return breakOff();
      call.onHold = on;
      call.wasHeld ||= on;
      done?.();
    });
    return true;
  }
}
