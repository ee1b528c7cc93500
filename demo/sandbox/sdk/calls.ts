/** One call at a time, in or out: what its SIP session does becomes the SDK's state. */
import type { RTCSession } from 'jssip/lib/RTCSession';
import type { CallOptions } from 'jssip/lib/UA';
import type { Microphone, Sounds } from './audio.ts';
import { endedText, failureText, TEXTS, type VbotState } from './state.ts';

const SECOND_MS = 1000;
const DTMF_MS = 100;
const BUSY_HERE = 486;

/** No ICE server: the sandbox works without the internet. */
const MEDIA = { mediaConstraints: { audio: true, video: false }, pcConfig: { iceServers: [] } };

interface AudioOutput {
  readonly sounds: () => Sounds | undefined;
  readonly play: (stream: MediaStream | undefined) => void;
}

export class Calls {
  readonly #state: VbotState;
  readonly #microphone: Microphone;
  readonly #audio: AudioOutput;
  #session: RTCSession | undefined;
  /** Identifies the current client: events of an earlier one's sessions are ignored. */
  #generation = {};
  #clock: ReturnType<typeof setInterval> | undefined;

  constructor(state: VbotState, microphone: Microphone, audio: AudioOutput) {
    this.#state = state;
    this.#microphone = microphone;
    this.#audio = audio;
  }

  get connection(): RTCPeerConnection | undefined {
    return this.#session?.connection;
  }

  async dial(
    phoneNumber: string,
    externalCallId: string | undefined,
    invite: (options: CallOptions) => RTCSession,
  ): Promise<void> {
    const state = this.#state;
    // While another call is ending, this one is dropped without an event, as in the vendor's build.
    if (this.#session) return;
    const generation = this.#generation;
    const mediaStream = await this.#microphone.openToCall();
    if (generation !== this.#generation) return;
    if (!mediaStream) return state.notify('error', TEXTS.microphoneNeeded);
    state.callData.value = {
      id: crypto.randomUUID(),
      phoneNumber,
      direction: 'outgoing',
      startTime: new Date(),
      externalCallId,
    };
    state.failure.value = undefined;
    state.call.value = 'dialing';
    // Two calls asked for at once: only the first one gets here without a session.
    if (this.#session) return;
    this.#audio.sounds()?.callOut();
    const extraHeaders = externalCallId ? [`X-exc-id: ${externalCallId}`] : [];
    const session = invite({ ...MEDIA, mediaStream, extraHeaders });
    this.#observe(session);
    this.#listenTo(session.connection);
  }

  ring(session: RTCSession): void {
    if (this.#session) return session.terminate({ status_code: BUSY_HERE });
    const { uri, display_name: displayName } = session.remote_identity;
    this.#observe(session);
    session.on('peerconnection', ({ peerconnection }) => this.#listenTo(peerconnection));
    this.#state.failure.value = undefined;
    this.#state.callData.value = {
      id: crypto.randomUUID(),
      phoneNumber: uri.user,
      displayName: displayName || undefined,
      direction: 'incoming',
      startTime: new Date(),
      // The header of the INVITE is not read: only calls out have an id.
      externalCallId: undefined,
      session,
    };
    this.#state.call.value = 'ringing';
    this.#audio.sounds()?.ring();
  }

  /** Opens a microphone for the mute switch, then lets JsSIP open its own: the one that is sent cannot be muted. */
  async answer(): Promise<void> {
    if (!this.#session || !(await this.#microphone.openToAnswer())) return;
    const { session } = this.#state.callData.peek() ?? {};
    // The one promise of the SDK that rejects: the call ended while the agent was asked for the microphone.
    if (!session) throw new TypeError('There is no call to answer any more');
    try {
      session.answer(MEDIA);
    } catch {
      this.#state.notify('error', TEXTS.answerFailed);
      this.#state.call.value = 'idle';
      this.#state.callData.value = null;
    }
  }

  /** Ends, cancels or rejects; too early, it is ignored. */
  hangUp(): void {
    const session = this.#session;
    if (!session || this.#state.call.peek() === 'idle') return;
    if (this.#state.call.peek() === 'in-call') this.#state.notify('info', this.#endedText());
    session.terminate();
  }

  /** One wrong key, and none of them goes out; outside a call all are ignored. */
  sendDtmf(tones: string): void {
    if (this.#state.call.peek() !== 'in-call') return;
    try {
      this.#session?.sendDTMF(tones, { duration: DTMF_MS });
    } catch {
      // JsSIP takes a string whole or not at all; no event reports it.
    }
  }

  /** The client goes away: no event is raised for its call. */
  forget(): void {
    this.#generation = {};
    this.#session = undefined;
    this.#stopClock();
  }

  #observe(session: RTCSession): void {
    const state = this.#state;
    const generation = this.#generation;
    const on = <E extends 'progress' | 'accepted' | 'ended' | 'failed'>(type: E, listener: () => void) =>
      session.on(type, () => generation === this.#generation && listener());
    this.#session = session;
    on('progress', () => {
      this.#attach(session);
      state.call.value = 'dialing';
    });
    on('accepted', () => {
      this.#attach(session);
      this.#audio.sounds()?.stop();
      state.call.value = 'in-call';
      this.#startClock();
    });
    on('ended', () => {
      const text = this.#endedText();
      this.#finish(session);
      state.notify('info', text);
    });
    session.on('failed', (end) => {
      if (generation !== this.#generation) return;
      const { text, kind } = failureText(end);
      this.#finish(session);
      state.failure.value = { error: text };
      state.notify(kind, text);
    });
  }

  /** Counts the seconds of an answered call, from 0. */
  #startClock(): void {
    this.#stopClock();
    let seconds = 0;
    this.#state.duration.value = seconds;
    this.#clock = setInterval(() => {
      seconds += 1;
      this.#state.duration.value = seconds;
    }, SECOND_MS);
  }

  #stopClock(): void {
    clearInterval(this.#clock);
    this.#state.duration.value = undefined;
  }

  #attach(session: RTCSession): void {
    const data = this.#state.callData.peek();
    if (!data) return;
    const externalCallId = data.externalCallId || undefined;
    this.#state.callData.value = { ...data, externalCallId, session };
  }

  #finish(session: RTCSession): void {
    if (this.#session !== session) return;
    this.#stopClock();
    this.#microphone.close();
    this.#audio.sounds()?.end();
    this.#audio.play(undefined);
    this.#state.call.value = 'idle';
    this.#state.callData.value = null;
    this.#session = undefined;
  }

  #listenTo(connection: RTCPeerConnection): void {
    connection.addEventListener('track', ({ streams }) => {
      // Early media: the other party's own ringback takes over.
      this.#audio.sounds()?.stop();
      this.#audio.play(streams[0]);
    });
  }

  #endedText(): string {
    const data = this.#state.callData.peek();
    return endedText(data?.displayName ?? data?.phoneNumber);
  }
}
