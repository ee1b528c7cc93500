/**
 * In what order and how fast the vendor is asked: only so many requests at once, the others in the order in which they
 * came, and whoever would wait too long not at all. Once the vendor has refused one for its rate, this stays below that
 * rate, and tries a little more from second to second.
 */
import { VendorError } from './response.ts';

/** With so many times more waiting than under way, queueing on would only take us down with the vendor. */
const QUEUE = 8;
const WAIT_MS = 2500;
/** What is left of the rate after a refusal, and by what it grows each second; after a minute without one it is forgotten. */
const BACK_OFF = 0.7;
const [GROWTH, GAIN] = [1.05, 1];
const FORGET_MS = 60_000;
/** Refusals this soon after another are of requests that were sent at the same speed. */
const SAME_MS = 500;
/** Requests that may go out at once: those of one session, or this part of a second's. */
const [FEW, BURST] = [2, 0.1];

interface Waiting {
  /** By `performance.now`. */
  readonly until: number;
  go(): void;
  refuse(error: VendorError): void;
}

export class Pace {
  readonly #concurrency: number;
  readonly #waiting: Waiting[] = [];
  #underWay = 0;
  #timer: NodeJS.Timeout | undefined;
  /** Requests a second as of the last refusal. */
  #rate = Infinity;
  #refusedAt = -Infinity;
  /** How many may go out now, as of when. */
  #credit = { requests: 0, at: 0 };
  /** How many have gone out in this second and the one before. */
  #sent = { second: 0, now: 0, before: 0 };

  constructor(concurrency: number) {
    this.#concurrency = concurrency;
  }

  /** Sends the request when it is its turn; @throws {VendorError} `busy` when that takes too long. */
  async run<T>(send: () => Promise<T>): Promise<T> {
    await this.#enter();
    try {
      return await send();
    } catch (error) {
      if (error instanceof VendorError && error.code === 'rate-limited') this.#slowDown();
      throw error;
    } finally {
      this.#underWay -= 1;
      this.#proceed();
    }
  }

  /** @throws {VendorError} `busy` when a request would not get its turn in time */
  admit(): void {
    const place = this.#waiting.length;
    const inTime = (this.#rateAt(performance.now()) * WAIT_MS) / 1000;
    if (place >= this.#concurrency * QUEUE || place > inTime) throw tooMany();
  }

  #enter(): Promise<void> {
    this.admit();
    return new Promise((go, refuse) => {
      this.#waiting.push({ until: performance.now() + WAIT_MS, go, refuse });
      this.#proceed();
    });
  }

  #proceed(): void {
    const now = performance.now();
    for (;;) {
      const [first] = this.#waiting;
      if (!first) return;
      if (first.until <= now) {
        this.#waiting.shift();
        first.refuse(tooMany());
        continue;
      }
      const pause = this.#pauseAt(now);
      if (pause > 0) {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#proceed(), Math.ceil(Math.min(pause, first.until - now)));
        return;
      }
      this.#waiting.shift();
      this.#underWay += 1;
      this.#credit.requests -= 1;
      this.#count(now);
      first.go();
    }
  }

  /** Milliseconds until the next request may go out. */
  #pauseAt(now: number): number {
    if (this.#underWay >= this.#concurrency) return Infinity;
    const rate = this.#rateAt(now);
    if (rate === Infinity) return 0;
    const { requests, at } = this.#credit;
    const credit = Math.min(Math.max(FEW, rate * BURST), requests + ((now - at) / 1000) * rate);
    this.#credit = { requests: credit, at: now };
    return credit >= 1 ? 0 : ((1 - credit) / rate) * 1000;
  }

  #rateAt(now: number): number {
    const age = now - this.#refusedAt;
    return age > FORGET_MS ? Infinity : this.#rate * GROWTH ** (age / 1000) + (age / 1000) * GAIN;
  }

  #slowDown(): void {
    const now = performance.now();
    if (now - this.#refusedAt < SAME_MS) return;
    this.#count(now, 0);
    const { now: inThis, before } = this.#sent;
    const recent = inThis + before * (1 - ((now / 1000) % 1));
    this.#rate = Math.max(FEW, Math.min(recent, this.#rateAt(now)) * BACK_OFF);
    this.#refusedAt = now;
    this.#credit = { requests: 0, at: now };
  }

  #count(now: number, requests = 1): void {
    const second = Math.floor(now / 1000);
    const { second: last, now: inThis } = this.#sent;
    if (second !== last) this.#sent = { second, now: 0, before: second === last + 1 ? inThis : 0 };
    this.#sent.now += requests;
  }
}

function tooMany(): VendorError {
  return new VendorError('busy', 'Too many requests to the vendor are under way.');
}
