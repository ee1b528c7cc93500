/** What the card shows: nobody, or a customer. */
import type { Customer } from '../../../src/index.ts';
import { toCompanionError, type CompanionError } from '../companion.ts';
import { readCustomer, type Detail } from './customers-client.ts';
import { remember } from './known-names.ts';
import { toNational } from './phone.ts';

interface OfCustomer {
  readonly code: string;
  readonly name: string;
}

export type Shown =
  | { readonly is: 'nobody' }
  | ({ readonly is: 'reading' } & OfCustomer)
  | ({ readonly is: 'failed'; readonly error: CompanionError } & OfCustomer)
  | ({ readonly is: 'customer'; readonly detail: Detail } & OfCustomer);

/** Emits `change` whenever there is something new to draw. */
export class CustomerCard extends EventTarget {
  #shown: Shown = { is: 'nobody' };
  /** Ends when another customer is opened. */
  #life = new AbortController();

  get shown(): Shown {
    return this.#shown;
  }

  /** The code of the customer whose card it is. */
  get code(): string | undefined {
    return 'code' in this.#shown ? this.#shown.code : undefined;
  }

  async open({ code, name }: OfCustomer): Promise<void> {
    this.#life.abort();
    this.#life = new AbortController();
    const { signal } = this.#life;
    this.#show({ is: 'reading', code, name }, signal);
    try {
      const detail = await readCustomer(code, signal);
      const valueOf = (wanted: string) => detail.fields.find((field) => field.code === wanted)?.values[0];
      const customer = { code, name: valueOf('name') ?? name };
      this.#show({ is: 'customer', ...customer, detail }, signal);
      remember([{ ...customer, number: valueOf('phone') }]);
    } catch (error) {
      this.#show({ is: 'failed', code, name, error: toCompanionError(error) }, signal);
    }
  }

  /** Reads the customer again; true: something has happened since. */
  async refresh(): Promise<boolean> {
    const shown = this.#shown;
    if (shown.is !== 'customer') return false;
    const { signal } = this.#life;
    const detail = await readCustomer(shown.code, signal).catch(() => undefined);
    if (!detail) return false;
    this.#show({ ...shown, detail }, signal);
    return detail.interactions?.[0]?.at !== shown.detail.interactions?.[0]?.at;
  }

  /** Whether it is the card of one of them, or has this number. */
  isOf(customers: readonly Customer[], number: string): boolean {
    const shown = this.#shown;
    if (customers.some(({ code }) => code === this.code)) return true;
    const phones = shown.is === 'customer' ? shown.detail.fields.filter(({ type }) => type === 'PHONE') : [];
    return phones.some(({ values }) => values.some((value) => toNational(value) === toNational(number)));
  }

  #show(shown: Shown, signal: AbortSignal): void {
    if (signal.aborted) return;
    this.#shown = shown;
    this.dispatchEvent(new Event('change'));
  }
}
