/** What the page is told, derived from how the state has moved, so that no event can contradict it or come twice. */
import type { Customer } from '../broker/contract.ts';
import type { DialerError } from '../errors.ts';
import { isBusy } from './state/call.ts';
import type { CallFailure, CallInfo, CallOptions } from './state/call-info.ts';
import type { BlockSource, HelpNotice } from './state/block.ts';
import type { Call, DialerState } from './state/state.ts';

export type DialerNotification =
  | { readonly name: 'ready' }
  | { readonly name: 'beforecall'; readonly number: string; readonly options: CallOptions }
  | { readonly name: 'callstart' | 'callincoming' | 'callconnect' | 'callend'; readonly call: CallInfo }
  | { readonly name: 'customer'; readonly call: CallInfo; readonly customers: readonly Customer[] }
  | ({ readonly name: 'callfail'; readonly call: CallInfo } & CallFailure)
  | { readonly name: 'blocked'; readonly reason: string; readonly source: BlockSource }
  /** `done`: what came of it, where the page handles the request itself. */
  | { readonly name: 'topuprequest' | 'hotlinerequest'; readonly done: (notice?: HelpNotice) => void }
  | { readonly name: 'error'; readonly error: DialerError };

export class StateNotifications {
  /** Could the member call when there was no call last? */
  #couldCall = false;

  /** In the order in which the page is told. */
  between(previous: DialerState, state: DialerState): DialerNotification[] {
    const list = ofCall(previous.call, state.call);
    const { block } = state;
    if (
      block.is === 'blocked' &&
      (previous.block.is !== 'blocked' || previous.block.reason !== block.reason)
    ) {
      list.push({ name: 'blocked', reason: block.reason, source: block.source });
    }
    if (this.#becomesReady(state)) list.push({ name: 'ready' });
    return list;
  }

  /** A call's own time does not count: a member who could call before it and can after it has not become able to. */
  #becomesReady({ status, call }: DialerState): boolean {
    if (isBusy(call)) return false;
    const couldCall = this.#couldCall;
    this.#couldCall = status === 'ready' || status === 'ended';
    return this.#couldCall && !couldCall;
  }
}

function ofCall(previous: Call, call: Call): DialerNotification[] {
  if (call.is === previous.is) return [];
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
