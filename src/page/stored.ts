/**
 * One value in the storage of this browser. All dialers of this page and of other tabs hear of a change. If the storage is
 * forbidden or full, the value is kept until the page is closed, and no error is reported.
 */
import * as z from 'zod/mini';
import { attempt } from '../errors.ts';

/** The browser tells other tabs only. */
const page = new EventTarget();
/** What the storage did not take. */
const unstored = new Map<string, unknown>();

export class Stored<T> {
  readonly #key: string;
  readonly #schema: z.ZodMiniType<T>;

  constructor(key: string, schema: z.ZodMiniType<T>) {
    this.#key = `partner-dialer ${key}`;
    this.#schema = schema;
  }

  /** `undefined`: nothing is stored, or the value is not valid. */
  read(): T | undefined {
    return attempt(() => {
      const value: unknown = unstored.get(this.#key) ?? JSON.parse(localStorage.getItem(this.#key) ?? 'null');
      return z.safeParse(this.#schema, value).data;
    });
  }

  write(value: T): void {
    unstored.delete(this.#key);
    try {
      localStorage.setItem(this.#key, JSON.stringify(value));
    } catch {
      unstored.set(this.#key, value);
    }
    page.dispatchEvent(new Event(this.#key));
  }

  remove(): void {
    unstored.delete(this.#key);
    // If the storage is forbidden, nothing is stored.
    attempt(() => localStorage.removeItem(this.#key));
    page.dispatchEvent(new Event(this.#key));
  }

  watch(signal: AbortSignal, changed: () => void): void {
    page.addEventListener(this.#key, changed, { signal });
    addEventListener('storage', ({ key }) => key === this.#key && changed(), { signal });
  }
}
