/** The browser around the element: sight, network, sounds, sockets, what reaches the console and the error handlers. */
import { PlayedChannel, PlayedLocks } from '../support/locks.ts';
import { PlayedMicrophone } from './microphone.ts';
import { PlayedStorage } from './storage.ts';
import type { World } from './world.ts';

/** What listeners of the page throw, on purpose; it is theirs, not ours. */
export const PAGE_FAULT = 'thrown by the page';
/** What the element may say: an attribute that it cannot use, parts of an answer that make no sense, once. */
const DOCUMENTED =
  /^<partner-dialer>: (?:[a-z-]+=".*" .*; it is ignored|Invalid fields in .* are ignored: .*)\.$/s;
/** A mistake in the page's configuration is told to its developers. */
const MISCONFIGURED = /^<partner-dialer>: .* \(configuration\)$/s;
const CONSOLE = ['log', 'info', 'warn', 'error', 'debug'] as const;

/** A socket of the played SDK: what is said on it can be listened to, as on a real one. */
export class PlayedSocket extends EventTarget {
  readonly protocol = 'sip';
  readyState = 1;

  constructor(_url: string, _protocols?: string | string[]) {
    super();
  }

  receive(data: string): void {
    this.dispatchEvent(new MessageEvent('message', { data }));
  }

  send(): void {}

  close(): void {
    this.readyState = 3;
    this.dispatchEvent(new Event('close'));
  }
}

/** Tells after a moment whether a sound can be played: one whose address holds `bad` cannot. */
class PlayedAudio extends EventTarget {
  static world: World | undefined;
  preload = '';
  #src = '';

  get src(): string {
    return this.#src;
  }

  set src(address: string) {
    this.#src = address;
    const verdict = address.includes('bad') ? 'error' : 'loadedmetadata';
    PlayedAudio.world?.clock.later(30, () => this.#src && this.dispatchEvent(new Event(verdict)));
  }

  hasAttribute(name: string): boolean {
    return name === 'src' && this.#src !== '';
  }

  removeAttribute(): void {
    this.#src = '';
  }

  pause(): void {}

  load(): void {}

  async play(): Promise<void> {}
}

export class PlayedPage {
  readonly microphone: PlayedMicrophone;
  isHidden = false;
  isOnline = true;
  readonly #world: World;
  readonly #undo: (() => void)[] = [];

  constructor(world: World, random: () => number) {
    this.#world = world;
    this.microphone = new PlayedMicrophone(world);
    const { microphone } = this;
    PlayedAudio.world = world;
    this.#replace(navigator, 'mediaDevices', () => microphone);
    this.#replace(navigator, 'permissions', () => ({ query: () => microphone.query() }));
    // The browser's own would give one sequence the recent calls of another.
    const storage = new PlayedStorage(world);
    this.#replace(globalThis, 'localStorage', () => storage);
    // The browser's own would answer in real time.
    const locks = new PlayedLocks();
    this.#replace(navigator, 'locks', () => locks);
    this.#replace(globalThis, 'BroadcastChannel', () => PlayedChannel);
    this.#replace(navigator, 'onLine', () => this.isOnline);
    this.#replace(navigator, 'clipboard', () => ({ writeText: async () => undefined }));
    this.#replace(document, 'hidden', () => this.isHidden);
    this.#replace(document, 'visibilityState', () => (this.isHidden ? 'hidden' : 'visible'));
    let socket: unknown = PlayedSocket;
    this.#replace(
      globalThis,
      'WebSocket',
      () => socket,
      (value) => (socket = value),
    );
    this.#replace(globalThis, 'Audio', () => PlayedAudio);
    this.#replace(Math, 'random', () => random);
    for (const name of CONSOLE)
      this.#replace(
        console,
        name,
        () =>
          (...said: unknown[]) =>
            this.#heard(name, said),
      );
    this.#listenForErrors();
  }

  setHidden(isHidden: boolean): void {
    this.isHidden = isHidden;
    document.dispatchEvent(new Event('visibilitychange'));
  }

  setOnline(isOnline: boolean): void {
    if (this.isOnline === isOnline) return;
    this.isOnline = isOnline;
    this.#world.onReach(isOnline);
    dispatchEvent(new Event(isOnline ? 'online' : 'offline'));
  }

  restore(): void {
    for (const undo of this.#undo.splice(0).toReversed()) undo();
  }

  #replace(target: object, name: string, get: () => unknown, set?: (value: unknown) => void): void {
    const before = Object.getOwnPropertyDescriptor(target, name);
    Object.defineProperty(target, name, {
      configurable: true,
      enumerable: true,
      get,
      set: set ?? (() => undefined),
    });
    this.#undo.push(() => {
      if (before) Object.defineProperty(target, name, before);
      else Reflect.deleteProperty(target, name);
    });
  }

  #heard(name: string, said: unknown[]): void {
    const text = said.map(String).join(' ');
    if (text.includes('Lit is in dev mode') || (name === 'warn' && DOCUMENTED.test(text))) return;
    if (name === 'error' && MISCONFIGURED.test(text)) return;
    this.#world.violate('f said something on the console', `${name}: ${text.slice(0, 200)}`);
  }

  #listenForErrors(): void {
    onWindowError = (error) => {
      if (error instanceof Error && error.message === PAGE_FAULT) return;
      this.#world.violate('f error in the window', `${describe(error)}`);
    };
    onRejection = (error) => this.#world.violate('f unhandled rejection', describe(error));
    this.#undo.push(() => {
      onWindowError = undefined;
      onRejection = undefined;
    });
  }
}

let onWindowError: ((error: unknown) => void) | undefined;
let onRejection: ((error: unknown) => void) | undefined;

function describe(error: unknown): string {
  return error instanceof Error
    ? `${error.name}: ${error.message} ${error.stack?.split('\n')[1]?.trim() ?? ''}`
    : String(error);
}

/** Registered before those of the test framework, which would end the run. */
addEventListener('error', (event) => {
  if (!onWindowError) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  onWindowError(event.error);
});
addEventListener('unhandledrejection', (event) => {
  if (!onRejection) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  onRejection(event.reason);
});
