/** Hears everything an element says, and holds each word against its state and against the truth. */
import type { DialerError } from '../../src/errors.ts';
import { EVENTS } from '../../src/element/public-names.ts';
import type { CallInfo, DialerEventMap, DialerState, EndedCall, PartnerDialer } from '../../src/index.ts';
import { hasCost, isNamedAfter } from './books.ts';
import type { ExchangeCall } from './exchange.ts';
import { holdsToken } from './leaks.ts';
import { ownersIn } from './members.ts';
import { isFailure, possibleOutcomes } from './outcomes.ts';
import type { World } from './world.ts';

const ROUNDING_MS = 2;

/** A call that the element has told the page of. */
interface ShownCall {
  readonly id: string;
  readonly direction: CallInfo['direction'];
  readonly at: number;
  readonly call: ExchangeCall | undefined;
  isConnected: boolean;
  /** In virtual time. */
  connectedAt: number;
  isFailed: boolean;
  isEnded: boolean;
  /** VND; what the vendor has written down for it. */
  cost?: number | undefined;
}

export class Observer {
  readonly element: PartnerDialer;
  readonly states: { readonly state: DialerState; readonly at: number }[];
  readonly calls = new Map<string, ShownCall>();
  /** How often `dialer-ready` came since anybody counted. */
  readies = 0;
  /** The attribute's id, once a call has begun with it. */
  usedId: string | undefined;
  /** Does a promise of the element wait to be settled? */
  isAwaited: () => boolean = () => false;
  /** How often the broker had been asked for a session when the line became what it is. */
  askedBefore = 0;
  /** The number of the latest answer of the broker that was seen in the state. */
  #newest = 0;
  /** The last failure of the connection, what was in sight with it, and whether that has changed since. */
  #failure:
    | {
        readonly error: DialerError;
        readonly sight: string;
        /** How often the broker had answered a request for help: who can call again is connected, in sight. */
        readonly helpAnswers: number;
        /** The caller numbers that the SDK was started for: for others, it is started again. */
        readonly numbers: string;
        isDisturbed: boolean;
      }
    | undefined;
  readonly #world: World;
  readonly #seen: WeakSet<Event>;

  /** @param seen shared by all observers: an end told on the document is told to one of them */
  constructor(world: World, element: PartnerDialer, seen: WeakSet<Event>) {
    this.#world = world;
    this.#seen = seen;
    this.element = element;
    this.states = [{ state: element.state, at: world.next() }];
    for (const name of Object.keys(EVENTS)) element.addEventListener(name, (event) => this.onEvent(event));
  }

  get started(): ShownCall[] {
    return [...this.calls.values()].filter(({ direction }) => direction === 'outgoing');
  }

  get last(): DialerState {
    return this.states.at(-1)?.state ?? this.element.state;
  }

  onEvent(event: Event): void {
    if (this.#seen.has(event)) return;
    this.#seen.add(event);
    this.#world.next();
    this.#world.note(`    ${event.type} ${describeState(this.element.state)}`);
    const { detail } = event as CustomEvent<object | null>;
    if (holdsToken(detail)) this.#world.violate('g token in an event', event.type);
    this.#judge(event as DialerEventMap[keyof DialerEventMap]);
    this.#judgeOwner(detail);
  }

  /** Whoever signs out is told how their call ended; nobody else is told anything of theirs. */
  #judgeOwner(detail: object | null): void {
    const { line, member } = this.element.state;
    if (line.is === 'off' || !detail) return;
    const told = 'state' in detail ? (detail.state as DialerState).call : detail;
    for (const owner of ownersIn(JSON.stringify(told)))
      if (owner !== member?.memberNo) this.#world.violate('h told of what another one did', owner);
  }

