/** What the card shows: nobody, a customer, or the form that changes or adds one. */
import type { Customer } from '../../../src/index.ts';
import { toCompanionError, type CompanionError } from '../companion.ts';
import {
  insertCustomer,
  readCustomer,
  readForm,
  removeCustomer,
  updateCustomer,
  type Detail,
  type Field,
  type Values,
} from './customers-client.ts';
import { forget, remember } from './known-names.ts';
import { toNational } from './phone.ts';

interface OfCustomer {
  readonly code: string;
  readonly name: string;
}

export type Shown =
  | { readonly is: 'nobody' }
  | ({ readonly is: 'reading' } & OfCustomer)
  | ({ readonly is: 'failed'; readonly error: CompanionError } & OfCustomer)
  | ({ readonly is: 'customer'; readonly detail: Detail; readonly asksRemoval: boolean } & OfCustomer)
  | {
      readonly is: 'form';
      readonly isNew: boolean;
      readonly fields: readonly Field[];
      /** What it begins with, where that is not what the fields hold. */
      readonly values: Values;
      /** Where the way back leads. */
      readonly before: Shown;
    };

/** What came of the last press. */
export type Notice = { readonly is: 'saved' } | { readonly is: 'removed'; readonly name: string } | undefined;

/** Emits `change` whenever there is something new to draw, and `changed-customers` when the list is not true any more. */
export class CustomerCard extends EventTarget {
  #shown: Shown = { is: 'nobody' };
  #notice: Notice;
  #error: CompanionError | undefined;
  /** Of what is shown. */
  #life = new AbortController();
  #isHeld = false;
  /** Somebody has written into the form. */
  isDirty = false;

  get shown(): Shown {
    return this.#shown;
  }

  /** The code of the customer whose card it is. */
  get code(): string | undefined {
    const shown = this.#customer;
    return 'code' in shown ? shown.code : undefined;
  }

  get notice(): Notice {
    return this.#notice;
  }

  /** Why the last press came to nothing. */
  get error(): CompanionError | undefined {
    return this.#error;
  }

  /** The card stays, as somebody has written into its form. */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** Opens the card, unless what somebody has written would be lost. */
  visit(customer: OfCustomer): void {
    if (!this.#hold()) void this.open(customer);
  }

  async open({ code, name }: OfCustomer): Promise<void> {
    const { signal } = this.#begin({ is: 'reading', code, name });
    try {
      const detail = await readCustomer(code, signal);
      this.#show({ is: 'customer', code, name: nameIn(detail, name), detail, asksRemoval: false }, signal);
      remember([{ code, name: nameIn(detail, name), number: valueOf(detail, 'phone') }]);
    } catch (error) {
      this.#show({ is: 'failed', code, name, error: toCompanionError(error) }, signal);
    }
  }

  edit(): void {
    const before = this.#shown;
    if (before.is !== 'customer') return;
    this.#begin({ is: 'form', isNew: false, fields: before.detail.fields, values: {}, before });
  }

  /** @param values what the form begins with */
  async add(values: Values): Promise<void> {
    if (this.#hold()) return;
    const before = this.#shown.is === 'form' ? this.#shown.before : this.#shown;
    const { signal } = this.#life;
    try {
      const fields = await readForm(signal);
      if (!signal.aborted) this.#begin({ is: 'form', isNew: true, fields, values, before });
    } catch (error) {
      this.#fail(error, signal);
    }
  }

  cancel(): void {
    if (this.#shown.is === 'form') this.#begin(this.#shown.before);
    else if (this.#shown.is === 'customer') this.#begin({ ...this.#shown, asksRemoval: false });
  }

  askRemoval(): void {
    if (this.#shown.is === 'customer') this.#begin({ ...this.#shown, asksRemoval: true });
  }

  async remove(): Promise<void> {
    const shown = this.#shown;
    if (shown.is !== 'customer' || !shown.asksRemoval) return;
    const { signal } = this.#begin({ ...shown, asksRemoval: false });
    try {
      await removeCustomer(shown.code, signal);
      forget(shown.code);
      this.dispatchEvent(new Event('changed-customers'));
      if (signal.aborted) return;
      this.#begin({ is: 'nobody' });
      this.#notice = { is: 'removed', name: shown.name };
      this.#changed();
    } catch (error) {
      this.#fail(error, signal);
    }
  }

  /**
   * @param values of a customer who is there already only what has changed
   * @throws {CompanionError} and the form stays
   */
  async save(values: Values): Promise<void> {
    const shown = this.#shown;
    if (shown.is !== 'form') return;
    const { signal } = this.#life;
    const old = this.#customer;
    const { code, name } = 'code' in old ? old : { code: '', name: '' };
    await (shown.isNew ? insertCustomer(values, signal) : updateCustomer(code, values, signal));
    this.dispatchEvent(new Event('changed-customers'));
    if (signal.aborted) return;
    await this.open({ code: values['customer_code'] ?? code, name: values['name'] ?? name });
    this.#notice = { is: 'saved' };
    this.#changed();
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
    const shown = this.#customer;
    if (!('code' in shown)) return false;
    if (customers.some(({ code }) => code === shown.code)) return true;
    const phones = shown.is === 'customer' ? shown.detail.fields.filter(({ type }) => type === 'PHONE') : [];
    return phones.some(({ value }) => value !== '' && toNational(value) === toNational(number));
  }

  /** What is shown of a customer, or stands behind the form that changes them. */
  get #customer(): Shown {
    if (this.#shown.is !== 'form') return this.#shown;
    return this.#shown.isNew ? { is: 'nobody' } : this.#shown.before;
  }

  #hold(): boolean {
    if (this.#shown.is !== 'form' || !this.isDirty) return false;
    this.#isHeld = true;
    this.#changed();
    return true;
  }

  #begin(shown: Shown): AbortController {
    this.#life.abort();
    this.#life = new AbortController();
    this.#shown = shown;
    this.#notice = undefined;
    this.#error = undefined;
    this.#isHeld = false;
    this.isDirty = false;
    this.#changed();
    return this.#life;
  }

  #show(shown: Shown, signal: AbortSignal): void {
    if (signal.aborted) return;
    this.#shown = shown;
    this.#changed();
  }

  #fail(error: unknown, signal: AbortSignal): void {
    if (signal.aborted) return;
    this.#error = toCompanionError(error);
    this.#changed();
  }

  #changed(): void {
    this.dispatchEvent(new Event('change'));
  }
}

function valueOf({ fields }: Detail, wanted: string): string | undefined {
  return fields.find(({ code }) => code === wanted)?.value;
}

function nameIn(detail: Detail, otherwise: string): string {
  return valueOf(detail, 'name') || otherwise;
}
