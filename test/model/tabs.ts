/** Other tabs of this browser in which the dialer is open: each has the lock of a real one, and a phone that rings nobody. */
import { TabLock } from '../../src/dialer/connection/tab-lock.ts';
import { aborted } from '../../src/wait.ts';
import type { MemberNo } from './members.ts';
import type { World } from './world.ts';

/** So long after a page was frozen, its SDK may still be there for a call that the agent has left. */
const FROZEN_MS = 70_000;
/** So long a tab needs to end its registration. */
const CLOSING_MS = 200;

/** What the agent does in another tab. */
export const TAB_ACTS = ['open', 'use', 'use', 'call', 'hang up', 'close'] as const;
type TabAct = (typeof TAB_ACTS)[number];

interface Place {
  /** The address of the broker's sign-in. */
  readonly broker: string;
  readonly memberNo: MemberNo;
}

class PlayedTab {
  readonly place: Place;
  readonly lock: TabLock;
  isRegistered = false;
  readonly #world: World;
  readonly #life = new AbortController();
  #closed: Promise<void> = Promise.resolve();

  constructor(world: World, place: Place) {
    this.#world = world;
    this.place = place;
    const { origin, pathname } = new URL(place.broker);
    const name = `partner-dialer ${origin}${pathname} ${place.memberNo}`;
    this.lock = new TabLock(
      name,
      { is: 'idle' },
      { onElsewhere: () => this.#tell('sees the phone elsewhere'), released: () => this.#closed },
    );
    void this.lock.join();
    this.#usePhone().catch(() => undefined);
  }

  setInCall(isInCall: boolean): void {
    if (isInCall && !this.isRegistered) return;
    this.lock.setActivity(
      isInCall ? { is: 'in-call', number: '0901234567', since: Date.now() } : { is: 'idle' },
    );
  }

  async close(): Promise<void> {
    this.setInCall(false);
    const ended = this.lock.end();
    this.#life.abort();
    await ended;
  }

  /** As the connection does: registered while the lease lasts, and for a moment longer. */
  async #usePhone(): Promise<void> {
    const lease = await this.lock.lease(this.#life.signal);
    await this.#closed;
    if (!lease.aborted) {
      this.isRegistered = true;
      this.#tell('has the phone');
      this.#world.tabs.check();
      this.#closed = aborted(lease).then(() => this.#unregister());
      await aborted(lease);
    }
    if (!this.#life.signal.aborted) await this.#usePhone();
  }

  #unregister(): Promise<void> {
    return new Promise((resolve) => {
      this.#world.clock.later(CLOSING_MS, () => {
        this.isRegistered = false;
        this.#tell('gives the phone back');
        resolve();
      });
    });
  }

  #tell(what: string): void {
    this.#world.next();
    this.#world.note(`        another tab ${what}`);
  }
}

export class PlayedTabs {
  /** How often the agent has asked for the phone in one of them, and got it. */
  uses = 0;
  /** When and where that was asked for last, by the clock on the wall and in the order of the world. */
  #asked: { readonly now: number; readonly order: number; readonly place: Place } | undefined;
  /** When this page was left or frozen last, by `clock.lived`: the others need not wait until nothing is registered here. */
  mayTakeAt = -Infinity;
  /** When the last one was closed, by `clock.lived`. */
  closedAt = -Infinity;
  readonly #world: World;
  readonly #open: (PlayedTab | undefined)[] = [];

  constructor(world: World) {
    this.#world = world;
  }

  get isAnyOpen(): boolean {
    return this.#open.some(Boolean);
  }

  /** In tabs that are signed in as the member of now, at the broker of this element. */
  async act(nth: number, act: TabAct, element: Element): Promise<void> {
    const tab = this.#open[nth];
    if (act === 'close') return this.#close(nth);
    if (act === 'call' || act === 'hang up') return tab?.setInCall(act === 'call');
    const opened = (this.#open[nth] ??= new PlayedTab(this.#world, this.#placeFor(element)));
    if (act === 'use') await this.#use(opened);
  }

  close(): void {
    for (const nth of this.#open.keys()) this.#close(nth);
  }

  /** One phone, one tab: a member whom the broker names is registered once. */
  check(): void {
    const { client, clock } = this.#world;
    if (clock.lived < this.mayTakeAt + FROZEN_MS) return;
    const registered = this.#open.filter((tab) => tab?.isRegistered);
    const isSame = (tab: PlayedTab | undefined) => tab !== undefined && this.#isHere(tab.place);
    if (client.isRegistered && registered.some(isSame)) this.#world.violate('e two tabs with one phone');
  }

  /** Has the agent asked for the phone of this page in another tab, since each of these requests for a call? */
  isAskedSince(requests: readonly { readonly now: number; readonly order: number }[]): boolean {
    const asked = this.#asked;
    if (!asked || !this.#isHere(asked.place)) return false;
    return requests.every(({ now, order }) => now < asked.now && order < asked.order);
  }

  #isHere({ memberNo, broker: address }: Place): boolean {
    const { broker, client } = this.#world;
    return memberNo === broker.memberOf(client.token) && address === broker.addressOf(client.token);
  }

  #placeFor(element: Element): Place {
    const address = element.getAttribute('broker-url') ?? '';
    const url = URL.canParse(address, document.baseURI) ? address : '/broker/session';
    return { broker: new URL(url, document.baseURI).href, memberNo: this.#world.broker.memberNo };
  }

  #close(nth: number): void {
    const tab = this.#open[nth];
    if (!tab) return;
    this.#open[nth] = undefined;
    // Whoever closes it is back at this page, which may never have known of it.
    if (this.#asked?.place === tab.place) this.#asked = undefined;
    this.closedAt = this.#world.clock.lived;
    void tab.close();
  }

  async #use(tab: PlayedTab): Promise<void> {
    const asked = { now: this.#world.clock.now, order: this.#world.next(), place: tab.place };
    if (tab.lock.isHeld || !(await tab.lock.take(asked.now))) return;
    this.uses += 1;
    if (asked.order > (this.#asked?.order ?? -1)) this.#asked = asked;
  }
}
