/** A call of a fake phone, and the session behind it. */

/** A call at a fake phone. */
export interface FakeCall {
  readonly id: string;
  readonly direction: 'outgoing' | 'incoming';
  readonly number: string;
  /** The name with which it rang. */
  readonly name: string | undefined;
  /** The caller number with which it went out. */
  readonly hotline: string | undefined;
  readonly externalCallId: string | undefined;
  state: 'ringing' | 'answered' | 'ended';
  /** Absent until it has ended. */
  endedBy: 'agent' | 'far-end' | undefined;
  /** The SIP status with which it was refused. */
  status: number | undefined;
  isMuted: boolean;
  isHeld: boolean;
  /** The keys that were sent into it. */
  dtmf: string;
}

/** What the dialer does to a call beyond the SDK's own methods: hold and end it. */
export class FakeSession {
  readonly connection = null;
  readonly #call: FakeCall;
  readonly #end: () => void;
  readonly #listeners = new Map<string, ((data: unknown) => void)[]>();

  constructor(call: FakeCall, end: () => void) {
    this.#call = call;
    this.#end = end;
  }

  on(event: string, listener: (data: unknown) => void): this {
    this.#listeners.set(event, [...(this.#listeners.get(event) ?? []), listener]);
    return this;
  }

  emit(event: string, data: unknown): void {
    for (const listener of this.#listeners.get(event) ?? []) listener(data);
  }

  hold(_options: object, done: () => void): boolean {
    return this.#setHeld(true, done);
  }

  unhold(_options: object, done: () => void): boolean {
    return this.#setHeld(false, done);
  }

  isOnHold(): { local: boolean } {
    return { local: this.#call.isHeld };
  }

  renegotiate(_options: object, done: () => void): boolean {
    done();
    return true;
  }

  terminate(): void {
    this.#end();
  }

  #setHeld(on: boolean, done: () => void): boolean {
    if (this.#call.isHeld === on) return false;
    this.#call.isHeld = on;
    this.emit(on ? 'hold' : 'unhold', { originator: 'local' });
    done();
    return true;
  }
}
