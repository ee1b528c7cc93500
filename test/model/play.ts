/** Carries out one step after the other on a page with one dialer or more. */
import type { DialerBeforeCallEvent, PartnerDialer } from '../../src/index.ts';
import { Actor } from './actor.ts';
import { ACTS, becomeMember } from './acts.ts';
import { WORDS } from './choices.ts';
import { turn } from './clock.ts';
import { freeze, leaveAndComeBack } from './departure.ts';
import { FAR, tellAgain } from './exchange-steps.ts';
import { STALLED_MS } from './far-end.ts';
import { normalBehavior } from './behavior.ts';
import { ownedBy } from './members.ts';
import type { Move } from './moves.ts';
import { describeState } from './observer.ts';
import type { World } from './world.ts';
import type { Sequence, Step, StepOf } from './steps.ts';

/** More dialers than this on one page prove nothing further. */
const MOST_ACTORS = 3;
const MENDING_MS = 5000;
/** Until the INVITE has left, the far phone rings, or an answer has arrived. */
const TALKING_MS = 250;
/** In which the browser answers whether the microphone is allowed. */
const QUERY_MS = 100;
const SLOW_MS = 4000;
/** A dialer has polled the broker several times. */
const POLLED_MS = 90_000;
/** Longer than the first wait for a retry, with its jitter. */
const RETRY_MS = 4000;
/** An agent waits for help for 10 s, and may press again. */
const GIVEN_UP_MS = 12_000;
const UNKNOWN_MS = 15_000;
const SLEEP_MS = 7_200_000;
/** Five seconds without a reply, and those until there is another socket. */
const NOTICED_MS = 15_000;
/** So many requests at once have their reasons, three of them repeated; after that, there is one in so many milliseconds at most. */
const MOST_REQUESTS = 6;
const REQUEST_MS = 2400;

/** What happens without the page and the agent. */
const BY_ITSELF: ReadonlySet<Step['do']> = new Set([
  'advance',
  'jump',
  'broker',
  'manner',
  'network',
  'sight',
  'sleep',
]);

export class Play {
  readonly actors: Actor[] = [];
  readonly #world: World;
  readonly #isFree: boolean;
  readonly #stage = document.createElement('div');
  readonly #seen = new WeakSet<Event>();
  readonly #ending = new AbortController();
  #turn = 0;

