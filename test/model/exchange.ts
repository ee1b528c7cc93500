/** The telephone exchange's own books: who is registered, which calls were placed, how each ended. */
import type { PlayedSocket } from '../support/socket.ts';
import { ownersIn } from './members.ts';
import type { World } from './world.ts';

/** What kept a call alive until it ended: `here` is this side's hang-up or removal, `sdk` the vendor's own doing. */
export type Ender = 'here' | 'far' | 'sdk' | 'lost';

export interface ExchangeCall {
  readonly id: string;
  readonly direction: 'outgoing' | 'incoming';
  readonly number: string;
  /** When it was asked for, in the order of the world. */
  readonly askedAt: number;
  /** When the SDK was told to place it, by `clock.counted`. */
  placedAt?: number;
  /** The INVITE has left or arrived. */
  invited: boolean;
  answered: boolean;
  /** When, and when it was over for this side, by `clock.lasted`. */
  answeredAt?: number;
  endedAt?: number;
  onHold: boolean;
  wasHeld: boolean;
  /** This side has tried to answer it. */
  tried: boolean;
  /** Another phone of the member's has answered it. */
  elsewhere: boolean;
  endedBy?: Ender;
  /** The SIP status it was refused with. */
  status?: number;
  /** The SDK did not tell the element the truth about it: what the element says of it cannot be held against it. */
  isBlurred: boolean;
  /** The SDK was told to end it, and takes its time or does not do it. */
  isHeldUp: boolean;
  /** The exchange has heard of no end: for the other party the call goes on, however it ended here. */
  isOn: boolean;
  /** The other party has answered, and the answer is still on its way. */
  isCrossing: boolean;
  /** This side has answered over this socket, and JsSIP waits for the ACK. */
  answeredOver?: PlayedSocket | undefined;
  /** The SDK or its socket was lost while it went on, as far as the dialer knew. */
  isCut: boolean;
  /** When this side was out of it, by `clock.lived`. */
  leftAt?: number;
  /** So long the SDK is kept for its sake, by `clock.counted`. */
  keptUntil?: number;
  /** Nobody can tell the exchange: the SDK gave the call up by itself, or the page has removed the SDK, or is gone. */
  isExcused: boolean;
  /** The element's own id for it, once it has told the page. */
  shownAs?: string;
}

/** Something that may end a call: a method, a button, a removal. */
export interface Licence {
  readonly what: string;
  readonly at: number;
}

/** A machine sleeps for two hours. A clock is set ahead by one hour, which is no sleep. */
const LONGEST_WAIT_MS = 7_199_000;

/** So long the SDK is kept for the sake of a call that the agent has left. */
const LONGEST_LEFT_MS = 60_000;

const SIGNING_OUT = new Set(['disconnect', 'removal', 'leaving', 'frozen']);

export class Exchange {
  readonly calls: ExchangeCall[] = [];
  readonly licences: Licence[] = [];
  readonly registrations = new Set<object>();
  invites = 0;
  /** How many calls were asked for, by a method or perhaps by a button. */
  callRequests = 0;
  /** When, by both clocks and in the order of the world. */
  readonly #requests: { readonly now: number; readonly lasted: number; readonly order: number }[] = [];
  /** The ids of calls that the page had given by then. */
  readonly callIds = new Set<unknown>();
  /** When somebody asked for it last, by a method or perhaps by a button. */
  readonly askedFor = new Map<string, number>();
  /** How often somebody pressed a button: twice in one task is once. */
  presses = 0;
  /** Calls of whose end the exchange heard after this side had left them. */
  lateEnds = 0;
  /** Answers that crossed a CANCEL. */
  crossings = 0;
  /** INVITEs that arrived after JsSIP had given them up. */
  lateInvites = 0;
  /** ACKs that were lost with their socket. */
  lostAcks = 0;
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  get live(): ExchangeCall | undefined {
    return this.calls.findLast(({ isOn, isExcused }) => isOn && !isExcused);
  }

  register(client: object): void {
    this.registrations.add(client);
    this.#world.next();
    if (this.registrations.size > 1) this.#world.violate('e two registrations');
    this.#world.tabs.check();
  }

  unregister(client: object): void {
    this.registrations.delete(client);
  }

  begin(
    direction: ExchangeCall['direction'],
    number: string,
    id: string,
    askedAt = this.#world.next(),
  ): ExchangeCall {
    const call: ExchangeCall = {
      id,
      direction,
      number,
      askedAt,
      invited: direction === 'incoming',
      answered: false,
      onHold: false,
      wasHeld: false,
      elsewhere: false,
      tried: false,
      isBlurred: false,
      isHeldUp: false,
      isOn: true,
      isCrossing: false,
      isCut: false,
      isExcused: false,
    };
    this.calls.push(call);
    return call;
  }

  /** An order to the SDK is about this call: somebody has asked for it since the call is there. */
  checkOrder(method: 'answer' | 'sendDtmf', { askedAt, isBlurred }: ExchangeCall): void {
    const isWanted = (this.askedFor.get(method) ?? -1) > askedAt || isBlurred;
    if (!isWanted) this.#world.violate('e an order for an earlier call', method);
  }

