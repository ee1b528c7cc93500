/** What the page is told, derived from how the state has moved, so that no event can contradict it or come twice. */
import type { Customer } from '../broker/contract.ts';
import type { DialerError } from '../errors.ts';
import type { Quality } from '../quality/quality.ts';
import { isBusy, isLive } from './state/call.ts';
import type { CallFailure, CallInfo, CallOptions } from './state/call-info.ts';
import { isNewlyBlocked, type BlockReason, type BlockSource, type HelpNotice } from './state/block.ts';
import type { Call, DialerState } from './state/state.ts';
import type { DialerStore } from './store.ts';

export type DialerNotification =
  | { readonly name: 'ready' }
  | { readonly name: 'beforecall'; readonly number: string; readonly options: CallOptions }
  | { readonly name: 'callstart' | 'callincoming' | 'callconnect' | 'callend'; readonly call: CallInfo }
  | { readonly name: 'customer'; readonly call: CallInfo; readonly customers: readonly Customer[] }
  | { readonly name: 'quality'; readonly quality: Quality }
  | ({ readonly name: 'callfail'; readonly call: CallInfo } & CallFailure)
  | { readonly name: 'blocked'; readonly reason: BlockReason; readonly source: BlockSource }
  /** `done`: what came of it, where the page handles the request itself. */
  | { readonly name: 'topuprequest' | 'hotlinerequest'; readonly done: (notice?: HelpNotice) => void }
  | { readonly name: 'error'; readonly error: DialerError };

/** Facts come up; nobody is asked back. */
export interface DialerListener {
  changed(state: DialerState, previous: DialerState): void;
  /** @returns `false`: the page handles it itself */
  notify(notification: DialerNotification): boolean;
  /** Somebody called while the line was taken. */
  missed(call: CallInfo): void;
  /** What a call that is over has cost. */
  costKnown(call: CallInfo): void;
  /** What the page has done about a top-up while there was still money. */
  topUpAnswered(notice: HelpNotice): void;
  /** A call was asked for, by the page or by the agent; nothing has been checked yet. */
  callRequested(number: string, options: CallOptions): void;
  /** … and is not placed. The promise rejects with the same error. */
  callRefused(error: DialerError): void;
}

/** Tells the listener. While it runs, no state moves: it finds the state that the notification speaks of. */
export class Notifications {
  readonly #store: DialerStore;
  readonly #listener: DialerListener;
  /** Could the member call when there was no call last? */
  #couldCall = false;
  /** How many calls to the listener are going on, one inside the other. */
  #depth = 0;

  constructor(store: DialerStore, listener: DialerListener) {
    this.#store = store;
    this.#listener = listener;
    store.subscribe((state, previous) => this.#stateChanged(state, previous));
  }

  /** The listener runs now: a command that it gives has to wait. */
  get isDispatching(): boolean {
    return this.#depth > 0;
  }

  /** @returns `false`: the page handles it itself */
  notify(notification: DialerNotification): boolean {
    const isOurs = this.#dispatch(() => this.#listener.notify(notification));
    if (notification.name === 'blocked') this.#store.apply({ type: 'guide-drawn', byPage: !isOurs });
    return isOurs;
  }

  missed(call: CallInfo): void {
    this.#dispatch(() => this.#listener.missed(call));
  }

  costKnown(call: CallInfo): void {
    this.#dispatch(() => this.#listener.costKnown(call));
  }

  topUpAnswered(notice: HelpNotice): void {
    this.#dispatch(() => this.#listener.topUpAnswered(notice));
  }

  callRequested(number: string, options: CallOptions): void {
    this.#dispatch(() => this.#listener.callRequested(number, options));
  }

  callRefused(error: DialerError): void {
    this.#dispatch(() => this.#listener.callRefused(error));
  }

  #stateChanged(state: DialerState, previous: DialerState): void {
    this.#dispatch(() => this.#listener.changed(state, previous));
    for (const notification of this.#between(previous, state)) this.notify(notification);
  }

  /** In the order in which the page is told. */
  #between(previous: DialerState, state: DialerState): DialerNotification[] {
    const list = [...ofCall(previous.call, state.call), ...ofErrors(previous, state)];
    const { block } = state;
    if (isNewlyBlocked(block, previous.block))
      list.push({ name: 'blocked', reason: block.reason, source: block.source });
    if (this.#becomesReady(state)) list.push({ name: 'ready' });
    return list;
  }

  /** A call's own time does not count: a member who could call before it and can after it has not become able to. */
  #becomesReady({ canCall, call }: DialerState): boolean {
    if (isBusy(call)) return false;
    const couldCall = this.#couldCall;
    this.#couldCall = canCall;
    return canCall && !couldCall;
  }

  #dispatch<T>(work: () => T): T {
    this.#depth += 1;
    try {
      return work();
    } finally {
      this.#depth -= 1;
    }
  }
}

function ofCall(previous: Call, call: Call): DialerNotification[] {
  if (call.is === previous.is) return [...ofCustomers(previous, call), ...ofQuality(previous, call)];
  switch (call.is) {
    case 'dialing':
      return [{ name: 'callstart', call: call.info }];
    case 'incoming':
      return [{ name: 'callincoming', call: call.info }];
    case 'active':
      return [{ name: 'callconnect', call: call.info }];
    case 'ended': {
      const { info, failure } = call;
      const end = { name: 'callend', call: info } as const;
      return failure ? [{ name: 'callfail', call: info, ...failure }, end] : [end];
    }
    default:
      return [];
  }
}

function ofCustomers(previous: Call, call: Call): DialerNotification[] {
  if (!isLive(call) || !isLive(previous)) return [];
  const { customers } = call.info;
  if (customers === undefined || customers === previous.info.customers) return [];
  return [{ name: 'customer', call: call.info, customers }];
}

function ofQuality(previous: Call, call: Call): DialerNotification[] {
  if (call.is !== 'active' || previous.is !== 'active') return [];
  const { quality } = call;
  return quality && quality !== previous.quality ? [{ name: 'quality', quality }] : [];
}

/** A connection that failed, and an answer that came to nothing. */
function ofErrors(previous: DialerState, { line, call }: DialerState): DialerNotification[] {
  const list: DialerNotification[] = [];
  if (line.is === 'failed' && line !== previous.line) list.push({ name: 'error', error: line.error });
  const trouble = call.is === 'incoming' ? call.trouble : undefined;
  const before = previous.call.is === 'incoming' ? previous.call.trouble : undefined;
  if (trouble && trouble !== before) list.push({ name: 'error', error: trouble });
  return list;
}
