/** The latest calls of one member, in the storage of this browser. If the broker does not say who it is, in memory only. */
import * as z from 'zod/mini';
import { normalize } from '../../numbers/read.ts';
import { isWithheld } from '../../numbers/withheld.ts';
import { Stored } from '../../page/stored.ts';
import { CALL_OUTCOMES } from '../../sdk/calling-sdk.ts';
import { isSameCall, type CallInfo } from '../state/call-info.ts';

/** More than the list shows: an older missed call may be unseen. */
const MOST_CALLS = 50;
const LONGEST_MS = 30 * 24 * 3_600_000;

/** A `Date` can hold no other time. */
const timeSchema = z.number().check(z.refine((ms) => ms >= 0 && ms <= 8.64e15));

const loggedCallSchema = z.object({
  id: z.string(),
  direction: z.enum(['outgoing', 'incoming']),
  number: z.string(),
  name: z.optional(z.string()),
  startedAt: timeSchema,
  answeredAt: z.optional(timeSchema),
  endedAt: z.optional(timeSchema),
  /** Absent: the call goes on, or its page is gone. Another version of the dialer may have stored an outcome of its own. */
  outcome: z.catch(z.optional(z.enum(CALL_OUTCOMES)), 'failed'),
  status: z.optional(z.number()),
  /** In VND. */
  cost: z.optional(z.number()),
  quality: z.optional(
    z.object({
      mos: z.number(),
      worstMos: z.number(),
      lossPercent: z.number(),
      jitterMs: z.optional(z.number()),
      roundTripMs: z.optional(z.number()),
    }),
  ),
  /** The agent has seen this missed call. */
  isSeen: z.boolean(),
});

/** A call that cannot be read does not take the others with it. */
const callsSchema = z.pipe(
  z.array(z.catch(z.nullable(loggedCallSchema), null)),
  z.transform((calls) => calls.filter((call) => call !== null)),
);

/** Times are epoch milliseconds. */
export type LoggedCall = Readonly<z.infer<typeof loggedCallSchema>>;

/** The call has reached the other side, or the network of its number. */
const REACHED_NETWORK: readonly LoggedCall['outcome'][] = ['busy', 'no-answer', 'wrong-number'];

export class CallLog {
  readonly #changed: () => void;
  #isOn = true;
  #owner: string | undefined;
  #stored: Stored<readonly LoggedCall[]> | undefined;
  #watching = new AbortController();
  /** The newest one first. */
  #calls: readonly LoggedCall[] = [];

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  get owner(): string | undefined {
    return this.#owner;
  }

  get calls(): readonly LoggedCall[] {
    return this.#calls;
  }

  /**
   * Shows the calls of this member, and those that other tabs add, until `close()`.
   *
   * @param owner empty: nobody knows who it is; `undefined`: nobody has signed in
   * @param isOn false: nothing is recorded, and what is stored of this member goes
   */
  useOwner(owner: string | undefined, isOn = true): void {
    if (owner === this.#owner && isOn === this.#isOn && !this.#watching.signal.aborted) return;
    this.close();
    this.#watching = new AbortController();
    if (owner !== this.#owner || !isOn) this.#calls = [];
    this.#owner = owner;
    this.#isOn = isOn;
    this.#stored = owner ? new Stored<readonly LoggedCall[]>(`calls ${owner}`, callsSchema) : undefined;
    if (!isOn) this.#stored?.remove();
    else this.#stored?.watch(this.#watching.signal, () => this.#read());
    this.#read();
  }

  /** To be called again whenever the call has changed. */
  record(call: CallInfo): void {
    if (!this.#isOn) return;
    const { id, direction, number, name, startedAt, answeredAt, endedAt, outcome, status, quality } = call;
    const known = this.#calls.find((each) => isSameCall(each, call));
    const { isSeen = false, cost } = known ?? {};
    const times = { startedAt, answeredAt, endedAt };
    this.#put({ id, direction, number, name, ...times, outcome, status, cost, quality, isSeen });
    // A missed caller who was called back, or was answered later, no longer counts as missed. A callback that failed does not count.
    const isReached =
      answeredAt !== undefined || (direction === 'outgoing' && REACHED_NETWORK.includes(outcome));
    // Two withheld numbers may be two people.
    if (isReached && !isWithheld(number)) this.#see((each) => normalize(each.number) === normalize(number));
  }

  /** What was recorded meanwhile, such as a name, stays. */
  addCost(call: CallInfo): void {
    const known = this.#calls.find((each) => isSameCall(each, call));
    if (known) this.#put({ ...known, cost: call.cost });
  }

  /** The agent opens the list, which shows all missed calls. */
  seeAll(): void {
    this.#see(() => true);
  }

  /** The element has left its page: it no longer listens to other tabs. */
  close(): void {
    this.#watching.abort();
  }

  #see(isSeen: (call: LoggedCall) => boolean): void {
    for (const call of missedCalls(this.#calls).filter(isSeen)) this.#put({ ...call, isSeen: true });
  }

  #read(): void {
    const stored = this.#stored?.read();
    const recent = stored?.filter(({ startedAt }) => startedAt > Date.now() - LONGEST_MS);
    this.#calls = recent ?? this.#calls;
    if (recent && recent.length < (stored?.length ?? 0)) this.#stored?.write(recent);
    this.#changed();
  }

  /** Another tab may have written since: only this one call is replaced. */
  #put(call: LoggedCall): void {
    const others = (this.#stored?.read() ?? this.#calls).filter((each) => !isSameCall(each, call));
    const calls = [call, ...others].toSorted((one, other) => other.startedAt - one.startedAt);
    this.#calls = calls.slice(0, MOST_CALLS);
    this.#stored?.write(this.#calls);
    this.#changed();
  }
}

/** Missed calls that the agent has not seen yet. */
export function missedCalls(calls: readonly LoggedCall[]): readonly LoggedCall[] {
  return calls.filter(({ outcome, isSeen }) => outcome === 'missed' && !isSeen);
}
