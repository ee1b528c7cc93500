/** What has to hold after every step, once the page is quiet. */
import type { DialerState, Line } from '../../src/index.ts';
import { en } from '../../src/i18n/en.ts';
import { vi } from '../../src/i18n/vi.ts';
import type { ExchangeCall } from './exchange.ts';
import type { Actor } from './actor.ts';
import { showsToken } from './leaks.ts';
import { ownersIn } from './members.ts';
import { describeState, isAble, isLive } from './observer.ts';
import type { World } from './world.ts';

/** A call may have been in the way; headers of the page's that never come are waited for. */
const LATEST_RETRY_MS = 16_000;
/** The dialer looks at the clock so often. */
const HEARTBEAT_MS = 5000;
/** All the timeouts on the way to a registration together. */
const LONGEST_RETRY_MS = 125_000;
/** An SDK that ignores a hang-up is made to end the call within this. */
const LATEST_END_MS = 8000;
/** Where no event reports the registration, the dialer looks for the socket of a call that the agent has left. */
const LATEST_BYE_MS = 12_000;
/** The SDK closes its socket after two seconds. */
const SDK_LOST_MS = 4000;
/** Until this tab notices that nobody takes the phone which it has passed on: after it has ended its use. */
const LATEST_PHONE_MS = 65_000;
/** The exchange has 32 s to answer; what it refuses is taken back by another question. */
const LONGEST_OFFER_MS = 80_000;

export class Invariants {
  readonly #world: World;
  readonly #counted = new Map<Actor, number>();
  /** Since when the exchange has not agreed to a hold, by `clock.lived`. */
  #unsettledSince: number | undefined;
  readonly #able = new Map<Actor, { was: boolean; flapped: boolean }>();

  readonly #endings = new WeakMap<Element, number>();
  readonly #retries = new Map<
    Actor,
    {
      readonly line: Line;
      due: number;
      /** By `clock.lived`: since when one of the clocks is beyond `over`. */
      overSince: number | undefined;
      readonly over: { readonly now: number; readonly lasted: number };
      readonly asked: number;
    }
  >();
  /** By how much the time of day was ahead of `performance.now()`, at least, since the dialer looked at the clock. */
  readonly #ahead = new Map<Actor, number>();

  constructor(world: World) {
    this.#world = world;
  }

  check(actors: readonly Actor[]): void {
    for (const actor of actors) {
      this.#checkState(actor);
      this.#checkReadies(actor);
      this.#checkSight(actor);
      this.#checkBrowser(actor);
      this.#checkRetry(actor);
      this.#checkMember(actor);
      actor.ledger.checkAges();
      actor.callerNumbers.check();
    }
    this.#checkCalls(actors);
    this.#checkReady(actors);
    this.#checkTitle(actors);
    this.#checkMicrophone();
    this.#checkSound(actors);
    this.#checkWishes();
  }

