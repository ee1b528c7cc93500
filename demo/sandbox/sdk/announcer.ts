/** Turns the shared state into the events of one element. An element out of the page misses what happens meanwhile. */
import type { WireHotline } from './account.ts';
import { effect } from './signal.ts';
import type { CallData, CallState, VbotState } from './state.ts';

const CALL_EVENTS: Readonly<Record<CallState, string>> = {
  ringing: 'onCallIncoming',
  dialing: 'onCallProgress',
  'in-call': 'onCallAccepted',
  idle: 'onCallEnded',
};

const TRANSPORT_EVENTS = { connecting: 'onConnecting', connected: 'onConnected' } as const;

export class Announcer {
  readonly #target: EventTarget;
  readonly #state: VbotState;
  // What was said last. A new element takes what is for said, so that it hears of changes only.
  #transport;
  #user;
  #call;
  #callData: CallData | null = null;
  #hotlines: unknown;
  #duration: number | undefined;
  #stops: (() => void)[] = [];

  constructor(target: EventTarget, state: VbotState) {
    this.#target = target;
    this.#state = state;
    this.#transport = state.transport.peek();
    this.#user = state.user.peek();
    this.#call = state.call.peek();
  }

  start(): void {
    const { failure, notices } = this.#state;
    this.#stops = [
      () => this.#sayTransport(),
      () => this.#sayUser(),
      () => this.#sayCall(),
      () => this.#sayDuration(),
      () => this.#sayHotlines(),
      () => this.#sayIfSet('onCallFailed', failure.value),
      () => this.#sayIfSet('onError', notices.error.value),
      () => this.#sayIfSet('onWarning', notices.warning.value),
      () => this.#sayIfSet('onInfo', notices.info.value),
    ].map(effect);
  }

  stop(): void {
    for (const stop of this.#stops.splice(0)) stop();
  }

  #sayTransport(): void {
    const transport = this.#state.transport.value;
    const previous = this.#transport;
    if (transport === previous) return;
    this.#transport = transport;
    if (transport === 'connecting' || transport === 'connected') this.#say(TRANSPORT_EVENTS[transport]);
    // A socket that never came up is not reported lost.
    else if (previous === 'connected') this.#say('onDisconnected');
  }

  #sayUser(): void {
    const user = this.#state.user.value;
    const previous = this.#user;
    if (user === previous) return;
    this.#user = user;
    if (user.status === 'registered') return this.#say('onUserConnected');
    if (previous.status === 'registered') this.#say('onUserDisconnected');
    if (user.status === 'failed') this.#say('onUserConnectionFailed', { error: user.error });
  }

  /** Every end comes as `onCallEnded`, a failure too. */
  #sayCall(): void {
    const call = this.#state.call.value;
    this.#callData = this.#state.callData.peek() ?? this.#callData;
    if (call === this.#call) return;
    this.#call = call;
    const callData = this.#callData;
    this.#say('onCallStateChange', { state: call });
    this.#say(CALL_EVENTS[call], { callData });
  }

  #sayHotlines(): void {
    const hotlines = this.#state.hotlines.value;
    if (hotlines === this.#hotlines) return;
    this.#hotlines = hotlines;
    this.#say('onHotlinesUpdated', { hotlines: hotlines.map(toHotline) });
  }

  #sayDuration(): void {
    const duration = this.#state.duration.value;
    if (duration === this.#duration) return;
    this.#duration = duration;
    if (duration !== undefined) this.#say('onCallDuration', { duration });
  }

  #sayIfSet(name: string, detail: object | undefined): void {
    if (detail) this.#say(name, { ...detail });
  }

  #say(name: string, detail?: object): void {
    this.#target.dispatchEvent(new CustomEvent(`vbot:${name}`, { detail }));
  }
}

/** On the wire it is a `phoneNumber`, in the page a `number`. */
export function toHotline({ name, phoneNumber: number }: WireHotline) {
  return { name: name ?? number, number };
}
