/** An agent's calls at the vendor: those read so far, and what events have added since. */
import { toCompanionError, type CompanionError } from '../companion.ts';
import {
  PAGE_SIZE,
  readCalls,
  readSound,
  type CallEvent,
  type CallSound,
  type VendorCall,
} from './calls-client.ts';

const BADGES = ['recording', 'extraction'] as const;
export type Badge = (typeof BADGES)[number];

/** Emits `change` whenever there is something new to draw. */
export class CallList extends EventTarget {
  readonly #calls = new Map<string, VendorCall>();
  /** By the vendor's id and by ours: the vendor's events name an automatic call by an id that its list does not have. */
  readonly #badges = new Map<string, Set<Badge>>();
  /** What somebody has asked for. */
  readonly #sounds = new Map<string, CallSound>();
  /** Ends with the agent's session: responses to an earlier agent's requests are not drawn. */
  #life = new AbortController();
  #hasMore = false;
  #reading = 0;
  #error: CompanionError | undefined;

  /** Newest first, however the vendor sorts them. */
  get rows(): readonly VendorCall[] {
    return [...this.#calls.values()].toSorted((a, b) => (b.at ?? '').localeCompare(a.at ?? ''));
  }

  /** At the vendor. */
  get hasMore(): boolean {
    return this.#hasMore;
  }

  get isReading(): boolean {
    return this.#reading > 0;
  }

  /** Why the list could not be read last time; the calls read before stay. */
  get error(): CompanionError | undefined {
    return this.#error;
  }

  get newest(): string | undefined {
    return this.rows[0]?.transId;
  }

  /** A call that nobody answered has no recording, whatever an event says. */
  findBadges({ transId, externalCallId, recorded, disposition }: VendorCall): readonly Badge[] {
    if (disposition !== 'ANSWER') return [];
    const told = [transId, externalCallId ?? ''].flatMap((id) => [...(this.#badges.get(id) ?? [])]);
    return BADGES.filter((badge) => told.includes(badge) || (badge === 'recording' && recorded));
  }

  findSound({ transId }: VendorCall): CallSound | undefined {
    return this.#sounds.get(transId);
  }

  /** Asks how a call sounded; what cannot be had counts as not measured. */
  async askSound({ transId }: VendorCall): Promise<void> {
    const { signal } = this.#life;
    const sound = await readSound(transId, signal).catch((): CallSound => ({ mos: {} }));
    if (signal.aborted) return;
    this.#sounds.set(transId, sound);
    this.#changed();
  }

  /** Begins anew, for another agent. */
  clear(): void {
    this.#life.abort();
    this.#life = new AbortController();
    this.#calls.clear();
    this.#badges.clear();
    this.#sounds.clear();
    this.#hasMore = false;
    this.#error = undefined;
    this.#changed();
  }

  /** Reads the newest calls; never rejects, as what went wrong is drawn. */
  refresh(): Promise<void> {
    return this.#read(0, (page) => {
      const isFull = page.length === PAGE_SIZE;
      // So much came meanwhile that there would be a gap below it.
      if (isFull && !page.some(({ transId }) => this.#calls.has(transId))) this.#calls.clear();
      if (this.#calls.size <= PAGE_SIZE) this.#hasMore = isFull;
    });
  }

  /** Reads the next, older calls. */
  readMore(): Promise<void> {
    // What came since the first page was read has moved the others on, so some of this page may be known already.
    return this.#read(Math.floor(this.#calls.size / PAGE_SIZE), (page) => {
      this.#hasMore = page.length === PAGE_SIZE;
    });
  }

  /** Keeps what an event adds to its call; false when the list has to be read again to show it. */
  note({ kind, transId, externalCallId }: CallEvent): boolean {
    if (kind === 'incoming') return true;
    if (kind !== 'recording' && kind !== 'extraction') return false;
    for (const id of [transId, externalCallId]) {
      if (id !== undefined) this.#badges.set(id, new Set([...(this.#badges.get(id) ?? []), kind]));
    }
    this.#changed();
    return [...this.#calls.values()].some(
      (call) =>
        call.transId === transId || (externalCallId !== undefined && call.externalCallId === externalCallId),
    );
  }

  async #read(page: number, before: (calls: readonly VendorCall[]) => void): Promise<void> {
    const { signal } = this.#life;
    this.#reading += 1;
    this.#changed();
    try {
      const calls = await readCalls(page, signal);
      if (signal.aborted) return;
      before(calls);
      for (const call of calls) this.#calls.set(call.transId, call);
      this.#error = undefined;
    } catch (error) {
      if (!signal.aborted) this.#error = toCompanionError(error);
    } finally {
      this.#reading -= 1;
      this.#changed();
    }
  }

  #changed(): void {
    this.dispatchEvent(new Event('change'));
  }
}