  #judge(event: DialerEventMap[keyof DialerEventMap]): void {
    const { state } = this.element;
    switch (event.type as keyof DialerEventMap) {
      case 'dialer-statechange':
        return this.#onState((event as DialerEventMap['dialer-statechange']).detail);
      case 'dialer-ready':
        this.readies += 1;
        return this.#expect('d ready while not', state.canCall, state);
      case 'dialer-callstart':
      case 'dialer-callincoming':
        return this.#onBegin((event as DialerEventMap['dialer-callstart']).detail.call, event.type);
      case 'dialer-callconnect':
        return this.#onConnect((event as DialerEventMap['dialer-callconnect']).detail.call);
      case 'dialer-callfail':
        return this.#onFail((event as DialerEventMap['dialer-callfail']).detail.call);
      case 'dialer-callend':
        return this.#onEnd((event as DialerEventMap['dialer-callend']).detail.call);
      case 'dialer-callcost':
        return this.#onCost((event as DialerEventMap['dialer-callcost']).detail.call);
      case 'dialer-blocked':
        return this.#expect('d blocked while not', state.block.is === 'blocked', state);
      case 'dialer-beforecall':
        return this.#expect('d about to call in a call', !isLive(state), state);
      default:
    }
  }

  /** Somebody has pressed or asked for something: what is in sight may change. */
  disturb(): void {
    this.#failure = undefined;
  }

  /** A retry that nobody asked for, and that fails likewise, changes nothing in sight, nor what is said. */
  async #watchRetries(state: DialerState): Promise<void> {
    await this.element.updateComplete;
    // What is drawn is a later state.
    if (this.element.state !== state) return;
    const { line, status } = state;
    // What other tabs do with the phone is shown.
    if (this.#world.tabs.isAnyOpen) return this.disturb();
    // Somebody waits for it: it was asked for, perhaps a while ago.
    if (status === 'connecting' && this.isAwaited()) return this.disturb();
    const known = this.#failure;
    const sight = sightOf(this.element);
    if (status === 'connecting' && known) known.isDisturbed ||= sight !== known.sight;
    else if (status !== 'failed' || line.is !== 'failed') this.#failure = undefined;
    else {
      const { error } = line;
      const { broker, client } = this.#world;
      const { helpAnswers } = broker;
      const numbers = client.hotlines.map(({ number }) => number).join(' ');
      const isNew = known?.error !== error;
      // What changes while the same failure stands, such as a blocker that goes, is not a retry's.
      const isDisturbed = known !== undefined && (known.isDisturbed || (isNew && known.sight !== sight));
      // A retry that succeeds may show what it has learned before the line is up.
      const isRetry = isNew && known?.error.code === error.code && known.numbers === numbers;
      const isUnasked = isRetry && known.helpAnswers === helpAnswers;
      if (isDisturbed && isUnasked)
        this.#world.violate('d a retry that nobody asked for changed what is in sight', error.code);
      this.#failure = { error, sight, helpAnswers, numbers, isDisturbed: !isNew && isDisturbed };
    }
  }

  #onState({ state, previous }: { state: DialerState; previous: DialerState }): void {
    this.#expect('d state of the event is not that of the element', state === this.element.state, state);
    this.#expect('d state changed without an event', previous === this.last, previous);
    const question = Number(/ (\d+)$/.exec(state.member?.name ?? '')?.[1] ?? this.#newest);
    this.#expect('d an answer won over that of a later question', question >= this.#newest, state);
    this.#newest = question;
    const { call } = state;
    const { customers = [], number = '' } = isLive(state) && 'info' in call ? call.info : {};
    for (const { name } of customers)
      this.#expect('h named after another number', isNamedAfter(name, number), state);
    this.states.push({ state, at: this.#world.next() });
    if (state.line !== previous.line) this.askedBefore = this.#world.broker.asked.session;
    if (state.member?.memberNo !== previous.member?.memberNo) this.disturb();
    void this.#watchRetries(state);
    this.#expect(
      'd canCall is not what the state allows',
      state.canCall === (isAble(state) && !isLive(state)),
      state,
    );
  }

  #onBegin(info: CallInfo, type: string): void {
    const { state } = this.element;
    const is = type === 'dialer-callstart' ? 'dialing' : 'incoming';
    this.#expect(
      `d ${type} disagrees with the state`,
      state.call.is === is && state.call.info.id === info.id,
      state,
    );
    this.#expect('b a call began twice', !this.calls.has(info.id));
    const isFree = [...this.calls.values()].every(({ isEnded }) => isEnded);
    this.#expect('b a call began before the last had ended', isFree);
    const call = this.#world.exchange.calls.findLast(
      ({ direction, shownAs }) => direction === info.direction && shownAs === undefined,
    );
    if (call) {
      call.shownAs = info.id;
      // What comes late may be about an earlier one.
      call.isBlurred ||= this.#world.client.isBlurred;
    } else this.#expect('b a call began that is none', this.#world.client.isBlurred);
    if (info.externalCallId !== undefined && info.externalCallId === this.element.externalCallId) {
      this.#expect('e an id for two calls', info.externalCallId !== this.usedId);
      this.usedId = info.externalCallId;
    }
    this.calls.set(info.id, {
      id: info.id,
      direction: info.direction,
      at: this.#world.next(),
      call,
      isConnected: false,
      connectedAt: 0,
      isFailed: false,
      isEnded: false,
    });
  }

  #onConnect({ id }: CallInfo): void {
    const { state } = this.element;
    const shown = this.calls.get(id);
    this.#expect(
      'd callconnect disagrees with the state',
      state.call.is === 'active' && state.call.info.id === id,
      state,
    );
    if (!shown || shown.isConnected || shown.isEnded) return this.#world.violate('b connected out of turn');
    shown.isConnected = true;
    shown.connectedAt = this.#world.clock.lasted;
    const isTrue = !shown.call || shown.call.isBlurred || shown.call.answered;
    this.#expect('b connected a call that was not answered', isTrue);
  }

  #onFail({ id }: CallInfo): void {
    const shown = this.calls.get(id);
    if (!shown || shown.isFailed || shown.isEnded) return this.#world.violate('b failed out of turn');
    shown.isFailed = true;
    this.#expect('d callfail disagrees with the state', isEndOf(this.element.state, id), this.element.state);
  }

  #onEnd(info: EndedCall): void {
    const { state } = this.element;
    const shown = this.calls.get(info.id);
    if (!shown || shown.isEnded)
      return this.#world.violate(shown ? 'b ended twice' : 'b ended what never began');
    shown.isEnded = true;
    if (shown.call) this.#world.exchange.leave(shown.call);
    this.#expect('d callend disagrees with the state', isEndOf(state, info.id), state);
    const canCall = isAble(state);
    this.#expect('d status is not ended in callend', !canCall || state.status === 'ended', state);
    this.#judgeOutcome(info, shown);
    this.#judgeTimes(info, shown);
  }

  #onCost(info: EndedCall): void {
    const shown = this.calls.get(info.id);
    this.#expect('b the cost of a call that is not over', shown?.isEnded === true);
    if (shown?.cost !== undefined) this.#world.violate('b two costs for one call');
    if (shown) shown.cost = info.cost;
    this.#expect('b the cost of another call', hasCost(this.#world.exchange.calls, info));
  }

  /** The clock on the wall may be set: what passes between two of a call's times does not follow it. */
  #judgeTimes(call: EndedCall, { isConnected, connectedAt }: ShownCall): void {
    const { startedAt, answeredAt = startedAt, endedAt, durationMs } = call;
    const length = isConnected ? this.#world.clock.lasted - connectedAt : 0;
    if (Math.abs(durationMs - length) > ROUNDING_MS) this.#world.violate('b a duration that nobody talked');
    if (startedAt > answeredAt || answeredAt > endedAt) this.#world.violate('b times of a call out of order');
  }

  #judgeOutcome({ outcome }: CallInfo, { call, isConnected, isFailed, direction }: ShownCall): void {
    if (!outcome) return this.#world.violate('b ended without an outcome');
    const possible = possibleOutcomes(call, isConnected, this.#world.exchange.licences);
    const what = `${direction} ${call?.answered ? 'answered ' : ''}ended by ${call?.endedBy} ${call?.status ?? ''}: ${outcome}`;
    if (possible && !possible.includes(outcome)) this.#world.violate('b wrong outcome', what);
    if (isFailure(outcome) !== isFailed) this.#world.violate('b callfail does not go with the outcome', what);
  }

  #expect(key: string, holds: boolean, state?: DialerState): void {
    if (!holds) this.#world.violate(key, state && describeState(state));
  }
}

export function describeState({ status, line, block, call }: DialerState): string {
  return `${status} (line ${line.is}, block ${block.is}, call ${call.is})`;
}

export function isLive({ call }: DialerState): boolean {
  return call.is !== 'none' && call.is !== 'ended';
}

/** Without what changes by itself: the countdown, the button that has copied, and the one that comes when the call log is read. */
function sightOf({ shadowRoot }: PartnerDialer): string {
  const text = [...(shadowRoot?.querySelectorAll('.support .link, .recent-button') ?? [])].reduce(
    (rest, { textContent }) => rest.replaceAll(textContent.trim(), ''),
    shadowRoot?.textContent ?? '',
  );
  return text.replaceAll(/\d|\s/g, '');
}

/** Could a call be placed, if there were none? */
export function isAble({ line, block }: DialerState): boolean {
  return line.is === 'up' && block.is !== 'blocked';
}

function isEndOf({ call }: DialerState, id: string): boolean {
  return call.is === 'ended' && call.info.id === id;
}
