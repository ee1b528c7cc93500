/** One page of the vendor's customers, all of them or those that a search finds. */
import { toCompanionError, type CompanionError } from '../companion.ts';
import { remember } from './known-names.ts';
import { PAGE_SIZE, readPage, type CustomerPage } from './customers-client.ts';

/** Emits `change` whenever there is something new to draw. */
export class CustomerList extends EventTarget {
  #search = '';
  /** The one that was asked for; the one that is shown may be an earlier one. */
  #page = 0;
  #shownPage = 0;
  #data: CustomerPage | undefined;
  #error: CompanionError | undefined;
  /** Ends when a newer request begins: an older response is not drawn. */
  #reading: AbortController | undefined;

  /** Undefined: nothing has been read yet. */
  get data(): CustomerPage | undefined {
    return this.#data;
  }

  get searched(): string {
    return this.#search;
  }

  get isReading(): boolean {
    return this.#reading !== undefined;
  }

  /** Why the list could not be read last time; what was read before stays. */
  get error(): CompanionError | undefined {
    return this.#error;
  }

  /** Of the customers on this page, counted from 1. */
  get range(): { readonly first: number; readonly last: number; readonly total: number } {
    const { customers = [], total = 0 } = this.#data ?? {};
    const first = this.#shownPage * PAGE_SIZE;
    return { first: first + 1, last: first + customers.length, total };
  }

  get hasPrevious(): boolean {
    return this.#shownPage > 0;
  }

  get hasNext(): boolean {
    return this.range.last < this.range.total;
  }

  search(text: string): Promise<void> {
    if (text === this.#search) return Promise.resolve();
    this.#search = text;
    this.#page = 0;
    return this.load();
  }

  turn(pages: 1 | -1): Promise<void> {
    this.#page = Math.max(0, this.#shownPage + pages);
    return this.load();
  }

  /** Never rejects, as what went wrong is drawn. */
  async load(): Promise<void> {
    this.#reading?.abort();
    const reading = new AbortController();
    this.#reading = reading;
    this.#changed();
    try {
      const data = await readPage(this.#search, this.#page, reading.signal);
      if (reading.signal.aborted) return;
      this.#data = data;
      this.#shownPage = this.#page;
      this.#error = undefined;
      remember(data.customers);
    } catch (error) {
      if (reading.signal.aborted) return;
      this.#error = toCompanionError(error);
    }
    this.#reading = undefined;
    this.#changed();
  }

  #changed(): void {
    this.dispatchEvent(new Event('change'));
  }
}
