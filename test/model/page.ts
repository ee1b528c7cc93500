/** The browser around the element: sight, network, sounds, sockets, what reaches the console and the error handlers. */
import { PlayedChannel, PlayedLocks } from '../support/locks.ts';
import { Replacements } from '../support/replacements.ts';
import { PlayedSocket } from '../support/socket.ts';
import { PAGE_FAULT } from './headers.ts';
import { PlayedMicrophone } from './microphone.ts';
import { PlayedStorage } from './storage.ts';
import type { World } from './world.ts';

/** What the element may say: an attribute that it cannot use, parts of an answer that make no sense, once. */
const DOCUMENTED =
  /^<partner-dialer>: (?:[a-z-]+ .*; it is ignored|Invalid fields in .* are ignored: .*)\.$/s;
/** A mistake in the page's configuration is told to its developers. */
const MISCONFIGURED = /^<partner-dialer>: .* \(configuration\)$/s;
const CONSOLE = ['log', 'info', 'warn', 'error', 'debug'] as const;

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

export class PlayedPage extends Replacements {
  readonly microphone: PlayedMicrophone;
  isOnline = true;
  readonly #world: World;

  constructor(world: World, random: () => number) {
    super();
    this.#world = world;
    this.microphone = new PlayedMicrophone(world);
    PlayedAudio.world = world;
    this.replace(navigator, 'mediaDevices', this.microphone);
    this.replace(navigator, 'permissions', { query: () => this.microphone.query() });
    // The browser's own would give one sequence the recent calls of another.
    this.replace(globalThis, 'localStorage', new PlayedStorage(world));
    // The browser's own would answer in real time.
    this.replace(navigator, 'locks', new PlayedLocks());
    this.replace(globalThis, 'BroadcastChannel', PlayedChannel);
    this.replace(navigator, 'onLine', true);
    this.replace(navigator, 'clipboard', { writeText: async () => undefined });
    this.replace(document, 'hidden', false);
    this.replace(document, 'visibilityState', 'visible');
    this.replace(globalThis, 'WebSocket', PlayedSocket);
    this.replace(globalThis, 'Audio', PlayedAudio);
    this.replace(Math, 'random', random);
    for (const name of CONSOLE) this.replace(console, name, (...said: unknown[]) => this.#heard(name, said));
    this.#listenForErrors();
  }

  setHidden(isHidden: boolean): void {
    this.replace(document, 'hidden', isHidden);
    this.replace(document, 'visibilityState', isHidden ? 'hidden' : 'visible');
    document.dispatchEvent(new Event('visibilitychange'));
  }

  /** @param isTold by the browser: behind a router that has no network, it believes to be online */
  setOnline(isOnline: boolean, isTold = true): void {
    if (this.isOnline === isOnline) return;
    this.isOnline = isOnline;
    if (isTold) this.replace(navigator, 'onLine', isOnline);
    this.#world.onReach(isOnline);
    if (isTold) dispatchEvent(new Event(isOnline ? 'online' : 'offline'));
  }

  override restore(): void {
    super.restore();
    onWindowError = undefined;
    onRejection = undefined;
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
