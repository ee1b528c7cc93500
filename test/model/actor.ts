/** One `<partner-dialer>` in the hands of a page and of an agent. */
import type { PartnerDialer } from '../../src/index.ts';
import { CallerNumbers } from './caller-numbers.ts';
import { HEADERS, PAGE_FAULT } from './headers.ts';
import { ownedBy } from './members.ts';
import { MOVES, moveWithGap, type Gap, type Move } from './moves.ts';
import { Observer } from './observer.ts';
import { Ledger } from './promises.ts';
import type { MethodCall, StepOf } from './steps.ts';
import type { World } from './world.ts';

type Part = StepOf<'press'>['part'];

/** Methods that end a call. */
const ENDING = new Set(['hangUp', 'reject', 'disconnect']);

export class Actor {
  readonly element: PartnerDialer;
  readonly observer: Observer;
  readonly ledger: Ledger;
  readonly callerNumbers: CallerNumbers;
  /** Somebody wants it to be signed in, and nobody has signed it out. */
  isWanted = false;
  /** Where the dialer signed in when a call was asked for, since the last one was placed. */
  readonly brokersAsked: string[] = [];
  readonly #world: World;
  readonly #listening = new AbortController();
  /** A listener of the page's is running. */
  #isListening = false;
  /** In this task, a listener has disconnected it, or another broker was set. */
  #isLeaving = false;

  constructor(world: World, element: PartnerDialer, seen: WeakSet<Event>) {
    this.#world = world;
    this.element = element;
    this.observer = new Observer(world, element, seen);
    this.ledger = new Ledger(world, this.observer);
    this.callerNumbers = new CallerNumbers(world, element);
  }

  /** Who is signed in, as the element says; `undefined` as well while that may change in this moment. */
  get member(): string | undefined {
    const { line, member } = this.element.state;
    const isSignedIn = (line.is === 'up' || line.is === 'lost') && !this.#isLeaving;
    return isSignedIn ? member?.memberNo : undefined;
  }

  /** Does the dialer say so? */
  lacks(what: 'top-up' | 'hotline'): boolean {
    const { state, lowBalance } = this.element;
    if (state.block.is === 'blocked')
      return state.block.reason === { 'top-up': 'insufficient-funds', hotline: 'no-hotline' }[what];
    return what === 'top-up' && (state.member?.balance ?? Infinity) < lowBalance;
  }

  /** @param isNested from within a listener, in the middle of something else */
  run({ method, args }: MethodCall, isNested = this.#isListening): void {
    this.observer.disturb();
    if (ENDING.has(method)) this.#world.exchange.license(method);
    if (method === 'disconnect') this.ledger.overtake();
    if (method === 'disconnect') this.isWanted = false;
    if (method === 'disconnect' && !isNested) this.#world.broker.voidGiven(this.element);
    if (method === 'disconnect' && isNested) this.#leaveInThisTask();
    if (method === 'connect' || method === 'useHere') this.isWanted ||= this.element.isConnected;
    this.#world.exchange.askedFor.set(method, this.#world.next());
    if (method === 'call') this.requestCall();
    // Within a listener, somebody who still seems to be signed in may be on their way out.
    const own = ownedBy(isNested ? undefined : this.member, args);
    const [, options] = own;
    const { externalCallId, hotline } = typeof options === 'object' ? options : {};
    if (typeof options === 'object') this.#world.exchange.callIds.add(externalCallId);
    const forget = method === 'call' ? this.callerNumbers.ask(hotline, isNested) : undefined;
    const give = () => {
      const promise: unknown = Reflect.apply(this.element[method], this.element, own);
      if (forget && promise instanceof Promise) promise.then(forget, forget);
      return promise;
    };
    this.ledger.add({ method, argument: args[0], isNested }, give);
  }

  /** Or something that may ask for a call. */
  requestCall(): void {
    const { brokerUrl } = this.element;
    if (URL.canParse(brokerUrl, document.baseURI))
      this.brokersAsked.push(new URL(brokerUrl, document.baseURI).href);
    this.#world.exchange.requestCall(this.element.externalCallId);
  }

  /** The page listens no more. */
  stopListening(): void {
    this.#listening.abort();
  }

  insert(place: Element): void {
    const isOnItsOwn = !['manual', 'interaction'].includes(this.element.getAttribute('connect-mode') ?? '');
    this.isWanted ||= isOnItsOwn;
    place.append(this.element);
  }

  remove(): void {
    this.#leave();
    this.element.remove();
  }

