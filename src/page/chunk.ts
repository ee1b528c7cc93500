/** A part of the package that is fetched when it is wanted, and is there for good then. */
import { DialerError } from '../errors.ts';

/** A server that neither answers nor refuses. */
const TIMEOUT_MS = 20_000;
/** Between two attempts: twice as long each time, up to the longest. */
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 30_000;

export class Chunk<T> {
  readonly #fetch: () => Promise<T>;
  #value: T | undefined;
  #loading: Promise<T> | undefined;
  #failures = 0;
  readonly #waiting: (() => void)[] = [];

  /** @param fetch a dynamic import */
  constructor(fetch: () => Promise<T>) {
    this.#fetch = fetch;
  }

  /** `undefined` until it has come. */
  get value(): T | undefined {
    return this.#value;
  }

  /**
   * One attempt at a time, shared by all who wait for it.
   *
   * @throws {DialerError} `sdk-load-failed`, or `configuration` where the page forbids it; asking again is a new attempt
   */
  load(): Promise<T> {
    if (this.#value) return Promise.resolve(this.#value);
    this.#loading ??= this.#attempt().finally(() => (this.#loading = undefined));
    return this.#loading;
  }

  /**
   * For what is drawn: the value, or `undefined` for now.
   *
   * @param lookAgain called once it is there, and when it is time to want it once more
   */
  want(lookAgain: () => void): T | undefined {
    if (this.#value) return this.#value;
    this.#waiting.push(lookAgain);
    if (this.#waiting.length === 1) void this.#loadForWaiting();
    return undefined;
  }

  async #loadForWaiting(): Promise<void> {
    await this.load().catch(() => pause(this.waitMs));
    for (const lookAgain of this.#waiting.splice(0)) lookAgain();
  }

  /** How long to wait before the next attempt, in milliseconds. */
  get waitMs(): number {
    return Math.min(FIRST_WAIT_MS * 2 ** this.#failures, LONGEST_WAIT_MS);
  }

  async #attempt(): Promise<T> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tooLong = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('no answer in time')), TIMEOUT_MS);
    });
    try {
      this.#value = await Promise.race([this.#fetch(), tooLong]);
      return this.#value;
    } catch (cause) {
      this.#failures += 1;
      if (cause instanceof DialerError) throw cause;
      throw new DialerError('sdk-load-failed', 'A part of the dialer could not be loaded.', { cause });
    } finally {
      clearTimeout(timer);
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
