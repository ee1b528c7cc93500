/** Every promise a method gave: does it settle, and does it tell the truth? */
import { DIALER_ERROR_CODES } from '../../src/errors.ts';
import type { METHODS } from '../../src/element/public-names.ts';
import type { DialerState } from '../../src/index.ts';
import { holdsToken } from './leaks.ts';
import { describeState, isLive, type Observer } from './observer.ts';
import type { World } from './world.ts';

export type Method = keyof typeof METHODS;

/** The closed list of the contract. */
const CODES: ReadonlySet<string> = new Set(DIALER_ERROR_CODES);

/** What a dialer that is ready does not say. */
const REFUSALS = new Set(['busy', 'not-ready', 'network-lost', 'active-elsewhere']);

/** The end of a call makes these true; or only a call in progress does, so that it was so before the end. */
const STATE_TELLS: ReadonlySet<Method> = new Set(['hangUp', 'reject', 'setMuted', 'setHeld']);

/** No promise is older than this, but for the time in which the browser asks for the microphone. */
const OLDEST_MS = 150_000;

interface Asked {
  readonly method: Method;
  readonly argument: unknown;
  /** From within a listener, in the middle of something else. */
  readonly isNested: boolean;
}

interface Entry extends Asked {
  /** In the order of the world, and in virtual time. */
  readonly at: number;
  readonly since: number;
  readonly state: DialerState;
  readonly step: number;
  readonly isInPage: boolean;
  /** No other call was being asked for. */
  readonly isAlone: boolean;
  /** A later `disconnect()` or removal came before what was asked for. */
  isOvertaken: () => boolean;
  isSettled: boolean;
}

export class Ledger {
  readonly #world: World;
  readonly #observer: Observer;
  /** When a hold or its end was asked for last, and which of them was refused. */
  #heldAt = 0;
  #refusedHold:
    | { readonly at: number; readonly argument: unknown; readonly callId: string; readonly presses: number }
    | undefined;
  readonly #entries = new Set<Entry>();

  constructor(world: World, observer: Observer) {
    this.#world = world;
    this.#observer = observer;
    observer.isAwaited = () => this.#entries.size > 0;
  }

  add(asked: Asked, give: () => unknown): void {
    const world = this.#world;
    const entry: Entry = {
      ...asked,
      at: world.next(),
      since: world.clock.lived,
      state: this.#observer.element.state,
      step: world.step,
      isInPage: this.#observer.element.isConnected,
      isAlone: [...this.#entries].every((other) => other.method !== 'call'),
      isOvertaken: () => false,
      isSettled: false,
    };
    this.#entries.add(entry);
    if (asked.method === 'setHeld') this.#heldAt = entry.at;
    let promise: unknown;
    try {
      promise = give();
    } catch (error) {
      return world.violate('c threw instead of rejecting', `${asked.method}: ${String(error)}`);
    }
    if (!(promise instanceof Promise)) return world.violate('c gave no promise', asked.method);
    promise.then(
      () => this.#resolved(entry),
      (error: unknown) => this.#rejected(entry, error),
    );
  }

  /**
   * Nothing that was asked for before can come true any more.
   *
   * @param isOver from now on, or from when this says so
   */
  overtake(isOver = () => true): void {
    for (const entry of this.#entries) {
      if (entry.method !== 'disconnect' && !this.#cameTrue(entry)) entry.isOvertaken = isOver;
    }
  }

  /** Called at rest. */
  checkAges(): void {
    this.#checkRefusedHold();
    const { clock, page } = this.#world;
    for (const { method, since } of this.#entries) {
      if (clock.lived - Math.max(since, page.microphone.askedAt) > OLDEST_MS)
        this.#world.violate('c never settled', method);
    }
  }

  #resolved(entry: Entry): void {
    this.#settle(entry, 'resolved');
    const { method, isOvertaken } = entry;
    const world = this.#world;
    const now = describeState(this.#observer.element.state);
    if (isOvertaken() && !STATE_TELLS.has(method)) return world.violate('c overtaken, yet resolved', method);
    if (!this.#cameTrue(entry))
      return world.violate('c resolved without being true', `${method} ${String(entry.argument)}: ${now}`);
    if (method === 'setHeld' && entry.argument === true) this.#checkHeld(entry);
    if (method === 'setMuted') this.#checkMuted(entry);
  }

  #rejected(entry: Entry, error: unknown): void {
    const code: unknown = error instanceof Error && Reflect.get(error, 'code');
    this.#settle(entry, `rejected: ${String(code)}`);
    const isOurs = error instanceof Error && error.name === 'DialerError' && CODES.has(String(code));
    if (!isOurs) this.#world.violate('c rejected with something else', `${entry.method}: ${String(error)}`);
    const isPromised = REFUSALS.has(String(code)) || (code === 'call-rejected' && this.#isAllWell(entry.at));
    if (isPromised && this.#wasPromised(entry))
      this.#world.violate('d said that a call can be placed', String(code));
    if (code === 'not-ready') this.#checkCallLeft(entry);
    if (entry.method === 'setHeld') this.#watchRefusedHold(entry);
    if (holdsToken(error)) this.#world.violate('g token in an error', entry.method);
  }

  /** Whoever is in a call can mute it, also while the dialer is in no page for a moment. */
  #checkCallLeft({ method, state: { call: asked } }: Entry): void {
    const { client } = this.#world;
    const { call } = this.#observer.element.state;
    const isSame = asked.is === 'active' && call.is === 'active' && asked.info.id === call.info.id;
    if (method === 'setMuted' && isSame && client.calls.session && !client.isBlurred)
      this.#world.violate('c not muted in a call');
  }

  /** What was refused does not come true by itself. */
  #watchRefusedHold({ at, argument }: Entry): void {
    const { call } = this.#observer.element.state;
    this.#refusedHold = undefined;
    if (at !== this.#heldAt || call.is !== 'active' || call.held === argument) return;
    this.#refusedHold = { at, argument, callId: call.info.id, presses: this.#world.exchange.presses };
  }

  #checkRefusedHold(): void {
    const { call } = this.#observer.element.state;
    const refused = this.#refusedHold;
    if (refused?.at !== this.#heldAt || refused.presses !== this.#world.exchange.presses) return;
    if (call.is !== 'active' || call.info.id !== refused.callId) this.#refusedHold = undefined;
    else if (call.held === refused.argument) this.#world.violate('c rejected, yet came true', 'setHeld');
  }

  /** The status said that a call could be placed, and nothing has come between. */
  #wasPromised({ method, state, step, at, since, isAlone, isInPage, isNested, isOvertaken }: Entry): boolean {
    const { client, step: now } = this.#world;
    const isCertain =
      !client.isBlurred &&
      client.delivery.pending === 0 &&
      step === now &&
      client.lostAt < at &&
      // The SDK's events are read in a later task, and that its element is gone after the present one.
      client.lostSocketAt < since &&
      client.lostWidgetAt < since &&
      isInPage &&
      this.#observer.element.isConnected &&
      !isOvertaken() &&
      isAlone &&
      !isNested;
    return method === 'call' && isCertain && state.canCall;
  }

  /** The SDK places calls, the browser lets it, and nobody has given up the one that was asked for. */
  #isAllWell(since: number): boolean {
    const { client, page, exchange } = this.#world;
    const isGivenUp = exchange.licences.some(({ at }) => at > since);
    return client.behavior.dial === 'ok' && page.microphone.state === 'granted' && !isGivenUp;
  }

  #settle(entry: Entry, how: string): void {
    this.#world.next();
    this.#world.note(`  ${entry.method}() ${how}`);
    entry.isSettled = true;
    this.#entries.delete(entry);
  }

