/**
 * The latest calls of one member. They are in memory; the browser's database gets a copy, and is read when a member signs in or
 * another tab has written. If the broker does not say who the member is, the calls are in memory only.
 */
import * as z from 'zod/mini';
import { national } from '../../numbers/read.ts';
import { inDatabase } from '../../page/database.ts';
import { CALL_OUTCOMES } from '../../sdk/calling-sdk.ts';
import { isSameCall, type CallInfo } from '../state/call-info.ts';

/** More than the list shows: an older missed call may be unseen. */
const MOST_CALLS = 50;
const CHANNEL = 'partner-dialer calls';

const loggedCallSchema = z.object({
  id: z.string(),
  direction: z.enum(['outgoing', 'incoming']),
  number: z.string(),
  name: z.optional(z.string()),
  startedAt: z.number(),
  answeredAt: z.optional(z.number()),
  endedAt: z.optional(z.number()),
  /** Absent: the call goes on, or its page is gone. */
  outcome: z.optional(z.enum(CALL_OUTCOMES)),
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

/** Times are epoch milliseconds. */
export type LoggedCall = Readonly<z.infer<typeof loggedCallSchema>>;

export class CallLog {
  readonly #changed: () => void;
  #owner: string | undefined;
  /** The newest one first. */
  #calls: readonly LoggedCall[] = [];
  /** Writes one after the other, so that the end of a call is written after its beginning. */
  #writing: Promise<unknown> = Promise.resolve();
  #channel: BroadcastChannel | undefined;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** The newest one first. */
  get calls(): readonly LoggedCall[] {
    return this.#calls;
  }

  /** Missed calls that nobody has seen yet; the newest one first. */
  get missed(): readonly LoggedCall[] {
    return this.#calls.filter(isUnseen);
  }

  /**
   * Shows the calls of this member, and listens to other tabs until `close()`.
   *
   * @param owner empty: nobody knows who it is; `undefined`: nobody has signed in
   */
  async useOwner(owner: string | undefined): Promise<void> {
    const wasListening = this.#channel !== undefined;
    if (owner) this.#listen();
    if (owner !== this.#owner) {
      this.#owner = owner;
      this.#calls = [];
      this.#changed();
    } else if (wasListening) return;
    await this.#read();
  }

  /** To be called again whenever the call has changed. */
  record(call: CallInfo): void {
    const { id, direction, number, name, startedAt, answeredAt, endedAt, outcome, status, quality } = call;
    const known = this.#calls.find((each) => isSameCall(each, call));
    const { isSeen = false, cost } = known ?? {};
    const times = { startedAt, answeredAt, endedAt };
    this.#put({ id, direction, number, name, ...times, outcome, status, cost, quality, isSeen });
    // A missed caller who was called back, or was answered later, no longer counts as missed. A call back may fail.
    const isReached = answeredAt !== undefined || (direction === 'outgoing' && isTried(outcome));
    if (isReached) this.#see((missed) => national(missed.number) === national(number));
  }

  /** What was recorded meanwhile, such as a name, stays. */
  addCost(call: CallInfo): void {
    const known = this.#calls.find((each) => isSameCall(each, call));
    if (known) this.#put({ ...known, cost: call.cost });
  }

  /**
   * The agent opens the list, and so sees all missed calls.
   *
   * @returns how many calls the list has to show for that
   */
  seeAll(): number {
    const count = this.#calls.findLastIndex(isUnseen) + 1;
    this.#see(() => true);
    return count;
  }

  /** The element has left its page: it no longer listens to other tabs. */
  close(): void {
    this.#channel?.close();
    this.#channel = undefined;
  }

  #see(isSeen: (call: LoggedCall) => boolean): void {
    for (const call of this.missed.filter(isSeen)) this.#put({ ...call, isSeen: true });
  }

  #put(call: LoggedCall): void {
    this.#calls = merge([call], this.#calls);
    this.#changed();
    const owner = this.#owner;
    if (!owner) return;
    const write = () =>
      inDatabase('calls', 'readwrite', (store) => {
        prune(store, owner);
        return store.put(call, [owner, call.startedAt, call.id]);
      });
    this.#writing = this.#writing.then(write).then(() => this.#channel?.postMessage(undefined));
  }

  async #read(): Promise<void> {
    const owner = this.#owner;
    if (!owner) return;
    const stored = await inDatabase('calls', 'readonly', (store) => store.getAll(ownedBy(owner)));
    if (!stored || owner !== this.#owner) return;
    const calls = stored.map((each) => z.safeParse(loggedCallSchema, each).data);
    this.#calls = merge(
      this.#calls,
      calls.filter((call) => call !== undefined),
    );
    this.#changed();
  }

  #listen(): void {
    if (this.#channel || !('BroadcastChannel' in globalThis)) return;
    try {
      this.#channel = new BroadcastChannel(CHANNEL);
      this.#channel.addEventListener('message', () => void this.#read());
    } catch {
      // The browser forbids it here: other tabs' calls are read at the next sign-in.
    }
  }
}

function isUnseen({ outcome, isSeen }: LoggedCall): boolean {
  return outcome === 'missed' && !isSeen;
}

/** Has the other side, or the network, said what came of the call? */
function isTried(outcome: LoggedCall['outcome']): boolean {
  return outcome === 'busy' || outcome === 'no-answer' || outcome === 'wrong-number';
}

/** Of two records of one call, the one with an outcome counts, with the name and cost that came later, and whether it was seen. */
function merge(ours: readonly LoggedCall[], others: readonly LoggedCall[]): readonly LoggedCall[] {
  const rest = others.filter((other) => !ours.some((each) => isSameCall(each, other)));
  const known = ours.map((each) =>
    latest(
      each,
      others.find((other) => isSameCall(each, other)),
    ),
  );
  return [...known, ...rest].toSorted((one, other) => other.startedAt - one.startedAt).slice(0, MOST_CALLS);
}

function latest(ours: LoggedCall, other: LoggedCall | undefined): LoggedCall {
  if (!other) return ours;
  const [call, older] =
    ours.outcome === undefined && other.outcome !== undefined ? [other, ours] : [ours, other];
  const { name = older.name, cost = older.cost } = call;
  return { ...call, name, cost, isSeen: ours.isSeen || other.isSeen };
}

/** In IndexedDB's key order, an array comes after every number. */
function ownedBy(owner: string): IDBKeyRange {
  return IDBKeyRange.bound([owner], [owner, []]);
}

function prune(store: IDBObjectStore, owner: string): void {
  const request = store.getAllKeys(ownedBy(owner));
  request.addEventListener('success', () => {
    for (const key of request.result.slice(0, -MOST_CALLS)) store.delete(key);
  });
}
