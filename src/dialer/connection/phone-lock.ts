/** Which tab has the phone: one registration for each member and broker, in however many tabs the dialer is open. */
import { DialerError } from '../../errors.ts';
import { aborted, nextTask } from '../../wait.ts';
import type { TabActivity } from '../state/block.ts';
import { isBusy, isLive, type Call } from '../state/call.ts';
import type { DialerStore } from '../store.ts';
import { TabLock } from './tab-lock.ts';

const IDLE: TabActivity = { is: 'idle' };
const ACTIVITIES = { dialing: 'calling', incoming: 'ringing', active: 'in-call' } as const;

/** The vendor's SDK supports one element per page, so one dialer of the page has the phone; the others wait for its end. */
let dialerOfPage: { readonly lock: PhoneLock; readonly over: AbortController } | undefined;
/** Resolves when the last dialer of this page has given its lock back. */
let released: Promise<unknown> = Promise.resolve();

export class PhoneLock {
  readonly #store: DialerStore;
  readonly #unused: () => Promise<unknown>;
  /** Absent before `enter()`, and without Web Locks. */
  #lock: TabLock | undefined;

  /** @param unused resolves when this tab has nothing registered */
  constructor(store: DialerStore, unused: () => Promise<unknown>) {
    this.#store = store;
    this.#unused = unused;
    store.subscribe(({ call }) => this.#lock?.setActivity(activityOf(call)));
  }

  /**
   * Enters the queue for this member's phone. The state shows when it is in another tab.
   *
   * @param memberNo as the broker names the member; without one, all tabs with this broker count as one member's
   * @returns whether the phone is free, or here already; without Web Locks it always is
   * @throws as `enterPage`
   */
  async enter(brokerUrl: string, memberNo: string | undefined, signal: AbortSignal): Promise<boolean> {
    // Every page of this origin can read the name: leave the query out, because some brokers have a secret in it.
    const { origin, pathname } = new URL(brokerUrl);
    const name = `partner-dialer ${origin}${pathname} ${memberNo ?? ''}`;
    // Another member has another phone.
    if (this.#lock && this.#lock.name !== name) this.end();
    await this.enterPage(signal);
    await released;
    signal.throwIfAborted();
    // Insecure pages have no Web Locks.
    if (navigator.locks === undefined) return true;
    this.#lock ??= new TabLock(name, activityOf(this.#store.state.call), {
      onElsewhere: (activity) => this.#onElsewhere(activity),
      released: this.#unused,
    });
    const isHere = await this.#lock.join();
    signal.throwIfAborted();
    if (!isHere) this.#onElsewhere(this.#lock.holder);
    return isHere;
  }

  /**
   * Keeps the other dialers of this page from the phone: the first one that asks gets it, in whatever order brokers answer.
   *
   * @throws {DialerError} `active-elsewhere` when another dialer of this page has the phone, or the signal's reason
   */
  async enterPage(signal: AbortSignal): Promise<void> {
    const isTaken = () => dialerOfPage !== undefined && dialerOfPage.lock !== this;
    // An element that this one replaces in the same task is gone in the next one.
    if (isTaken()) await new Promise<void>(nextTask);
    signal.throwIfAborted();
    if (isTaken())
      throw new DialerError('active-elsewhere', 'Another dialer on this page already uses the phone.');
    dialerOfPage ??= { lock: this, over: new AbortController() };
  }

  /** Perhaps another dialer of this page can sign in. One that has had the phone in its tab keeps it. */
  leavePage(): void {
    if (dialerOfPage?.lock !== this || this.#lock) return;
    dialerOfPage.over.abort();
    dialerOfPage = undefined;
  }

  /** Resolves when no other dialer of this page has the phone, or the signal aborts. */
  async untilPageIsFree(signal: AbortSignal): Promise<void> {
    if (dialerOfPage) await aborted(AbortSignal.any([dialerOfPage.over.signal, signal]));
  }

  /** Resolves when this tab has the phone, with a signal that aborts when another tab gets it. */
  async lease(signal: AbortSignal): Promise<AbortSignal> {
    const lease = (await this.#lock?.lease(signal)) ?? new AbortController().signal;
    this.#store.apply({ type: 'here' });
    return lease;
  }

  /**
   * Asks the other tab for the phone, for about 8 s, unless the agent has asked for it there since `askedAt` (epoch milliseconds).
   *
   * @throws {DialerError} `active-elsewhere` when the other tab has a call, or does not let go; or the signal's reason
   */
  async take(askedAt: number, life: AbortSignal): Promise<void> {
    this.#store.apply({ type: 'guide-asked', for: 'phone' });
    const isTaken = this.#lock === undefined || (await this.#lock.take(askedAt));
    life.throwIfAborted();
    if (isTaken) return this.#store.apply({ type: 'here' });
    const { is } = this.#lock?.holder ?? IDLE;
    const notice = is === 'idle' ? 'not-moved' : 'call-elsewhere';
    this.#store.apply({ type: 'guide-answered', to: 'phone', notice });
    throw new DialerError('active-elsewhere', 'The phone is in use in another tab.');
  }

  /** Gives the phone to the other tabs, as soon as nothing is registered here; nothing tells of them any more. @param keepsPhone see `TabLock.end()` */
  end(keepsPhone = true): void {
    released = Promise.all([released, this.#lock?.end(keepsPhone)]);
    this.#lock = undefined;
    this.leavePage();
    this.#store.apply({ type: 'here' });
  }

  #onElsewhere(activity: TabActivity = IDLE): void {
    if (!isBusy(this.#store.state.call)) this.#store.apply({ type: 'elsewhere', activity });
  }
}

/** What the other tabs are told. */
function activityOf(call: Call): TabActivity {
  if (call.is === 'placing') return { is: 'calling', number: call.number };
  if (!isLive(call)) return IDLE;
  const { number, name, startedAt, answeredAt = startedAt } = call.info;
  return { is: ACTIVITIES[call.is], number, name, since: answeredAt };
}