  #checkState({ element, observer }: Actor): void {
    if (element.state !== observer.last)
      this.#world.violate('d state changed without an event', describeState(element.state));
  }

  /** `dialer-ready` comes when the member becomes able to call, and only then. */
  #checkReadies(actor: Actor): void {
    const { observer } = actor;
    const able = this.#able.get(actor) ?? { was: false, flapped: false };
    const from = this.#counted.get(actor) ?? 0;
    let least = 0;
    let most = 0;
    for (const { state } of observer.states.slice(from)) {
      if (isLive(state)) {
        able.flapped ||= !isAble(state);
        continue;
      }
      const isEdge = isAble(state) && !able.was;
      least += isEdge ? 1 : 0;
      most += isEdge || (isAble(state) && able.flapped) ? 1 : 0;
      able.was = isAble(state);
      able.flapped = false;
    }
    const { readies } = observer;
    if (readies < least) this.#world.violate('d able to call without dialer-ready');
    if (readies > most) this.#world.violate('d dialer-ready without becoming able');
    observer.readies = 0;
    this.#able.set(actor, able);
    this.#counted.set(actor, observer.states.length);
  }

  /** What one member did is neither in sight nor in use for another one, nor while nobody is signed in. */
  #checkMember(actor: Actor): void {
    const { client, broker } = this.#world;
    const { state, shadowRoot } = actor.element;
    const memberNo = state.member?.memberNo;
    const fields = [...(shadowRoot?.querySelectorAll('input') ?? [])].map(({ value }) => value);
    const sight = `${shadowRoot?.innerHTML} ${fields.join(' ')}`;
    for (const owner of ownersIn(sight))
      if (owner !== memberNo) this.#world.violate('h in sight of another one', describeState(state));
    const named = client.isBlurred ? undefined : broker.memberOf(client.token);
    if (named !== undefined && state.line.is === 'up' && memberNo !== named)
      this.#world.violate('h signed in as another one', `${named}, not ${memberNo}`);
  }

  /** All dialers of the page write in it. */
  #checkTitle(actors: readonly Actor[]): void {
    const members = actors.map(({ element }) => element.state.member?.memberNo);
    for (const owner of ownersIn(document.title))
      if (!members.includes(owner)) this.#world.violate('h in the title when another one is here', owner);
  }

  /** What is said to be tried again is tried again. */
  #checkRetry(actor: Actor): void {
    const { state } = actor.element;
    const { line } = state;
    const { clock, client } = this.#world;
    const { now, lasted, lived } = clock;
    const known = this.#retries.get(actor);
    const isAnnounced = line.is === 'failed' && line.retryAt !== undefined;
    // In a call, and until a retry, the dialer goes by the clock as it was before somebody set it.
    const isFree = !isAnnounced && !isLive(state);
    const ahead = Math.min(now - lasted, isFree ? Infinity : (this.#ahead.get(actor) ?? Infinity));
    this.#ahead.set(actor, ahead);
    // While nobody looks, the dialer takes its time.
    if (!isAnnounced || document.visibilityState === 'hidden') return void this.#retries.delete(actor);
    const asked = this.#world.broker.asked.session;
    if (known?.line !== line) {
      // While the page was hidden, it was not due.
      const due = Math.max(lived, lived + line.retryAt - lasted - ahead);
      const over = { now: now + due - lived, lasted: lasted + due - lived };
      const { askedBefore } = actor.observer;
      return void this.#retries.set(actor, { line, due, over, overSince: undefined, asked: askedBefore });
    }
    // Two hours of sleep are a wait, too, whichever clock has them, unless they are taken back before the dialer sees them.
    const isOver = now >= known.over.now || lasted >= known.over.lasted;
    known.overSince = isOver ? (known.overSince ?? lived) : undefined;
    const seenAt = (known.overSince ?? Infinity) + HEARTBEAT_MS;
    if (lived >= seenAt) known.due = Math.min(known.due, seenAt);
    // The present SDK is kept for a call, even one that the agent has left.
    if (isLive(state) || client.calls.call) known.due = Math.max(known.due, lived);
    // Until a retry is over, the line has failed as before.
    const latest = known.due + (asked > known.asked ? LONGEST_RETRY_MS : LATEST_RETRY_MS);
    if (lived > latest && !isLive(state)) this.#world.violate('f not tried again', describeState(state));
  }

  /** Something to press, or something that goes on by itself. */
  #checkSight({ element }: Actor): void {
    if (showsToken(element)) this.#world.violate('g token in sight');
    if (!element.isConnected) return;
    const root = element.shadowRoot;
    const card = root?.querySelector('[part~="card"]');
    const isClosed = card === null;
    const { words, lang } = element;
    const name = words?.dialer ?? (lang === 'vi' ? vi.dialer : en.dialer);
    if (card && card.ariaLabel !== name)
      this.#world.violate('d not in the words of the page', `${card.ariaLabel}`);
    const text = (root?.textContent ?? '').trim();
    if (text === '') return this.#world.violate('f blank', describeState(element.state));
    const buttons = [...(root?.querySelectorAll('button') ?? [])];
    const pressable = buttons.filter((button) => !button.disabled && button.ariaDisabled !== 'true');
    // A number can be typed before the phone is fetched.
    const isPressable = pressable.length > 0 || root?.querySelector('input') !== null;
    const { status, line, block } = element.state;
    const { tabs, clock } = this.#world;
    const isFree = !tabs.isAnyOpen && clock.lived > tabs.closedAt + LATEST_PHONE_MS;
    if (block.is === 'blocked' && block.source === 'tab' && isFree)
      this.#world.violate('f taken for another tab', describeState(element.state));
    const goesOn =
      status === 'connecting' ||
      (line.is === 'failed' && line.retryAt !== undefined) ||
      (block.is === 'blocked' && block.waitingFor !== undefined);
    if (isClosed || isPressable || goesOn) return void this.#endings.delete(element);
    // A call that is being ended leaves nothing to press, for as long as the SDK is given for it.
    const isEnding = buttons.some((button) => button.part.contains('hangup-button')) && isLive(element.state);
    const { lived } = this.#world.clock;
    const since = this.#endings.get(element) ?? lived;
    this.#endings.set(element, since);
    if (!isEnding || lived > since + LATEST_END_MS)
      this.#world.violate('f no way on', describeState(element.state));
  }

  /** A call that the exchange has is in the element's state, and the other way round. */
  #checkCalls(actors: readonly Actor[]): void {
    const { client } = this.#world;
    if (client.delivery.pending > 0 || client.isBlurred) return;
    const { call } = client.calls;
    if (call?.isBlurred || this.#isBeyondControl() || this.#isSdkLost()) return;
    const showing = actors.filter(({ element }) => isTalking(element.state));
    if (showing.length > 1) this.#world.violate('e two elements in a call');
    if (call && showing.length === 0) this.#checkLeft(call);
    if (!call && showing[0])
      this.#world.violate('a call shown that is over', describeState(showing[0].element.state));
  }

  /** The SDK keeps a call that the agent has left until the exchange can be told: it has a socket, and the ACK. */
  #checkLeft(call: ExchangeCall): void {
    const { client, clock, exchange } = this.#world;
    exchange.leave(call);
    if (call.answeredOver) return;
    const isLate = client.hasSocket && clock.lived > client.socketAt + LATEST_BYE_MS;
    if (call.answered && !client.isRegistered && !isLate) return;
    const state = call.answered ? 'talking' : 'ringing';
    this.#world.violate('a call goes on unseen', `${call.direction} ${state}`);
  }

  /** The page has removed the SDK, and the dialer does not know it before the socket is closed. */
  #isSdkLost(): boolean {
    const { client, clock } = this.#world;
    return clock.lived < client.lostWidgetAt + SDK_LOST_MS;
  }

  /** `ready` means that a call can be placed now. */
  #checkReady(actors: readonly Actor[]): void {
    const { client } = this.#world;
    const up = actors.filter(({ element }) => element.state.line.is === 'up');
    if (up.length > 1) this.#world.violate('e two elements connected');
    if (client.delivery.pending > 0 || client.isBlurred) return;
    const ready = up.find(({ element }) => element.state.canCall);
    if (!ready || this.#isBeyondControl() || this.#isSdkLost()) return;
    const { calls, isRegistered } = client;
    if (!isRegistered) this.#world.violate('d ready without a registration');
    // The next call waits for the ACK, which is on its way.
    const isEnding = calls.call?.answeredOver !== undefined;
    if (calls.call && !calls.call.isBlurred && !isEnding) this.#world.violate('d ready in a call');
  }

  /** What the browser tells is said before anybody presses "Call". */
  #checkBrowser({ element }: Actor): void {
    const { microphone } = this.#world.page;
    const isTold = microphone.state === 'denied' || microphone.state === 'missing';
    if (isTold && element.state.canCall)
      this.#world.violate(
        'd ready without a microphone',
        `${microphone.state} ${describeState(element.state)}`,
      );
  }

  /** A call that was given up before it began, or hung up without a socket, and that the SDK does not end when it is told to. */
  #isBeyondControl(): boolean {
    const { calls, behavior } = this.#world.client;
    const { call } = calls;
    if (!call || (call.shownAs !== undefined && call.leftAt === undefined)) return false;
    return behavior.hangUp !== 'ok' || call.isHeldUp;
  }

  /** A call that the agent has left needs no microphone, even while the SDK has to keep it. */
  #checkMicrophone(): void {
    const { client, page } = this.#world;
    const { call, isOpening } = client.calls;
    const isLeft = call?.leftAt !== undefined && call.shownAs !== undefined;
    const isNeeded = (call && !isLeft) || isOpening || page.microphone.isAsking;
    // The end of a call may be on its way, or lost: the dialer needs a second to find that out.
    const isTold =
      client.delivery.pending === 0 && !client.isBlurred && !call?.isBlurred && !this.#isSdkLost();
    if (page.microphone.live > 0 && !isNeeded && isTold)
      this.#world.violate('f microphone live without a call');
  }

  /** The other party hears the agent exactly when the dialer says so. */
  #checkSound(actors: readonly Actor[]): void {
    const { client, clock } = this.#world;
    const { call, session } = client.calls;
    const shown = actors.map(({ element }) => element.state.call).find(({ is }) => is === 'active');
    const isKnown = call?.answered && !call.isBlurred && !client.isBlurred && client.delivery.pending === 0;
    if (shown?.is !== 'active' || !session || !isKnown) {
      this.#unsettledSince = undefined;
      return;
    }
    const isHeld = session.isOnHold().local;
    const isSettled = !session.isOffering && isHeld === shown.held && isHeld === call.onHold;
    if (!isSettled && client.hasSocket) this.#unsettledSince ??= clock.lived;
    else this.#unsettledSince = undefined;
    if (clock.lived > (this.#unsettledSince ?? Infinity) + LONGEST_OFFER_MS)
      this.#world.violate('c on hold otherwise than shown', `held ${shown.held}`);
    const { isHeard, isOpen } = session;
    if (isHeard && shown.muted) this.#world.violate('c muted, yet heard');
    if (!isSettled || !isOpen) return;
    const isSent = !shown.muted && !shown.held;
    if (isHeard !== isSent)
      this.#world.violate('c heard otherwise than shown', `muted ${shown.muted}, held ${shown.held}`);
  }

  #checkWishes(): void {
    const { client, exchange, broker } = this.#world;
    if (client.calls.dials > exchange.callRequests) this.#world.violate('e more dials than calls asked for');
    if (broker.asked['top-up'] > exchange.presses) this.#world.violate('e more top-up requests than presses');
  }
}

function isTalking({ call }: DialerState): boolean {
  return call.is === 'dialing' || call.is === 'incoming' || call.is === 'active';
}
