/** The state of the CRM beside its customers: the selected one, the call in progress, and the activities. */
import type { CallInfo, DialerState, DialerStatus } from '../../src/index.ts';
import { CUSTOMERS, findByPhone, type Customer } from './customers.ts';
import { hoursAgo } from './times.ts';

export type Activity =
  | { readonly kind: 'note'; readonly at: number; readonly text: string }
  | { readonly kind: 'call'; readonly at: number; readonly call: CallInfo };

export interface LiveCall {
  readonly customer: Customer;
  readonly status: 'dialing' | 'incoming' | 'in-call';
}

/** Whether a call rings or is in progress. */
export function isOnThePhone(status: DialerStatus): status is LiveCall['status'] {
  return status === 'dialing' || status === 'incoming' || status === 'in-call';
}

/** Emits `change` whenever there is something new to draw. */
export class CustomerFile extends EventTarget {
  #selected: Customer;
  #live: LiveCall | undefined;
  readonly #activities = new Map<string, Activity[]>();
  readonly #lastContact = new Map<string, number>();

  constructor(first: Customer) {
    super();
    this.#selected = first;
    for (const { id, note, lastContactHoursAgo } of CUSTOMERS) {
      const at = hoursAgo(lastContactHoursAgo);
      this.#activities.set(id, [{ kind: 'note', at, text: note }]);
      this.#lastContact.set(id, at);
    }
  }

  get selected(): Customer {
    return this.#selected;
  }

  get live(): LiveCall | undefined {
    return this.#live;
  }

  /** Newest first. */
  activitiesOf(customer: Customer): readonly Activity[] {
    return this.#activities.get(customer.id) ?? [];
  }

  lastContactOf(customer: Customer): number {
    return this.#lastContact.get(customer.id) ?? 0;
  }

  select(customer: Customer): void {
    this.#selected = customer;
    this.touch();
  }

  addNote(text: string): void {
    this.#add(this.#selected, { kind: 'note', at: Date.now(), text });
  }

  /** Logs a call that is over with the customer it was with, if it was with one. */
  addCall(call: CallInfo): void {
    const customer = findByPhone(call.number);
    if (!customer) return;
    if (call.answeredAt !== undefined) this.#lastContact.set(customer.id, Date.now());
    this.#add(customer, { kind: 'call', at: Date.now(), call });
  }

  /** A caller is selected at once; a callee was selected before. */
  followCall({ status, call }: DialerState): void {
    const customer = 'info' in call ? findByPhone(call.info.number) : undefined;
    this.#live = customer && isOnThePhone(status) ? { customer, status } : undefined;
    if (customer && status === 'incoming') this.#selected = customer;
    this.touch();
  }

  /** Draws anew: "12 minutes ago" does not stay true. */
  touch(): void {
    this.dispatchEvent(new Event('change'));
  }

  #add(customer: Customer, activity: Activity): void {
    this.#activities.set(customer.id, [activity, ...this.activitiesOf(customer)]);
    this.touch();
  }
}
