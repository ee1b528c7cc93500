/** Automatic calls: a script rings a member's dialer through the exchange. */
import { randomUUID } from 'node:crypto';
import type { AutoCall, CallRecord, World } from '../world/world.ts';
import { describeResult } from './call-results.ts';

/** The exchange, as far as automatic calls use it. */
export interface DialerCalls {
  registrations(): readonly { readonly memberNo: string }[];
  ringMember(
    memberNo: string,
    caller: { readonly from: string; readonly name: string; readonly externalCallId?: string | undefined },
  ): CallRecord;
  hangUp(callId: string): boolean;
}

interface AutoCallOrder {
  readonly templateCode: string;
  readonly externalCallId?: string | undefined;
  readonly name?: string | undefined;
  /** Seconds it may last, and ring; below 0: no limit. */
  readonly maxTime: number;
  readonly maxWaitingTime: number;
}

/** How long a script without a limit lasts, in seconds. */
const SCRIPT_SECONDS = 20;
const NO_ANSWER = 480;
const SWITCHBOARD = '842899990000';

/** Places automatic calls; every one of them ends, and the world then emits `auto-call`. */
export class AutoCalls {
  readonly #world: World;
  readonly #exchange: DialerCalls;
  readonly #ringing = new Map<string, AutoCall>();
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor(world: World, exchange: DialerCalls) {
    this.#world = world;
    this.#exchange = exchange;
    world.addEventListener('call', this.#callEnded);
  }

  close(): void {
    this.#world.removeEventListener('call', this.#callEnded);
    for (const timer of this.#timers) clearTimeout(timer);
  }

  /** Rings every dialer of the member; without one, the call ends at once as not reachable. */
  callMember(memberNo: string, displayName: string, order: AutoCallOrder): void {
    const call = this.#create(memberNo, order);
    if (!this.#exchange.registrations().some((one) => one.memberNo === memberNo)) {
      this.#end(call, NO_ANSWER, 0);
      return;
    }
    const from = this.#world.hotlines.find(({ active }) => active)?.number ?? SWITCHBOARD;
    const { id } = this.#exchange.ringMember(memberNo, {
      from,
      name: displayName,
      externalCallId: order.externalCallId,
    });
    this.#ringing.set(id, call);
    if (order.maxWaitingTime >= 0) this.#after(order.maxWaitingTime, () => this.#hangUpUnanswered(id));
    this.#hangUpAtEnd(id, order.maxTime < 0 ? SCRIPT_SECONDS : order.maxTime);
  }

  #create(memberNo: string, order: AutoCallOrder): AutoCall {
    const call: AutoCall = {
      transId: randomUUID(),
      phone: memberNo,
      name: order.name ?? '',
      customerUid: '',
      templateCode: order.templateCode,
      hotlineCode: '',
      externalCallId: order.externalCallId ?? '',
      createAt: Date.now(),
      answerAt: 0,
      endCallAt: 0,
      disposition: '',
      sipCode: 0,
      postage: 0,
    };
    this.#world.autoCalls.push(call);
    return call;
  }

  readonly #callEnded = (event: Event): void => {
    const record = (event as CustomEvent<CallRecord>).detail;
    const call = this.#ringing.get(record.id);
    if (!call || !this.#ringing.delete(record.id)) return;
    const status = record.answeredAt === undefined ? (record.finalStatus ?? NO_ANSWER) : 200;
    this.#end(call, status, record.answeredAt === undefined ? 0 : (Date.now() - record.answeredAt) / 1000);
  };

  #end(call: AutoCall, status: number, talked: number): void {
    call.endCallAt = Date.now();
    call.answerAt = status === 200 ? call.endCallAt - talked * 1000 : 0;
    call.disposition = describeResult(status).disposition;
    call.sipCode = status;
    this.#world.emitAutoCall(call);
  }

  /** The script runs from the answer; until then, this looks again. */
  #hangUpAtEnd(id: string, seconds: number): void {
    if (!this.#ringing.has(id)) return;
    const answeredAt = this.#world.calls.find((call) => call.id === id)?.answeredAt;
    const left = seconds - (Date.now() - (answeredAt ?? Date.now())) / 1000;
    if (answeredAt !== undefined && left <= 0) this.#exchange.hangUp(id);
    else this.#after(Math.max(left, 0.1), () => this.#hangUpAtEnd(id, seconds));
  }

  #hangUpUnanswered(id: string): void {
    const record = this.#world.calls.find((call) => call.id === id);
    if (record?.answeredAt === undefined) this.#exchange.hangUp(id);
  }

  #after(seconds: number, act: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      act();
    }, seconds * 1000);
    timer.unref();
    this.#timers.add(timer);
  }
}

export function talkSeconds({ answerAt, endCallAt }: AutoCall): number {
  return answerAt === 0 ? 0 : Math.round((endCallAt - answerAt) / 1000);
}