  /** @param id that the page has given for it */
  requestCall(id: unknown): void {
    const { now, lasted } = this.#world.clock;
    this.callRequests += 1;
    this.#requests.push({ now, lasted, order: this.#world.next() });
    this.callIds.add(id);
  }

  /** What the SDK would pass on unseen. */
  checkDial(number: unknown, hotline: unknown, externalCallId: unknown): void {
    const world = this.#world;
    if (typeof number !== 'string' || !/^\+?\d{3,15}$/.test(number))
      return world.violate('e dialled what is no number', String(number));
    const { hotlines } = world.client;
    const signedIn = world.broker.memberOf(world.client.token);
    if (signedIn !== undefined && ownersIn(number).some((owner) => owner !== signedIn))
      world.violate('h dialled for another one', `${number}, not ${signedIn}`);
    const broker = world.broker.addressOf(world.client.token);
    const asked = world.takeBrokersAsked(number);
    if (broker !== undefined && asked.length > 0 && !asked.includes(broker))
      world.violate('h dialled at another broker', `${broker}, not ${asked.join(' or ')}`);
    const isOwn =
      hotline === undefined || hotlines.length === 0 || hotlines.some((own) => own.number === hotline);
    if (!isOwn) world.violate('e dialled with a foreign hotline', String(hotline));
    const told = world.toldOf(number);
    if (told.length > 0 && !told.some((call) => call.hotline === hotline))
      world.violate('e dialled from another number than told', String(hotline));
    if (told.some(({ events }) => events.some(({ defaultPrevented }) => defaultPrevented)))
      world.violate('e dialled what the page has prevented', number);
    const isSafe = externalCallId === undefined || /^[a-z0-9]{1,32}$/.test(String(externalCallId));
    if (!isSafe) world.violate('e dialled with an unsafe id', String(externalCallId));
    if (!world.isPlacing(number)) world.violate('e dialled another number than shown', number);
    const isKnown = externalCallId === undefined || this.callIds.has(externalCallId);
    if (!isKnown) world.violate('e dialled with the id of a later call', String(externalCallId));
    if (world.tabs.isAskedSince(this.#requests))
      world.violate('e dialled from a tab that the agent has left', number);
    const { now, lasted } = world.clock;
    // A clock that was set back before a sleep hides it.
    const waits = this.#requests.map((at) => Math.max(now - at.now, lasted - at.lasted));
    const waited = Math.min(...waits);
    if (waited > LONGEST_WAIT_MS) world.violate('e dialled after a sleep', `${waited} ms`);
  }

  invite(call: ExchangeCall): void {
    this.invites += 1;
    call.invited = true;
    const others = this.calls.filter((other) => other !== call && other.endedBy === undefined);
    if (others.length > 0) this.#world.violate('e two calls at once');
  }

  /** A message over an open socket, or the other party, has ended the call. */
  hear(call: ExchangeCall): void {
    call.isOn = false;
    if (call.leftAt !== undefined) this.lateEnds += 1;
  }

  /** The SDK has lost a call of which the exchange will not hear any more. */
  strand(call: ExchangeCall): void {
    if (!call.isOn || call.isExcused || call.isBlurred || this.#world.client.isBlurred) return;
    call.isExcused = true;
    if (this.#isLeftForLong(call)) return;
    const state = call.answered ? 'talking' : 'ringing or answered';
    this.#world.violate('a the other party is left in the call', `${call.direction} ${state}`);
  }

  /** This side is out of the call, even if the SDK has to keep it. */
  leave(call: ExchangeCall): void {
    const { lived, counted } = this.#world.clock;
    if (call.leftAt !== undefined) return;
    call.leftAt = lived;
    call.keptUntil = counted + LONGEST_LEFT_MS;
  }

  #isLeftForLong({ keptUntil = Infinity }: ExchangeCall): boolean {
    return this.#world.clock.counted >= keptUntil;
  }

  /** How the call ended for this side. */
  end(call: ExchangeCall, by: Ender, status?: number): void {
    if (call.endedBy) return;
    this.#world.next();
    call.endedBy = by;
    call.endedAt = this.#world.clock.lasted;
    if (by === 'far') this.hear(call);
    else if (by !== 'here') call.isExcused = true;
    if (status !== undefined) call.status = status;
    if (by === 'here' && call.shownAs !== undefined) this.checkEnd(call);
  }

  /** Somebody has done what may end this call. */
  checkEnd({ askedAt, isBlurred, direction, answered }: ExchangeCall): void {
    const isLicensed = isBlurred || this.licences.some(({ at }) => at > askedAt);
    if (!isLicensed)
      this.#world.violate('a call ended by nobody', `${direction} ${answered ? 'talking' : 'ringing'}`);
  }

  /** Has somebody signed out since, or left the page? */
  hasEnded(since: number): boolean {
    return this.licences.some(({ at, what }) => at > since && SIGNING_OUT.has(what));
  }

  /** From here on this side may end the call that is, or is being placed. */
  license(what: string): void {
    this.licences.push({ what, at: this.#world.next() });
  }
}