  /** The window that it was moved into is closed. */
  closeWindow(): void {
    const { defaultView } = this.element.ownerDocument;
    if (!this.element.isConnected || defaultView === window) return;
    defaultView?.frameElement?.remove();
    // Else the page has taken it back.
    if (!this.element.isConnected) this.#leave();
  }

  /** Whoever is in no page cannot be moved in it. */
  move(how: Move): void {
    if (this.element.isConnected) MOVES[how](this.element);
  }

  moveWithGap(gap: Gap): Promise<void> {
    return moveWithGap(this, this.#world, gap);
  }

  changeBroker(): void {
    this.observer.disturb();
    this.#leaveInThisTask();
    const isFirst = this.element.getAttribute('broker-url') === '/broker/session';
    this.element.setAttribute('broker-url', isFirst ? '/broker/second/session' : '/broker/session');
  }

  callAsSoonAsPossible(): void {
    const listening = new AbortController();
    const signal = AbortSignal.any([listening.signal, this.#listening.signal]);
    const call = () => {
      if (!this.element.state.canCall) return;
      listening.abort();
      this.run({ method: 'call', args: ['0912345678', {}] }, true);
    };
    this.element.addEventListener('dialer-statechange', call, { signal });
  }

  #leave(): void {
    this.isWanted = false;
    this.#world.exchange.license('removal');
    // It signs out a task later, and not when it is put back until then.
    this.ledger.overtake(() => this.element.state.line.is === 'off');
  }

  setAttribute({ name, value }: StepOf<'attribute'>): void {
    const { hotline } = this.element;
    if (value === null) this.element.removeAttribute(name);
    else this.element.setAttribute(name, value);
    if (this.element.hotline !== hotline) this.callerNumbers.choice = undefined;
  }

  #leaveInThisTask(): void {
    this.#isLeaving = true;
    queueMicrotask(() => (this.#isLeaving = false));
  }

  setHeaders(kind: StepOf<'headers'>['kind']): void {
    Reflect.set(this.element, 'brokerHeaders', HEADERS[kind](this.element));
    if (kind === 're-rendered') Reflect.set(this.element, 'lookup', () => []);
  }

  giveSession({ form, answer }: StepOf<'given'>): void {
    const hasSignedIn = this.observer.states.some(({ state }) => state.line.is !== 'off');
    const to = hasSignedIn ? undefined : this.element;
    Reflect.set(this.element, 'session', this.#world.broker.give(form, answer, to));
  }

  /** Everything that can be pressed now; a press on the way to a call may be a wish for one. */
  press(part: Part, nth: number): void {
    this.observer.disturb();
    for (const method of ['answer', 'sendDtmf'])
      this.#world.exchange.askedFor.set(method, this.#world.next());
    const buttons = this.buttons(part);
    const button = buttons[nth % Math.max(buttons.length, 1)];
    // Nobody can press what is in no page.
    if (!button || !this.element.isConnected) return;
    if (button.part.contains('hangup-button')) this.#world.exchange.license('button');
    this.callerNumbers.press(button);
    button.click();
  }

  buttons(part: Part): HTMLButtonElement[] {
    const selector = part === 'any' ? 'button' : `button[part~='${part}']`;
    return [...(this.element.shadowRoot?.querySelectorAll<HTMLButtonElement>(selector) ?? [])];
  }

  type(text: string): void {
    const input = this.element.shadowRoot?.querySelector<HTMLInputElement>('input[part~=number]');
    if (!input) return;
    input.value = ownedBy(this.member, text);
    input.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
  }

  chooseHotline(nth: number): void {
    const { member } = this.element.state;
    if (member) this.callerNumbers.choose(nth, member.memberNo);
  }

  /** A listener of the page's, good for one event. */
  listen({ event: name, act }: StepOf<'listen'>): void {
    const listener = (event: Event) => {
      this.#world.next();
      if (act.is === 'throw') throw new Error(PAGE_FAULT);
      if (act.is === 'prevent') {
        this.#world.exchange.license('prevented');
        return event.preventDefault();
      }
      if (act.is === 'remove') return this.remove();
      if (act.is === 'move') return this.move(act.how);
      if (act.is === 'gap') {
        this.#isListening = true;
        void this.moveWithGap(act.gap);
        this.#isListening = false;
        return;
      }
      this.run(act, true);
    };
    this.element.addEventListener(name, listener, { once: true, signal: this.#listening.signal });
  }
}
