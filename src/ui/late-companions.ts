/** The companions of the calls, from before their code is there. */
import type { CallInfo } from '../dialer/state/call-info.ts';
import type { CallLog, LoggedCall } from '../dialer/call-log.ts';
import type { DialerState } from '../dialer/state/state.ts';
import { Chunk } from '../page/chunk.ts';
import * as code from './companions.ts';
import type { Asks } from './asks.ts';
import type { Ringing } from './ringing.ts';

/** Fetched once the phone is ready, or with the first call. Changeable, so that a test can have it come late. */
export const chunks = { companions: new Chunk(async () => code) };

interface Companions {
  readonly log: CallLog;
  readonly asks: Asks;
  readonly ringing: Ringing;
}

type AskActions = Pick<
  Asks,
  'isSilent' | 'mayOfferNotifications' | 'allowNotifications' | 'declineNotifications'
>;

const NO_ASKS: AskActions = {
  isSilent: false,
  mayOfferNotifications: false,
  allowNotifications: async () => undefined,
  declineNotifications: () => undefined,
};

export class LateCompanions {
  readonly #changed: () => void;
  readonly #state: () => DialerState;
  readonly #owner: () => string | undefined;
  #come: Companions | undefined;
  #isConnected = false;
  /** Calls that were told of before. */
  #kept: CallInfo[] = [];

  /** @param owner whose calls these are; `undefined`: nobody knows */
  constructor(changed: () => void, state: () => DialerState, owner: () => string | undefined) {
    this.#changed = changed;
    this.#state = state;
    this.#owner = owner;
  }

  /** The newest one first. */
  get calls(): readonly LoggedCall[] {
    return this.#come?.log.calls ?? [];
  }

  /** Those that nobody has seen yet. */
  get missed(): readonly LoggedCall[] {
    return this.#come?.log.missed ?? [];
  }

  get asks(): AskActions {
    return this.#come?.asks ?? NO_ASKS;
  }

  connected(): void {
    this.#isConnected = true;
    this.#come?.asks.connected();
  }

  disconnected(): void {
    this.#isConnected = false;
    this.#come?.log.close();
    this.#come?.asks.disconnected();
  }

  stateChanged(state: DialerState, previous: DialerState): void {
    const { status } = state;
    if (!this.#come) return void (status !== 'idle' && status !== 'connecting' && this.#want());
    this.#come.ringing.stateChanged(state, previous);
    this.#come.asks.stateChanged(state);
    if (state.member !== previous.member && state.member) void this.#come.log.useOwner(this.#owner());
  }

  /** Again and again for the same call, as it goes on. */
  record(call: CallInfo): void {
    if (this.#come) this.#come.log.record(call);
    else this.#kept.push(call);
  }

  /** @returns how many calls, from the newest one, have been read about now */
  seeAll(): number {
    return this.#come?.log.seeAll() ?? 0;
  }

  #want(): void {
    const come = chunks.companions.want(() => this.#isConnected && this.#want());
    if (!come || this.#come) return;
    const { CallLog: Log, Asks: Questions, Ringing: Bell } = come;
    this.#come = {
      log: new Log(this.#changed),
      asks: new Questions(this.#changed),
      ringing: new Bell(this.#changed),
    };
    if (this.#isConnected) this.#come.asks.connected();
    const state = this.#state();
    void this.#come.log.useOwner(state.member && this.#owner());
    for (const call of this.#kept.splice(0)) this.#come.log.record(call);
    this.stateChanged(state, { ...state, call: { is: 'none' } });
    this.#changed();
  }
}