  /** Was what the promise stands for ever so, from the asking on? */
  #cameTrue(entry: Entry): boolean {
    const states = [
      entry.state,
      ...this.#observer.states.filter(({ at }) => at > entry.at).map(({ state }) => state),
    ];
    const once = (holds: (state: DialerState) => boolean) => states.some(holds);
    switch (entry.method) {
      case 'connect':
        return once(({ line, block }) => line.is === 'up' || block.is === 'blocked');
      case 'useHere':
        return once(
          ({ line, block }) => line.is === 'up' || (block.is === 'blocked' && block.source !== 'tab'),
        );
      case 'call':
        // The state comes first, and who listens to that may end the call before the event.
        return this.#hasBegun(entry) || this.#observer.started.some(({ at }) => at > entry.at);
      case 'answer':
        return once(({ call }) => call.is === 'active');
      case 'hangUp':
        return once((state) => !isLive(state));
      case 'reject':
        return once(({ call }) => call.is !== 'incoming');
      case 'setMuted':
        return once(({ call }) => call.is === 'active' && call.muted === entry.argument);
      case 'setHeld':
        return once(({ call }) => call.is === 'active' && call.held === entry.argument);
      case 'sendDtmf':
        return entry.state.call.is === 'active';
      case 'disconnect':
        return once(({ line }) => line.is === 'off');
      case 'recheck':
      case 'prefill':
        return true;
    }
  }

  #hasBegun({ at: since }: Entry): boolean {
    return this.#observer.states.some(({ at, state }) => at > since && state.call.is === 'dialing');
  }

  /** The exchange knows whether it agreed. It may have heard of a later request, too, if that was made in the same task. */
  #checkHeld({ at }: Entry): void {
    if (at !== this.#heldAt) return;
    const { call } = this.#world.client.calls;
    const { call: shown } = this.#observer.element.state;
    if (!call || call.isBlurred || shown.is !== 'active' || !shown.held) return;
    if (!call.onHold) this.#world.violate('c held without the far side');
  }

  #checkMuted({ argument }: Entry): void {
    const { session, call } = this.#world.client.calls;
    const { call: shown } = this.#observer.element.state;
    if (!session || !call?.answered || call.isBlurred || shown.is !== 'active' || shown.muted !== argument)
      return;
    if (argument === true && session.isHeard) this.#world.violate('c muted, yet heard');
  }
}
