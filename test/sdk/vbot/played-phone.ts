/**
 * The vendor's SDK in a call, with microphones of the browser: real tracks on a real connection. Its session sets the track
 * as JsSIP was measured to do: at the moment of a request, before the exchange has agreed, and by itself when the far end
 * holds. The test is the exchange, the far end, the network and the devices.
 */
import { SdkInput } from '../../support/fake-devices.ts';
import { FakeVbot } from '../../support/fake-vbot.ts';
import { Replacements } from '../../support/replacements.ts';
import { PlayedSocket } from '../../support/socket.ts';

const HEADSET = 'm2';
/** JsSIP then ends the call. */
const REPLY_TIMEOUT_MS = 32_000;

interface Offer {
  readonly on: boolean;
  readonly done: () => void;
  /** With which JsSIP ends the call when it is refused. */
  readonly reason_phrase: string;
}

class PlayedSession {
  readonly connection = new RTCPeerConnection();
  /** The exchange has not replied to it yet. */
  offer: Offer | undefined;
  /** As the exchange knows it. */
  isHeldThere = false;
  isOver = false;
  readonly #onEnd: () => void;
  readonly #listeners = new Map<string, Set<(data: unknown) => void>>();
  #localHold = false;
  #remoteHold = false;

  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
  }

  get track(): MediaStreamTrack | undefined {
    return this.connection.getSenders()[0]?.track ?? undefined;
  }

  on(event: string, listener: (data: unknown) => void): void {
    this.#listeners.set(event, (this.#listeners.get(event) ?? new Set()).add(listener));
  }

  removeListener(event: string, listener: (data: unknown) => void): void {
    this.#listeners.get(event)?.delete(listener);
  }

  hold(_options: object, done: () => void): boolean {
    return this.#hold({ on: true, done, reason_phrase: 'Hold Failed' });
  }

  unhold(_options: object, done: () => void): boolean {
    return this.#hold({ on: false, done, reason_phrase: 'Unhold Failed' });
  }

  renegotiate(_options: object, done: () => void): boolean {
    if (this.isOver || this.offer) return false;
    this.#setTrack();
    this.#ask({ on: this.#localHold, done, reason_phrase: 'Media Renegotiation Failed' });
    return true;
  }

  isOnHold(): { local: boolean; remote: boolean } {
    return { local: this.#localHold, remote: this.#remoteHold };
  }

  terminate(_options?: { readonly status_code: number; readonly reason_phrase: string }): void {
    if (this.isOver) throw new Error('Invalid status: 8');
    this.#onEnd();
  }

  agree(): void {
    const { offer } = this;
    this.offer = undefined;
    if (!offer) return;
    this.isHeldThere = offer.on;
    offer.done();
  }

  /** Also after the end of the call. */
  refuse(): void {
    const { offer } = this;
    this.offer = undefined;
    if (offer) this.terminate({ status_code: 500, reason_phrase: offer.reason_phrase });
  }

  timeOut(): void {
    const { offer } = this;
    this.offer = undefined;
    if (offer && !this.isOver) this.terminate({ status_code: 408, reason_phrase: 'Request Timeout' });
  }

  /** @param hasAgreed only its reply is lost */
  socketLost(hasAgreed: boolean): void {
    const { offer } = this;
    this.offer = undefined;
    if (offer && hasAgreed) this.isHeldThere = offer.on;
    if (offer) this.terminate({ status_code: 500, reason_phrase: 'Connection Error' });
  }

  setRemoteHold(on: boolean): void {
    if (this.isOver || this.#remoteHold === on) return;
    this.#remoteHold = on;
    this.#changed(on ? 'hold' : 'unhold', { originator: 'remote' });
  }

  #hold(offer: Offer): boolean {
    const { on } = offer;
    if (this.isOver || this.offer || this.#localHold === on) return false;
    this.#localHold = on;
    this.#changed(on ? 'hold' : 'unhold', { originator: 'local' });
    this.#ask(offer);
    return true;
  }

  #ask(offer: Offer): void {
    this.offer = offer;
    setTimeout(() => this.offer === offer && this.timeOut(), REPLY_TIMEOUT_MS);
  }

  #setTrack(): void {
    const { track } = this;
    if (track) track.enabled = !this.#localHold && !this.#remoteHold;
  }

  #changed(event: string, data: object): void {
    this.#setTrack();
    for (const listener of this.#listeners.get(event) ?? []) listener(data);
  }
}

export interface PlayedScreen {
  isMuted(): boolean;
  pressMute(): void;
  pressHangUp(): void;
  chooseHeadset(): Promise<unknown>;
}

export class PlayedPhone extends Replacements {
  /** Of the latest call. */
  session: PlayedSession | undefined;
  /** Each microphone that the browser has opened. */
  readonly tracks: MediaStreamTrack[] = [];
  isHeadsetPlugged = true;
  /** VBot's own call screen. */
  screen: PlayedScreen | undefined;
  /** The browser asks the agent for each microphone. */
  isAsking = false;
  readonly #prompts: (() => void)[] = [];
  #opening = 0;
  #socket: PlayedSocket | undefined;

