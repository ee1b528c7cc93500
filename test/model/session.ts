/** The JsSIP session behind a call, as far as a page can reach it. */
import type { ExchangeCall } from './exchange.ts';
import type { Behavior } from './behavior.ts';
import type { PlayedStream, PlayedTrack } from './microphone.ts';
import type { World } from './world.ts';

/** When the other party's reply to a re-INVITE arrives; none within 32 s counts as a refusal. */
const HOLD_MS = { agreed: 60, refused: 60, late: 4000, unanswered: 32_000 } as const;

class PlayedSender {
  track: PlayedTrack | null;

  constructor(track: PlayedTrack) {
    this.track = track;
  }

  async replaceTrack(track: PlayedTrack | null): Promise<void> {
    this.track = track;
  }
}

/** The way of the audio; it fails without the SDK noticing. */
class PlayedConnection extends EventTarget {
  connectionState: RTCPeerConnectionState = 'connected';
  readonly #senders: readonly PlayedSender[];

  constructor(stream: PlayedStream) {
    super();
    this.#senders = [new PlayedSender(stream.track)];
  }

  getSenders(): readonly PlayedSender[] {
    return this.#senders;
  }

  /** How the call sounds is not played. */
  async getStats(): Promise<RTCStatsReport> {
    return new Map();
  }

  /** What the other party says is not played. */
  getReceivers(): readonly PlayedSender[] {
    return [];
  }

  become(state: RTCPeerConnectionState): void {
    this.connectionState = state;
    this.dispatchEvent(new Event('connectionstatechange'));
  }
}

const BUSY_HERE = 486;
const CONNECTION_ERROR = { status_code: 500, reason_phrase: 'Connection Error' };

interface SessionOptions {
  readonly hasSocket: () => boolean;
  readonly world: World;
  readonly behavior: Behavior;
  readonly call: ExchangeCall;
  /** @param by whether this side wants it, or JsSIP gives up by itself */
  readonly end: (by: 'here' | 'sdk') => void;
}

export class PlayedSession {
  connection: PlayedConnection | undefined;
  readonly #options: SessionOptions;
  readonly #listeners = new Map<string, Set<(data: unknown) => void>>();
  #stream: PlayedStream | undefined;
  #localHold = false;
  /** A re-INVITE is under way. */
  #isOffering = false;
  #offerNow: { readonly on: boolean } | undefined;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** This is what is sent. */
  use(stream: PlayedStream): void {
    this.#stream = stream;
    this.connection = new PlayedConnection(stream);
    this.emit('peerconnection', { peerconnection: this.connection });
  }

  close(): void {
    this.#stream?.track.stop();
  }

  on(event: string, listener: (data: unknown) => void): this {
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners.add(listener));
    return this;
  }

  emit(event: string, data?: unknown): void {
    this.#options.world.next();
    for (const listener of this.#listeners.get(event) ?? []) listener(data);
  }

  /** Is there a microphone that could be heard? */
  get isOpen(): boolean {
    return this.connection?.getSenders().some(({ track }) => track?.readyState === 'live') ?? false;
  }

  /** Does the other party hear this side? */
  get isHeard(): boolean {
    const senders = this.connection?.getSenders() ?? [];
    return senders.some(({ track }) => track?.enabled && track.readyState === 'live');
  }

  /** A re-INVITE has not been answered yet. */
  get isOffering(): boolean {
    return this.#isOffering;
  }

  hold(_options?: object, done?: () => void): boolean {
    return this.#setHeld(true, done);
  }

  unhold(_options?: object, done?: () => void): boolean {
    return this.#setHeld(false, done);
  }

  renegotiate(_options?: object, done?: () => void): boolean {
    if (!this.#canOffer) return false;
    this.#setTracks();
    this.#offer(this.#localHold, 'Media Renegotiation Failed', done);
    return true;
  }

  isOnHold(): { readonly local: boolean } {
    return { local: this.#localHold };
  }

  /** Whatever waits for a reply fails with the socket, and JsSIP ends the call. The exchange may have heard of it, and agreed. */
  onSocketLost(): void {
    if (!this.#isOffering) return;
    this.#isOffering = false;
    const { behavior, call } = this.#options;
    const isHeard = Math.random() < 0.5;
    if (isHeard && this.#offerNow && (behavior.hold === 'agreed' || behavior.hold === 'late'))
      call.onHold = this.#offerNow.on;
    this.terminate(CONNECTION_ERROR);
  }

  /** Without a socket JsSIP ends the call. */
  sendKeys(): void {
    if (!this.#options.hasSocket()) this.terminate(CONNECTION_ERROR);
  }

  /** BYE, CANCEL or a refusal; JsSIP calls it itself when a re-INVITE came to nothing. */
  terminate(options?: { readonly status_code?: number; readonly reason_phrase?: string }): void {
    const { world } = this.#options;
    if (options?.status_code === BUSY_HERE && world.isFree())
      world.violate('e a caller turned away by who is free');
    this.#options.end(options?.reason_phrase === undefined ? 'here' : 'sdk');
  }

  receiveRequest({ method }: { readonly method: string }): void {
    if (method === 'ACK') this.#options.call.answeredOver = undefined;
  }

  #setTracks(): void {
    for (const { track } of this.connection?.getSenders() ?? []) if (track) track.enabled = !this.#localHold;
  }

  /** One offer at a time. */
  get #canOffer(): boolean {
    const { call } = this.#options;
    return call.answered && !call.endedBy && !this.#isOffering;
  }

  /** Tells of the hold at once, before the other party has agreed. */
  #setHeld(on: boolean, done: (() => void) | undefined): boolean {
    if (!this.#canOffer || this.#localHold === on) return false;
    this.#localHold = on;
    this.#setTracks();
    this.#offer(on, 'Hold Failed', done);
    this.emit(on ? 'hold' : 'unhold', { originator: 'local' });
    return true;
  }

  #offer(on: boolean, reason_phrase: string, done: (() => void) | undefined): void {
    const { world, behavior, call } = this.#options;
    this.#isOffering = true;
    const { hold } = behavior;
    const isSent = this.#options.hasSocket();
    const offer = (this.#offerNow = { on });
    world.clock.later(isSent ? HOLD_MS[hold] : 1, () => {
      if (call.endedBy || !this.#isOffering || offer !== this.#offerNow) return;
      this.#isOffering = false;
      if (!isSent) return this.terminate(CONNECTION_ERROR);
      if (hold === 'refused') return this.terminate({ status_code: 500, reason_phrase });
      if (hold === 'unanswered')
        return this.terminate({ status_code: 408, reason_phrase: 'Request Timeout' });
      call.onHold = on;
      call.wasHeld ||= on;
      done?.();
    });
  }
}
