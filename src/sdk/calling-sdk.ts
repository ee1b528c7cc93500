/** The port: what the dialer needs of any calling SDK, in our own words. */
import type { Hotline } from '../broker/contract.ts';
import type { DialerError } from '../errors.ts';

export interface Sounds {
  /** Played when a call ends, by hang-up or by error; absent: the SDK's own. */
  readonly disconnect?: string | undefined;
  readonly ringtone?: string | undefined;
  /** The dialer rings by itself, on devices that the SDK does not know of. */
  readonly ringsItself?: boolean | undefined;
  readonly holdMusic?: string | undefined;
}

/** Ids of the browser; empty: what the system prefers. */
export interface CallDevices {
  readonly microphone: string;
  readonly speaker: string;
}

export const SYSTEM_DEVICES: CallDevices = { microphone: '', speaker: '' };

export interface BootOptions {
  readonly token: string;
  /** API base the SDK talks to; absent: the vendor's. */
  readonly baseUrl?: string | undefined;
  readonly sounds: Sounds;
  readonly devices: CallDevices;
  /** Show the SDK's own call screens. */
  readonly vendorUi: boolean;
}

export interface SdkCall {
  readonly id: string;
  readonly direction: 'outgoing' | 'incoming';
  readonly number: string;
  readonly name?: string | undefined;
  readonly externalCallId?: string | undefined;
}

/**
 * How a call ended. `answered`: it had been connected, whoever or whatever ended it. `missed`, `declined` (by this side)
 * and `answered-elsewhere` are incoming calls; `cancelled` is an outgoing one that this side gave up; `rejected`: the
 * exchange or the other side refused it; `failed`: nobody knows better.
 */
export const CALL_OUTCOMES = [
  'answered',
  'missed',
  'declined',
  'cancelled',
  'answered-elsewhere',
  'busy',
  'no-answer',
  'wrong-number',
  'rejected',
  'insufficient-funds',
  'no-hotline',
  'exchange-trouble',
  'network-lost',
  'failed',
] as const;
export type CallOutcome = (typeof CALL_OUTCOMES)[number];

/** `certain`: a status, or what this side did; `likely`: a phrase; `unknown`: somebody else has to be asked. */
export type Confidence = 'certain' | 'likely' | 'unknown';

export type SdkEvent =
  | { readonly type: 'registered'; readonly hotlines: readonly Hotline[] }
  /** The exchange is out of reach; the SDK keeps trying. */
  | { readonly type: 'lost' }
  /** The SDK has given up: only a new boot helps. */
  | { readonly type: 'failed'; readonly error: DialerError }
  | { readonly type: 'dialing' | 'incoming'; readonly call: SdkCall }
  /** A caller got the busy tone during another call. No call begins or ends. */
  | { readonly type: 'missed'; readonly call: SdkCall }
  /** The far phone of an outgoing call rings, or is heard before it is answered (SIP 180, 183). */
  | { readonly type: 'ringing' }
  | { readonly type: 'answered' }
  | { readonly type: 'answer-trouble'; readonly error: DialerError }
  | { readonly type: 'muted' | 'held'; readonly on: boolean }
  /** `lost`: the other side hears nothing, because no microphone can be opened. */
  | { readonly type: 'microphone'; readonly lost: boolean }
  /** Exactly one for each call that began; `answered` only after an event of that name. */
  | {
      readonly type: 'ended';
      readonly outcome: CallOutcome;
      readonly confidence: Confidence;
      /** SIP status of the refusal, if it is known. */
      readonly status?: number | undefined;
      /** The vendor's own words, or empty. */
      readonly reason: string;
    };

export interface SdkListener {
  readonly onEvent: (event: SdkEvent) => void;
  /** The SDK has registered. `registered` is emitted once this has resolved, or after 2 s. */
  readonly beforeRegistered: () => Promise<void>;
}

/** The audio of an answered call, until the agent has left it. */
export interface CallAudio {
  /** The track that is sent now. */
  readonly microphone: MediaStreamTrack | undefined;
  /** How it sounds; `undefined`: the SDK does not show it. */
  stats(): Promise<RTCStatsReport | undefined>;
  /** Emits `muted` in this task. */
  setMuted(on: boolean): void;
  /**
   * Resolves once the exchange has agreed, after the event `held`. From the request on, the other side hears nothing.
   *
   * @throws {DialerError} `call-rejected`: the call goes on as it was, has ended, or a later request came first
   */
  setHeld(on: boolean): Promise<void>;
}

export interface SdkCallControls {
  /** Absent before the answer, and if the SDK does not show its session. */
  readonly audio: CallAudio | undefined;
  /** Of an incoming call. `answer-trouble` says why it still rings. */
  answer(): void;
  /**
   * Resolves when the last key was sent.
   *
   * @param queued called in this task, when the SDK has queued the keys
   * @throws {DialerError} `network-lost`; `call-rejected`: the SDK fails, or the call ends before
   */
  sendDtmf(tones: string, queued?: () => void): Promise<void>;
}

export interface CallingSdk {
  readonly call: SdkCallControls | undefined;
  /**
   * Present while the exchange does not know yet that the agent has left a call. Resolves when it does, or after a minute
   * without a way to it. `close()` waits for it, too; but a call placed meanwhile needs an SDK that is open.
   */
  readonly leaving: Promise<void> | undefined;
  /**
   * Brings the SDK into the page; may run before a token is there.
   *
   * @throws {DialerError} `sdk-load-failed`
   */
  load(): Promise<void>;
  /**
   * Starts the SDK; all events, `registered` and `failed` among them, come through the listener.
   * Resolves once it has started, which says nothing about the exchange.
   *
   * @param signal of the lease: when it aborts, the SDK closes
   */
  boot(options: BootOptions, signal: AbortSignal): Promise<void>;
  /**
   * Resolves once the call is under way (`dialing` was emitted).
   *
   * @throws {DialerError} `microphone-denied`, `microphone-missing`, `not-ready`, `busy`, `call-rejected`.
   */
  dial(number: string, hotline: string | undefined, externalCallId: string | undefined): Promise<void>;
  /** Ends, cancels or rejects; a call that is only being placed is given up at once, and never goes out. */
  hangUp(): void;
  /** For the present call and all later ones; a muted agent stays muted. */
  useDevices(devices: CallDevices): void;
  setSounds(sounds: Sounds): void;
  /**
   * Ends everything, a call too; no event comes after it. Resolves when the exchange knows of it, see `leaving`, and nothing
   * is registered any more. The next SDK boots after that.
   */
  close(): Promise<void>;
  /** As `close()`, but in this task, because the page is going away; `close()` resolves when it is done. */
  leave(): void;
}
