/** Which tab has the phone: one registration for each member and broker, in however many tabs the dialer is open. */
import * as z from 'zod/mini';
import { DialerError } from '../../errors.ts';
import { TabLock } from '../../page/tabs.ts';
import { hasTabLocks } from '../../page/web-lock.ts';
import { aborted, nextTask } from '../../wait.ts';
import type { TabActivity } from '../state/block.ts';
import type { CallInfo } from '../state/call-info.ts';
import { isBusy, type Call } from '../state/call.ts';
import type { DialerStore } from '../store.ts';

const activitySchema = z.enum(['idle', 'calling', 'ringing', 'in-call']);
const statusSchema = z.object({
  isBusy: z.boolean(),
  /** A newer version may know more. */
  is: z.catch(activitySchema, 'idle'),
  number: z.optional(z.string()),
  name: z.optional(z.string()),
  since: z.optional(z.number()),
});

type Status = z.infer<typeof statusSchema>;

/** The vendor's SDK supports one element per page, so one dialer of the page has the phone; the others wait for its end. */
let dialerOfPage: { readonly lock: PhoneLock; readonly over: AbortController } | undefined;
/** Resolves when the last dialer of this page has given its lock back. */
let released: Promise<unknown> = Promise.resolve();

export class PhoneLock {
  readonly #store: DialerStore;
  readonly #unused: () => Promise<void>;
  /** Absent before `enter()`, and where the page may not use locks. */
  #lock: TabLock<Status> | undefined;
  #published = '';
  #elsewhere: TabActivity | undefined;

  /** @param unused resolves when this tab has nothing registered */
  constructor(store: DialerStore, unused: () => Promise<void>) {
    this.#store = store;
    this.#unused = unused;
  }

  /**
   * Enters the queue for this member's phone. The state shows when it is in another tab.
   *
   * @param memberNo as the broker names the member; without one, all tabs with this broker count as one member's
   * @returns whether the phone is free, or here already; without Web Locks it always is
   * @throws {DialerError} `active-elsewhere` when another dialer of this page has the phone, or the signal's reason
   */
  async enter(brokerUrl: string, memberNo: string | undefined, signal: AbortSignal): Promise<boolean> {
    // Every page of this origin can read the name. Some brokers have a secret in their query.
    const { origin, pathname } = new URL(brokerUrl);
    const name = `partner-dialer ${origin}${pathname} ${memberNo ?? ''}`;
    if (this.#lock?.name !== name) this.end();
    // An element that this one replaces in the same task is gone in the next one.
    if (dialerOfPage && dialerOfPage.lock !== this) await new Promise<void>(nextTask);
    signal.throwIfAborted();
    if (dialerOfPage && dialerOfPage.lock !== this)
      throw new DialerError('active-elsewhere', 'Another dialer on this page is in use already.');
    const place = (dialerOfPage ??= { lock: this, over: new AbortController() });
    await released;
    if (place.over.signal.aborted) return false;
    if (!hasTabLocks()) return true;
    const lock = (this.#lock ??= this.#create(name));
    const tab = await lock.join().catch(() => lock.end());
    if (this.#lock !== lock) return false;
    if (tab === undefined) this.#lock = undefined;
    if (tab === 'elsewhere') this.#show();
    return tab !== 'elsewhere';
  }

  /** Resolves when no other dialer of this page has the phone, or the signal aborts. */
  async untilPageIsFree(signal: AbortSignal): Promise<void> {
    const ends = dialerOfPage ? [dialerOfPage.over.signal, signal] : [];
    if (ends.length > 0) await aborted(AbortSignal.any(ends));
  }

  /**
   * Resolves when this tab has the phone, with a signal that aborts when another tab gets it.
   *
   * @param signal ends the wait
   */
  async lease(signal: AbortSignal): Promise<AbortSignal> {
    const lease = (await this.#lock?.lease(signal)) ?? new AbortController().signal;
    this.#store.apply({ type: 'here' });
    return lease;
  }

  /**
   * Asks the other tab for the phone, for as long as it takes.
   *
   * @throws {DialerError} `active-elsewhere` when the other tab has a call, or does not let go
   */
  async take(): Promise<void> {
    this.#store.apply({ type: 'guide-asked', for: 'phone' });
    if (this.#lock === undefined || (await this.#lock.take())) return;
    const { block } = this.#store.state;
    const hasCall = block.is === 'blocked' && block.elsewhere !== undefined && block.elsewhere.is !== 'idle';
    const notice = hasCall ? 'call-elsewhere' : 'not-moved';
    this.#store.apply({ type: 'guide-answered', to: 'phone', notice });
    throw new DialerError('active-elsewhere', 'The other tab did not release the phone.');
  }

  /** Tells the other tabs what this one does. */
  callChanged(call: Call): void {
    const status = statusOf(call);
    const text = JSON.stringify(status);
    if (text === this.#published) return;
    this.#published = text;
    this.#lock?.setStatus(status);
  }

  /** Gives the phone to the other tabs, as soon as nothing is registered here. */
  end(): void {
    released = Promise.all([released, this.#lock?.end()]);
    this.#lock = undefined;
    this.#elsewhere = undefined;
    if (dialerOfPage?.lock !== this) return;
    dialerOfPage.over.abort();
    dialerOfPage = undefined;
  }

  #create(name: string): TabLock<Status> {
    return new TabLock(name, statusSchema, statusOf(this.#store.state.call), {
      onElsewhere: (status) => this.#onElsewhere(status),
      released: this.#unused,
    });
  }

  #onElsewhere(status: Status | undefined): void {
    const { isBusy: _, is = 'idle', ...rest } = status ?? {};
    const activity = { is, ...rest };
    if (JSON.stringify(activity) !== JSON.stringify(this.#elsewhere)) this.#elsewhere = activity;
    this.#show();
  }

  #show(): void {
    if (!isBusy(this.#store.state.call)) this.#store.apply({ type: 'elsewhere', activity: this.#elsewhere });
  }
}

function withWhom({ number, name, startedAt, answeredAt = startedAt }: CallInfo): Omit<TabActivity, 'is'> {
  return { number, name, since: answeredAt };
}

function statusOf(call: Call): Status {
  switch (call.is) {
    case 'placing':
      return { isBusy: true, is: 'calling', number: call.number };
    case 'dialing':
      return { isBusy: true, is: 'calling', ...withWhom(call.info) };
    case 'incoming':
      return { isBusy: true, is: 'ringing', ...withWhom(call.info) };
    case 'active':
      return { isBusy: true, is: 'in-call', ...withWhom(call.info) };
    default:
      return { isBusy: false, is: 'idle' };
  }
}
