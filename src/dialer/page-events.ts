/** The events for the page, derived from changes of the state, so that no event contradicts the state or comes twice. */
import type { Customer } from '../broker/contract.ts';
import type { DialerError } from '../errors.ts';
import type { Quality } from '../quality/quality.ts';
import type { BrowserCheck } from './browser-check.ts';
import type { Connection } from './connection/connection.ts';
import { isBusy, isLive, type Call } from './state/call.ts';
import type { CallFailure, CallInfo, LinkOptions } from './state/call-info.ts';
import { isNewlyBlocked, type BlockReason, type BlockSource, type HelpNotice } from './state/block.ts';
import type { DialerState } from './state/state.ts';
import type { DialerStore } from './store.ts';

type CallEventName = 'callstart' | 'callincoming' | 'callconnect' | 'callend' | 'callcost';

export type PageEvent =
  | { readonly name: 'ready' }
  | { readonly name: 'beforecall'; readonly number: string; readonly options: LinkOptions }
  | { readonly name: CallEventName; readonly call: CallInfo }
  | { readonly name: 'customer'; readonly call: CallInfo; readonly customers: readonly Customer[] }
  | { readonly name: 'quality'; readonly quality: Quality }
  | ({ readonly name: 'callfail'; readonly call: CallInfo } & CallFailure)
  | { readonly name: 'blocked'; readonly reason: BlockReason; readonly source: BlockSource }
  /** `done`: if the page handles the request itself, it calls this function with the result. */
  | { readonly name: 'topuprequest' | 'hotlinerequest'; readonly done: (notice?: HelpNotice) => void }
  | { readonly name: 'error'; readonly error: DialerError };

/** What only the view needs to know, in addition to the state. */
export type DialerFact =
  /** Somebody called while the line was taken. */
  | { readonly is: 'missed'; readonly call: CallInfo }
  /** The late result of a request for a top-up that was made while there was still money. */
  | { readonly is: 'top-up-answered'; readonly notice: HelpNotice }
  /** The page or the agent asks for a call; nothing has been checked yet. */
  | { readonly is: 'call-requested'; readonly number: string; readonly options: LinkOptions }
  /** That call is not placed. Its promise rejects with the same error. */
  | { readonly is: 'call-refused'; readonly error: DialerError }
  /** The call that waited or was being placed gave way to another one, or was cancelled. */
  | { readonly is: 'call-given-up' };

/** What the dialer reports. Only `emit` has a result. */
export interface DialerListener {
  changed(state: DialerState, previous: DialerState): void;
  /** @returns `false`: the page handles it itself */
  emit(event: PageEvent): boolean;
  report(fact: DialerFact): void;
}

export interface Dependencies {
  readonly store: DialerStore;
  readonly connection: Connection;
  readonly browser: BrowserCheck;
  readonly events: PageEvents;
}

/** Tells the listener. A command that the listener gives waits until it has run. */
export class PageEvents {
  readonly #store: DialerStore;
  readonly #listener: DialerListener;
  /** Could the member call when there was last no call? */
  #couldCall = false;
  /** How many calls to the listener are running, one inside the other. */
  #depth = 0;

  constructor(store: DialerStore, listener: DialerListener) {
    this.#store = store;
    this.#listener = listener;
    store.subscribe((state, previous) => this.#stateChanged(state, previous));
  }

  /** The listener is running: a command that it gives has to wait. */
  get isDispatching(): boolean {
    return this.#depth > 0;
  }

  emit(event: PageEvent): boolean {
    const isOurs = this.#dispatch(() => this.#listener.emit(event));
    if (event.name === 'blocked') this.#store.apply({ type: 'guide-drawn', byPage: !isOurs });
    return isOurs;
  }

  report(fact: DialerFact): void {
    this.#dispatch(() => this.#listener.report(fact));
  }

  #stateChanged(state: DialerState, previous: DialerState): void {
    this.#dispatch(() => this.#listener.changed(state, previous));
    for (const event of eventsOf(state, previous)) this.emit(event);
    if (this.#becomesReady(state)) this.emit({ name: 'ready' });
  }

  /** Nothing becomes ready during a call, and a member who could call before and after a call does not become ready. */
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

/** What the page is told as a call moves to this state. */
const CALL_EVENTS = { dialing: 'callstart', incoming: 'callincoming', active: 'callconnect' } as const;

/** In the order in which the page is told. */
function eventsOf(state: DialerState, previous: DialerState): PageEvent[] {
  const { call, block } = state;
  const events = call.is === previous.call.is ? [] : callEvents(call);
  /** What the state has now, and had not before. */
  const news = <T>(read: (of: DialerState) => T | undefined) => {
    const now = read(state);
    return now === read(previous) ? undefined : now;
  };
  const customers = news((of) => (isLive(of.call) ? of.call.info.customers : undefined));
  if (isLive(call) && customers) events.push({ name: 'customer', call: call.info, customers });
  const quality = news((of) => (of.call.is === 'active' ? of.call.quality : undefined));
  if (quality) events.push({ name: 'quality', quality });
  const failed = news((of) => (of.line.is === 'failed' ? of.line : undefined));
  if (failed) events.push({ name: 'error', error: failed.error });
  const trouble = news((of) => (of.call.is === 'incoming' ? of.call.trouble : undefined));
  if (trouble) events.push({ name: 'error', error: trouble });
  if (isNewlyBlocked(block, previous.block))
    events.push({ name: 'blocked', reason: block.reason, source: block.source });
  return events;
}

function callEvents(call: Call): PageEvent[] {
  if (isLive(call)) return [{ name: CALL_EVENTS[call.is], call: call.info }];
  if (call.is !== 'ended') return [];
  const { info, failure } = call;
  const end = { name: 'callend', call: info } as const;
  return failure ? [{ name: 'callfail', call: info, ...failure }, end] : [end];
}