  constructor() {
    super();
    const { mediaDevices } = navigator;
    const open = mediaDevices.getUserMedia.bind(mediaDevices);
    this.replace(globalThis, 'WebSocket', PlayedSocket);
    this.replace(mediaDevices, 'enumerateDevices', async () => this.#devices());
    this.replace(mediaDevices, 'getUserMedia', (constraints: MediaStreamConstraints) =>
      this.#open(constraints, open),
    );
    FakeVbot.onBoot = (vbot) => this.#boot(vbot);
  }

  /** A microphone is being opened. */
  get isOpening(): boolean {
    return this.#opening > 0;
  }

  get live(): readonly MediaStreamTrack[] {
    return this.tracks.filter(({ readyState }) => readyState === 'live');
  }

  plugHeadset(isPlugged: boolean): void {
    if (this.isHeadsetPlugged === isPlugged) return;
    this.isHeadsetPlugged = isPlugged;
    if (!isPlugged) this.endTracks();
    navigator.mediaDevices.dispatchEvent(new Event('devicechange'));
  }

  /** Somebody has pulled the microphone out, or taken its permission back. */
  endTracks(): void {
    for (const track of this.live) {
      track.stop();
      track.dispatchEvent(new Event('ended'));
    }
  }

  grant(): void {
    this.isAsking = false;
    for (const open of this.#prompts.splice(0)) open();
  }

  /** @param hasAgreed the exchange, to what it was asked for last */
  loseSocket(hasAgreed: boolean): void {
    if (this.#socket?.readyState === PlayedSocket.CLOSED) return;
    this.#socket?.close();
    this.session?.socketLost(hasAgreed);
    FakeVbot.current?.emit('onDisconnected');
    FakeVbot.current?.emit('onUserDisconnected');
  }

  bringSocketBack(): void {
    const vbot = FakeVbot.current;
    if (!vbot?.isConnected || this.#socket?.readyState !== PlayedSocket.CLOSED) return;
    this.#connect(vbot);
  }

  #connect(vbot: FakeVbot): void {
    vbot.emit('onConnecting');
    this.#socket = new WebSocket('wss://exchange.example', 'sip') as unknown as PlayedSocket;
    vbot.emit('onConnected');
    vbot.emit('onUserConnected');
  }

  #boot(vbot: FakeVbot): void {
    const input = new SdkInput(() => this.session?.connection.getSenders()[0]);
    const end = vbot.end.bind(vbot);
    let isMuted = false;
    const use = async (id: string) => {
      const isOpened = await input.use(id);
      if (isOpened) isMuted = false;
      return isOpened;
    };
    const toggle = () => {
      isMuted = !isMuted;
      for (const track of input.stream?.getTracks() ?? []) track.enabled = !isMuted;
    };
    this.screen = {
      isMuted: () => isMuted,
      pressMute: toggle,
      pressHangUp: () => this.session?.terminate(),
      chooseHeadset: () => use(HEADSET),
    };
    Object.assign(vbot, {
      end: (text?: string) => {
        if (this.session?.isOver !== false) return;
        this.session.isOver = true;
        this.session.connection.close();
        end(text);
      },
      // The SDK forgets its stream: the dialer has to close it.
      makeCall: async (number: string) => {
        isMuted = false;
        input.stream = await navigator.mediaDevices.getUserMedia({ audio: true });
        const session = new PlayedSession(() => vbot.end());
        for (const track of input.stream.getTracks()) session.connection.addTrack(track, input.stream);
        this.session = session;
        Object.assign(vbot, { session });
        vbot.dial(number);
      },
      isMicrophoneMuted: () => isMuted,
      toggleMuteMicrophone: toggle,
      setAudioInputDevice: use,
    });
    vbot.emit('onHotlinesUpdated', { hotlines: [{ name: 'Sales', phoneNumber: '842899990001' }] });
    this.#connect(vbot);
  }

  #devices(): object[] {
    const list = [{ kind: 'audioinput', deviceId: 'm1', label: 'Built-in' }];
    return this.isHeadsetPlugged
      ? [...list, { kind: 'audioinput', deviceId: HEADSET, label: 'Headset' }]
      : list;
  }

  async #open({ audio }: MediaStreamConstraints, open: MediaDevices['getUserMedia']): Promise<MediaStream> {
    this.#opening += 1;
    try {
      if (this.isAsking) await new Promise<void>((resolve) => this.#prompts.push(resolve));
      const isHeadset = JSON.stringify(audio).includes(HEADSET);
      if (isHeadset && !this.isHeadsetPlugged) throw new DOMException('none', 'OverconstrainedError');
      const stream = await open({ audio: true });
      for (const track of stream.getAudioTracks()) {
        // Firefox delivers no event that a page dispatches to a track.
        const events = new EventTarget();
        track.addEventListener = events.addEventListener.bind(events);
        track.dispatchEvent = events.dispatchEvent.bind(events);
        track.getSettings = () => ({ deviceId: isHeadset ? HEADSET : 'default' });
        this.tracks.push(track);
      }
      return stream;
    } finally {
      this.#opening -= 1;
    }
  }
}
