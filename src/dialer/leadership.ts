/** Which tab has the phone: one registration for each member and broker, in however many tabs the dialer is open. */
import { DialerError } from '../errors.ts';
import { hasTabLocks, TabLock } from '../page/tabs.ts';
import * as z from '../schema.ts';
import type { TabActivity } from './state/block.ts';
import { isBusy, type Call } from './state/call.ts';
import type { CallInfo } from './state/call-info.ts';
import type { DialerStore } from './store.ts';

const statusSchema = z.object({
  isBusy: z.oneOf(true, false),
  is: z.lenient(z.oneOf('idle', 'calling', 'ringing', 'in-call')),
  number: z.optional(z.string()),
  name: z.optional(z.string()),
  since: z.optional(z.number()),
});

type Status = z.infer<typeof statusSchema>;

interface Listener {
  /** The phone is to be opened here now. */
  readonly lead: () => void;
  /** It was taken away: this tab did not answer for some seconds. */
  readonly follow: () => void;
  /** Another tab wants it: resolves once nothing is registered here; `false`: there is a call. */
  readonly give: () => Promise<boolean>;
}

export class Leadership {
  readonly #store: DialerStore;
  readonly #listener: Listener;
  #lock: TabLock<Status> | undefined;
  #published = '';
  #elsewhere: TabActivity | undefined;

  constructor(store: DialerStore, listener: Listener) {
    this.#store = store;
    this.#listener = listener;
  }

  get isHere(): boolean {
    return this.#lock === undefined || this.#lock.isHeld;
  }

  /**
   * @param memberNo as the broker names the member; without one, all tabs with this broker count as one member's
   * @param unused resolves when an earlier member's phone has been given back
   * @returns whether the phone is to be opened here; without Web Locks it always is
   * @throws {DialerError} `active-elsewhere` when another dialer of this page is the member's
   */
  async join(brokerUrl: string, memberNo: string | undefined, unused: Promise<void>): Promise<boolean> {
    // Every page of this origin can read the name, so that no query is part of it: some put a secret there.
    const { origin, pathname } = new URL(brokerUrl);
    const name = `partner-dialer ${origin}${pathname} ${memberNo ?? ''}`;
    if (this.#lock?.name !== name) this.end(unused);
    if (!hasTabLocks()) return true;
    const lock = (this.#lock ??= this.#create(name));
    const place = await lock.join().catch(() => undefined);
    if (this.#lock !== lock) return false;
    if (place === undefined || place === 'same-page') this.#lock = undefined;
    if (place === 'same-page')
      throw new DialerError('active-elsewhere', 'Another dialer on this page is in use already.');
    if (place === 'elsewhere') this.show();
    return place !== 'elsewhere';
  }

  /** @returns whether the phone is to be opened here now; a tab with a call does not give it away */
  async take(): Promise<boolean> {
    return this.#lock === undefined || this.#lock.take();
  }

  /** Says in this tab that the phone is in another one. */
  show(): void {
    if (!isBusy(this.#store.state.call)) this.#store.apply({ type: 'elsewhere', activity: this.#elsewhere });
  }

  /** Other tabs show what is going on here. */
  callChanged(call: Call): void {
    const status = statusOf(call);
    const text = JSON.stringify(status);
    if (text === this.#published) return;
    this.#published = text;
    this.#lock?.setStatus(status);
  }

  /** @param unused resolves when nothing is registered here any more; the next tab opens the phone only then */
  end(unused: Promise<void>): void {
    this.#lock?.end(unused);
    this.#lock = undefined;
    this.#elsewhere = undefined;
  }

  #create(name: string): TabLock<Status> {
    return new TabLock(name, statusSchema, statusOf(this.#store.state.call), {
      onHeld: () => {
        this.#elsewhere = undefined;
        this.#listener.lead();
      },
      onRobbed: this.#listener.follow,
      give: this.#listener.give,
      onElsewhere: (status) => this.#onElsewhere(status),
    });
  }

  #onElsewhere(status: Status | undefined): void {
    const { isBusy: _, is = 'idle', ...rest } = status ?? {};
    const activity = { is, ...rest };
    if (JSON.stringify(activity) !== JSON.stringify(this.#elsewhere)) this.#elsewhere = activity;
    this.show();
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