  constructor(world: World, { mode, isFree, given }: Sequence) {
    this.#world = world;
    this.#isFree = isFree;
    document.body.append(this.#stage);
    world.callerOf = (number) => ownedBy(this.actors.map(({ member }) => member).find(Boolean), number);
    world.isPlacing = (number) =>
      this.actors.some(
        ({ element: { state } }) => state.call.is === 'placing' && state.call.number === number,
      );
    world.isFree = () => this.actors.some(({ element: { state } }) => state.canCall);
    world.takeBrokersAsked = (number) =>
      this.actors
        .filter(({ element: { state } }) => state.call.is === 'placing' && state.call.number === number)
        .flatMap(({ brokersAsked }) => brokersAsked.splice(0));
    world.toldOf = (number) =>
      this.actors.flatMap(({ element: { state }, callerNumbers: { told } }) =>
        told && state.call.is === 'placing' && state.call.number === number ? [told] : [],
      );
    world.lacks = (what) => this.actors.some((actor) => actor.lacks(what));
    const { signal } = this.#ending;
    // A call of a removed element ends on its document.
    document.addEventListener('dialer-callend', (event) => this.#hearEnd(event), { signal });
    document.addEventListener('dialer-beforecall', (event) => this.#hearCall(event), { signal });
    const element = document.createElement('partner-dialer');
    element.setAttribute('broker-url', '/broker/session');
    element.setAttribute('connect-mode', mode);
    element.setAttribute('lang', 'en');
    this.#enter(element, given);
  }

  get actor(): Actor {
    const actor = this.actors[this.#turn % this.actors.length];
    if (!actor) throw new Error('There is no dialer.');
    return actor;
  }

  close(): void {
    for (const actor of this.actors) if (actor.element.isConnected) actor.remove();
  }

  leave(): void {
    this.#ending.abort();
    this.#stage.remove();
    for (const frame of document.querySelectorAll('iframe')) frame.remove();
  }

  async run(step: Step): Promise<void> {
    const { clock, page, broker, client } = this.#world;
    const { actor } = this;
    if (!BY_ITSELF.has(step.do)) this.#disturb();
    switch (step.do) {
      case 'method':
        for (let time = 0; time < step.times; time += 1) actor.run(step);
        return;
      case 'attribute':
        if (step.name === 'external-call-id') actor.observer.usedId = undefined;
        // A mode that is set before the dialer has signed in by itself may keep it from that.
        if (step.name === 'connect-mode' && actor.element.state.line.is === 'off') actor.isWanted = false;
        return actor.setAttribute(step);
      case 'headers':
        return actor.setHeaders(step.kind);
      case 'given':
        return actor.giveSession(step);
      case 'words':
        actor.element.words = WORDS[step.kind];
        return;
      case 'place':
        return this.#place(step.what);
      case 'moved':
        return this.#move(step.how);
      case 'window':
        return this.#closeWindow(step);
      case 'gap':
        return this.#leaveGap(step);
      case 'press':
        actor.requestCall();
        this.#world.exchange.presses += 1;
        for (let time = 0; time < step.times; time += 1) actor.press(step.part, step.nth);
        return;
      case 'type':
        return actor.type(step.text);
      case 'hotline':
        return actor.chooseHotline(step.nth);
      case 'numbers':
        broker.assigned[broker.memberNo] = step.assigned;
        return;
      case 'member':
        return this.#changeMember(step);
      case 'advance':
        return this.#advance(step.ms);
      case 'jump':
        clock.set(step.ms);
        return;
      case 'broker':
        return broker.plan(step.path, step);
      case 'manner':
        if (step.name !== 'delivery' || this.#isFree)
          Object.assign(client.behavior, { [step.name]: step.value });
        return;
      case 'far':
        return FAR[step.what](this.#world);
      case 'stale':
        return tellAgain(this.#world, step.event);
      case 'network':
        return page.setOnline(step.online, step.isTold);
      case 'sight':
        return page.setHidden(step.hidden);
      case 'leave':
        return leaveAndComeBack(this.#world, this.actors, step.away);
      case 'freeze':
        return freeze(this.#world, this.actors, step.away);
      case 'microphone':
        return page.microphone.become(step.state);
      case 'listen':
        return actor.listen(step);
      case 'other':
        this.#turn += 1;
        return;
      case 'tab':
        return void this.#world.tabs.act(step.nth, step.act, actor.element);
      case 'mend':
        return this.#mend();
      case 'talk':
        return this.#talk(step.direction);
      case 'together':
        await this.#bring(step.in);
        for (const name of step.acts) ACTS[name](this.actor, this.#world);
        return;
      case 'sound':
        return this.#changeSound(step);
      case 'crossing':
        await this.#bring('ringing');
        if (step.isFirst) ACTS[step.act](actor, this.#world);
        ACTS['the other party answers'](actor, this.#world);
        if (!step.isFirst) ACTS[step.act](actor, this.#world);
        return;
      case 'stall':
        return this.#stall(step);
      case 'outage':
        return this.#outage(step);
      case 'handover':
        return this.#handOver(step);
      case 'prompt':
        return this.#prompt(step);
      case 'succession':
        return this.#succeed(step);
      case 'overtaken':
        return this.#overtake(step);
      case 'relief':
        return this.#relieve(step);
      case 'booked':
        return this.#book();
      case 'chosen late':
        return this.#chooseLate(step);
      case 'dead socket':
        return this.#loseUnnoticed(step);
      case 'unlinked':
        return this.#unlink();
      case 'sleep':
        return this.#sleep(step);
    }
  }

  #disturb(): void {
    for (const { observer } of this.actors) observer.disturb();
  }

  /** Another one sits down; with or without a word to the dialer. */
  #changeMember({ memberNo, signsOut }: StepOf<'member'>): void {
    if (signsOut) this.actor.run({ method: 'disconnect', args: [] });
    becomeMember(memberNo, this.#world);
    if (signsOut) this.actor.run({ method: 'connect', args: [] });
  }

  #enter(element: PartnerDialer, given: Sequence['given'] = []): void {
    const actor = new Actor(this.#world, element, this.#seen);
    this.#world.broker.forgetTopUps();
    for (const each of given) actor.giveSession(each);
    this.actors.push(actor);
    this.#turn = this.actors.length - 1;
    actor.insert(this.#stage);
  }

  #place(what: StepOf<'place'>['what']): void {
    const { actor } = this;
    const { element } = actor;
    switch (what) {
      case 'remove':
        return element.isConnected ? actor.remove() : undefined;
      case 'return':
        return element.isConnected ? undefined : actor.insert(this.#stage);
      case 'clone':
      case 'replace-by-clone': {
        if (this.actors.length >= MOST_ACTORS) return;
        const clone = document.importNode(element, true);
        if (what === 'replace-by-clone' && element.isConnected) actor.remove();
        this.#enter(clone);
      }
    }
  }

  /** A move ends nothing and begins nothing: no event, no promise that settles, no order to the SDK, no request. */
  async #move(how: Move): Promise<void> {
    const { clock, journal } = this.#world;
    await clock.settle();
    const before = journal.length;
    this.actor.move(how);
    // Not so long that a timer runs out, which would have done so without the move.
    await turn();
    if (journal.length > before) this.#world.violate('a moved, and something came of it', journal[before]);
  }

  /** It is moved into a window, which is closed some time later, or at once. */
  async #closeWindow({ in: situation, into, ms, isPutBack }: StepOf<'window'>): Promise<void> {
    const { actor } = this;
    await this.#bring(situation);
    await this.#move(into);
    if (ms > 0) await this.#advance(ms);
    const { isWanted } = actor;
    actor.closeWindow();
    if (!isPutBack) return;
    if (ms > 0) await this.#advance(ms);
    if (!actor.element.isConnected) actor.insert(this.#stage);
    // Put back in the same task, it was moved: who was signed out before stays so.
    if (ms === 0) actor.isWanted = isWanted;
  }

  /** The page takes the dialer out and puts it back: now, or in a listener. */
  async #leaveGap({ in: situation, at, cause, gap }: StepOf<'gap'>): Promise<void> {
    await this.#bring(situation);
    if (at === null) return this.actor.moveWithGap(gap);
    this.actor.listen({ do: 'listen', event: at, act: { is: 'gap', gap } });
    this.#act(cause);
  }

  async #mend(): Promise<void> {
    const { clock, page, broker, client } = this.#world;
    Object.assign(client.behavior, normalBehavior());
    broker.heal();
    this.#world.tabs.close();
    page.setHidden(false);
    page.setOnline(true);
    page.microphone.become('granted');
    this.actor.setHeaders('none');
    this.actor.element.setAttribute('broker-url', '/broker/session');
    for (const name of ['sdk-url', 'sdk-base-url']) this.actor.element.removeAttribute(name);
    await clock.advance(MENDING_MS);
  }

  async #bring(situation: StepOf<'together'>['in']): Promise<void> {
    const { client, callerOf } = this.#world;
    if (situation === 'any') return;
    if (situation === 'rung') client.calls.ring(callerOf('0988777666'));
    else if (situation === 'ringing') ACTS.call(this.actor, this.#world);
    else return this.#talk(situation);
    await this.#advance(TALKING_MS);
    client.calls.far.rings();
  }

  async #changeSound({ in: situation, acts }: StepOf<'sound'>): Promise<void> {
    await this.#bring(situation);
    for (const [name, ms] of acts) {
      ACTS[name](this.actor, this.#world);
      if (ms > 0) await this.#advance(ms);
    }
  }

  /** The network stands still until JsSIP has given up a call out. */
  async #stall({ act, ms }: StepOf<'stall'>): Promise<void> {
    const { behavior } = this.#world.client;
    behavior.far = 'gets-it-late';
    ACTS.call(this.actor, this.#world);
    await this.#advance(ms);
    this.#act(act);
    await this.#advance(STALLED_MS);
    behavior.far = 'answers';
  }

  /** The network goes away and comes back, with something done before, meanwhile and after. */
  async #outage({ in: situation, acts, isTold, ms }: StepOf<'outage'>): Promise<void> {
    const { page } = this.#world;
    const [before, meanwhile, after] = acts;
    await this.#bring(situation);
    this.#act(before);
    page.setOnline(false, isTold);
    await this.#advance(TALKING_MS);
    this.#act(meanwhile);
    await this.#advance(ms);
    page.setOnline(true, isTold);
    this.#act(after);
  }

  /** Another broker is set, and a call ends, while the network is away. The page calls as soon as it can. */
  async #handOver({ in: situation, act, isFirst, ms }: StepOf<'handover'>): Promise<void> {
    const { page } = this.#world;
    await this.#bring(situation);
    if (isFirst) this.#act('change the broker');
    page.setOnline(false, false);
    await this.#advance(TALKING_MS);
    this.#act(act);
    if (!isFirst) this.#act('change the broker');
    await this.#advance(ms);
    this.actor.callAsSoonAsPossible();
    page.setOnline(true, false);
  }

  #act(name: keyof typeof ACTS | null): void {
    if (name !== null) ACTS[name](this.actor, this.#world);
  }

  /** The browser asks for the microphone to place or answer a call, and is answered after all that. */
  async #prompt({ in: situation, acts }: StepOf<'prompt'>): Promise<void> {
    const { clock, page } = this.#world;
    const { microphone } = page;
    microphone.become('prompt');
    // What the dialer reads of that is not what the call changes in sight.
    await clock.settle();
    if (situation === 'outgoing') ACTS.call(this.actor, this.#world);
    if (situation === 'incoming') {
      await this.#bring('rung');
      ACTS.answer(this.actor, this.#world);
    }
    for (const [name, ms] of acts) {
      await this.#advance(TALKING_MS);
      if (name === 'calls') FAR.calls(this.#world);
      else ACTS[name](this.actor, this.#world);
      await this.#advance(ms);
    }
    this.#disturb();
    microphone.become('granted');
  }

  /** A caller gives up and the next one calls, in the task in which an order, or the microphone, comes to the SDK, or before. */
  async #succeed({ at }: StepOf<'succession'>): Promise<void> {
    const { client, clock, page, callerOf } = this.#world;
    const { microphone } = page;
    const succeed = () => {
      client.calls.far.ends();
      client.calls.ring(callerOf('0988777666'));
    };
    // By then the dialer knows of the next caller.
    const succeedFirst = () => {
      succeed();
      return new Promise<void>((resolve) => clock.later(QUERY_MS, resolve));
    };
    const isAtQuery = at === 'answer' || at === 'late answer';
    if (at === 'microphone') microphone.become('prompt');
    await this.#bring('rung');
    if (isAtQuery) microphone.whenQueried = at === 'answer' ? succeed : succeedFirst;
    ACTS[at === 'hang up' ? at : 'answer'](this.actor, this.#world);
    if (at !== 'hang up') await this.#advance(TALKING_MS);
    microphone.whenQueried = () => undefined;
    this.#disturb();
    if (!isAtQuery) succeed();
    if (at === 'microphone') microphone.become('granted');
  }

  /** Two answers about the same thing: the one that was asked for later comes first. */
  async #overtake({ path, answers: [slow, quick] }: StepOf<'overtaken'>): Promise<void> {
    const { broker } = this.#world;
    const isHelp = path === 'top-up' || path === 'hotline';
    if (isHelp) {
      ACTS['hang up'](this.actor, this.#world);
      await this.#mend();
      await this.#tell(path === 'top-up' ? 'no-funds' : 'no-hotlines');
    }
    const ask = isHelp ? ACTS.guide : ACTS.recheck;
    broker.plan(path, { answer: slow, delay: isHelp ? UNKNOWN_MS : SLOW_MS });
    if (path === 'status') {
      // After a call, and when somebody is back, the dialer asks by itself.
      this.#world.client.calls.far.ends();
      document.dispatchEvent(new Event('visibilitychange'));
    } else ask(this.actor, this.#world);
    await this.#advance(isHelp ? GIVEN_UP_MS : TALKING_MS);
    broker.plan(path, { answer: quick, delay: 20 });
    ask(this.actor, this.#world);
    await this.#advance(TALKING_MS);
  }

  /**
   * The money comes while the page's headers for the request for it take their time; or the agent asks for it twice while the
   * dialer signs in again.
   */
  async #relieve({ during }: StepOf<'relief'>): Promise<void> {
    await this.#tell('no-funds');
    if (during === 'headers') {
      this.actor.setHeaders('slow');
      ACTS.guide(this.actor, this.#world);
      return this.#tell('ok');
    }
    this.#world.broker.plan('session', { answer: 'no-funds', delay: SLOW_MS });
    ACTS['lose the SDK'](this.actor, this.#world);
    await this.#advance(RETRY_MS);
    for (let time = 0; time < 2; time += 1) ACTS.guide(this.actor, this.#world);
    await this.#advance(SLOW_MS);
  }

  async #tell(answer: 'no-funds' | 'no-hotlines' | 'ok'): Promise<void> {
    for (const path of ['session', 'status'] as const) this.#world.broker.plan(path, { answer, delay: 20 });
    this.actor.setHeaders('function');
    ACTS.recheck(this.actor, this.#world);
    await this.#advance(TALKING_MS);
  }

  /** While a call waits, the page sets the id of the next one. */
  async #book(): Promise<void> {
    const { actor } = this;
    const setId = () => actor.element.setAttribute('external-call-id', `crm${this.#world.next()}`);
    actor.observer.usedId = undefined;
    ACTS.disconnect(actor, this.#world);
    setId();
    ACTS.call(actor, this.#world);
    setId();
    await this.#advance(TALKING_MS);
  }

  /** A call waits until the dialer has connected again. Meanwhile the agent chooses a caller number, and the member gets others. */
  async #chooseLate({ nth, assigned, call }: StepOf<'chosen late'>): Promise<void> {
    const { actor } = this;
    const { broker } = this.#world;
    ACTS['hang up'](actor, this.#world);
    await this.#mend();
    broker.plan('session', { answer: 'ok', delay: SLOW_MS });
    this.#disturb();
    actor.element.setAttribute('sdk-base-url', 'https://sandbox.example/v3.0');
    await this.#advance(TALKING_MS);
    actor.run(call);
    await this.#advance(TALKING_MS);
    actor.chooseHotline(nth);
    broker.assigned[broker.memberNo] = assigned;
    await this.#advance(SLOW_MS);
  }

  /** A broker without a status link reports a lack of money, and later none. */
  async #unlink(): Promise<void> {
    const { actor } = this;
    const { broker } = this.#world;
    const isBlocked = () => {
      const { block } = actor.element.state;
      return block.is === 'blocked' && block.source === 'broker';
    };
    ACTS['hang up'](actor, this.#world);
    await this.#mend();
    broker.plan('session', { answer: 'no-funds-no-links', delay: 20 });
    ACTS.disconnect(actor, this.#world);
    ACTS.connect(actor, this.#world);
    await this.#advance(TALKING_MS);
    const wasBlocked = isBlocked();
    broker.heal();
    await this.#advance(POLLED_MS);
    if (wasBlocked && isBlocked())
      this.#world.violate('f does not come back by itself', describeState(actor.element.state));
  }

  /** The agent leaves a call when its socket has died, which the browser does not notice: the network is there. */
  async #loseUnnoticed({ in: situation, act }: StepOf<'dead socket'>): Promise<void> {
    const { client, clock } = this.#world;
    await this.#mend();
    await this.#bring(situation);
    await this.#advance(SLOW_MS);
    const { socket, calls } = client;
    const { call } = calls;
    const isKnown = call?.answered === true && !call.answeredOver && !call.isBlurred && !client.isBlurred;
    if (!socket || !isKnown) return;
    calls.far.plays(call);
    socket.isDead = true;
    const diedAt = clock.lived;
    this.#act(act);
    // Another broker waits for the end of the call.
    if (act === 'change the broker') this.#act('hang up');
    await this.#advance(NOTICED_MS);
    // Of an SDK that the page has removed, nobody can send anything.
    call.isExcused ||= client.lostWidgetAt >= diedAt;
    if (call.isOn && call.endedBy === 'here' && !call.isExcused)
      this.#world.violate('a nobody was told over the next socket', act);
    // Another dialer of the page was told to leave: in the end, the browser notices.
    socket.isDead = false;
    if (client.socket === socket) client.loseSocket();
  }

  /** The machine sleeps for two hours, in which `performance.now()` stands still or goes on; or somebody sets its clock back. */
  #sleep({ how, isCut }: StepOf<'sleep'>): void {
    const { clock, client } = this.#world;
    if (how === 'counts') clock.jump(SLEEP_MS);
    else clock.set(how === 'stands' ? SLEEP_MS : -SLEEP_MS);
    if (isCut) client.loseSocket();
  }

  async #talk(direction: StepOf<'talk'>['direction']): Promise<void> {
    const { clock, client } = this.#world;
    if (direction === 'incoming') client.calls.ring(this.#world.callerOf('0988777666'));
    else this.actor.run({ method: 'call', args: ['0912345678', {}] });
    await clock.advance(TALKING_MS);
    if (direction === 'outgoing') return client.calls.far.answers();
    if (direction === 'refused') return client.calls.far.refuses(402);
    this.actor.run({ method: 'answer', args: [] });
    await clock.advance(TALKING_MS);
  }

  #hearEnd(event: Event): void {
    if (event.target !== document) return;
    const { id } = (event as CustomEvent<{ call: { id: string } }>).detail.call;
    this.actors.find(({ observer }) => observer.calls.get(id)?.isEnded === false)?.observer.onEvent(event);
  }

  #hearCall(event: DialerBeforeCallEvent): void {
    if (event.target !== document) return;
    for (const { element, callerNumbers } of this.actors)
      if (!element.isConnected) callerNumbers.told?.events.push(event);
  }

  async #advance(ms: number): Promise<void> {
    const { clock, broker } = this.#world;
    const before = { ...broker.asked };
    const hasArrived = await clock.advance(ms);
    const most = MOST_REQUESTS + ms / REQUEST_MS;
    const isStorm =
      broker.asked.session - before.session > most || broker.asked.status - before.status > most;
    if (!hasArrived || isStorm) this.#world.violate('e asks without end');
  }
}
