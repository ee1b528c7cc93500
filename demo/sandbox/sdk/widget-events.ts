/** Turns the shared state into the events of one element; an element that is not in the page emits nothing. */
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

export class WidgetEvents {
  readonly #target: EventTarget;
  readonly #state: VbotState;
  // The values last reported. A new element starts with the current ones, so that it emits only changes.
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
      () => this.#emitTransport(),
      () => this.#emitUser(),
      () => this.#emitCall(),
      () => this.#emitDuration(),
      () => this.#emitHotlines(),
      () => this.#emitIfSet('onCallFailed', failure.value),
      () => this.#emitIfSet('onError', notices.error.value),
      () => this.#emitIfSet('onWarning', notices.warning.value),
      () => this.#emitIfSet('onInfo', notices.info.value),
    ].map(effect);
  }

  stop(): void {
    for (const stop of this.#stops.splice(0)) stop();
  }

  #emitTransport(): void {
    const transport = this.#state.transport.value;
    const previous = this.#transport;
    if (transport === previous) return;
    this.#transport = transport;
    if (transport === 'connecting' || transport === 'connected') this.#emit(TRANSPORT_EVENTS[transport]);
    // A socket that never came up is not reported lost.
    else if (previous === 'connected') this.#emit('onDisconnected');
  }

  #emitUser(): void {
    const user = this.#state.user.value;
    const previous = this.#user;
    if (user === previous) return;
    this.#user = user;
    if (user.status === 'registered') return this.#emit('onUserConnected');
    if (previous.status === 'registered') this.#emit('onUserDisconnected');
    if (user.status === 'failed') this.#emit('onUserConnectionFailed', { error: user.error });
  }

  /** Every end comes as `onCallEnded`, a failure too. */
  #emitCall(): void {
    const call = this.#state.call.value;
    this.#callData = this.#state.callData.peek() ?? this.#callData;
    if (call === this.#call) return;
    this.#call = call;
    const callData = this.#callData;
    this.#emit('onCallStateChange', { state: call });
    this.#emit(CALL_EVENTS[call], { callData });
  }

  #emitHotlines(): void {
    const hotlines = this.#state.hotlines.value;
    if (hotlines === this.#hotlines) return;
    this.#hotlines = hotlines;
    this.#emit('onHotlinesUpdated', { hotlines: hotlines.map(toHotline) });
  }

  #emitDuration(): void {
    const duration = this.#state.duration.value;
    if (duration === this.#duration) return;
    this.#duration = duration;
    if (duration !== undefined) this.#emit('onCallDuration', { duration });
  }

  #emitIfSet(name: string, detail: object | undefined): void {
    if (detail) this.#emit(name, { ...detail });
  }

  #emit(name: string, detail?: object): void {
    this.#target.dispatchEvent(new CustomEvent(`vbot:${name}`, { detail }));
  }
}

/** On the wire it is a `phoneNumber`, in the page a `number`. */
export function toHotline({ name, phoneNumber: number }: WireHotline) {
  return { name: name ?? number, number };
}
