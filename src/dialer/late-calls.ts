/**
 * The dialer's calls, and what asks when a member can call again, from before their code is there: what the SDK tells
 * meanwhile is kept for them, in its order.
 */
import { Chunk } from '../page/chunk.ts';
import type { CallCustomers } from './call-customers.ts';
import type { Calls, CallSdkEvent } from './calls.ts';
import type { MemberReadiness } from './readiness.ts';
import type { DialerState } from './state/state.ts';

/** Fetched once the phone is ready, or for the first call. Changeable, so that a test can have it come late. */
export const chunks = { calls: new Chunk(() => import('./calls.ts')) };

type Code = typeof import('./calls.ts');

export interface LateParts {
  readonly calls: Calls;
  readonly customers: CallCustomers;
  readonly readiness: MemberReadiness;
}

export class LateCalls {
  readonly #make: (code: Code) => LateParts;
  #made: LateParts | undefined;
  #kept: CallSdkEvent[] = [];
  #isAwaited = false;
  #isBlocked = false;

  constructor(make: (code: Code) => LateParts) {
    this.#make = make;
  }

  /** `undefined` until their code has come. */
  get value(): LateParts | undefined {
    const code = chunks.calls.value;
    if (code && !this.#made) this.#come(code);
    return this.#made;
  }

  /** Has somebody asked for a call that waits for the code? */
  get isAwaited(): boolean {
    return this.#isAwaited;
  }

  /** @throws {DialerError} `sdk-load-failed` */
  async load(): Promise<LateParts> {
    this.#isAwaited = true;
    try {
      this.#come(await chunks.calls.load());
    } finally {
      this.#isAwaited = false;
    }
    return this.value ?? this.load();
  }

  onSdkEvent(event: CallSdkEvent): void {
    if (this.value) return this.value.calls.onSdkEvent(event);
    this.#kept.push(event);
    // Somebody calls: it is tried until it has come.
    if (this.#kept.length === 1) this.#want();
  }

  /** The state has just become blocked, for whatever reason. */
  blocked(): void {
    if (this.value) return this.value.readiness.blocked();
    this.#isBlocked = true;
    this.#want();
  }

  stateChanged(state: DialerState): void {
    this.#made?.customers.stateChanged(state);
  }

  /** The dialer is disconnected. */
  close(): void {
    this.#kept = [];
    this.#isBlocked = false;
    this.#made?.calls.close();
    this.#made?.customers.close();
    this.#made?.readiness.close();
  }

  #want(): void {
    const isWanted = this.#kept.length > 0 || this.#isBlocked;
    if (isWanted && chunks.calls.want(() => this.#want())) void this.value;
  }

  #come(code: Code): void {
    if (this.#made) return;
    this.#made = this.#make(code);
    if (this.#isBlocked) this.#made.readiness.blocked();
    for (const event of this.#kept.splice(0)) this.#made.calls.onSdkEvent(event);
  }
}
