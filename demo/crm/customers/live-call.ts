/** Who is on the phone: their card opens by itself, and the call is in its history as soon as the vendor has it there. */
import type { CallInfo, Customer, DialerState, DialerStatus } from '../../../src/index.ts';
import { lookForCall } from '../companion.ts';
import type { CustomerCard } from './customer-card.ts';

/** Milliseconds after which a number without a customer counts as a stranger's. */
const STRANGER_MS = 2500;

/** A call that rings or is in progress. */
export interface LiveCall {
  readonly status: 'dialing' | 'incoming' | 'in-call';
  readonly number: string;
  /** Whose number it is, as far as that is known. */
  readonly customers: readonly Customer[];
}

export function isOnThePhone(status: DialerStatus): status is LiveCall['status'] {
  return status === 'dialing' || status === 'incoming' || status === 'in-call';
}

/** Emits `change` whenever there is something new to draw. */
export class LiveCaller extends EventTarget {
  readonly #card: CustomerCard;
  #call: LiveCall | undefined;
  #isStranger = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(card: CustomerCard) {
    super();
    this.#card = card;
    card.addEventListener('change', () => this.#changed());
  }

  /** Undefined: nobody is on the phone. */
  get call(): LiveCall | undefined {
    return this.#call;
  }

  /** No customer has this number. */
  get isStranger(): boolean {
    return this.#isStranger;
  }

  /** Whether it is the customer on the card. */
  get isOnCard(): boolean {
    return this.#call !== undefined && this.#card.isOf(this.#call.customers, this.#call.number);
  }

  follow({ status, call }: DialerState): void {
    const before = this.#call;
    const isLive = isOnThePhone(status) && 'info' in call;
    this.#call = isLive
      ? { status, number: call.info.number, customers: knownCustomers(call.info) }
      : undefined;
    if (this.#call && !before) this.#timer = setTimeout(() => this.#noteStranger(), STRANGER_MS);
    if (!this.#call) clearTimeout(this.#timer);
    this.#isStranger &&= this.#call?.customers.length === 0;
    this.#changed();
  }

  /** Opens the card of whoever it is; resolves when it is there. */
  async meet([customer, ...others]: readonly Customer[]): Promise<void> {
    if (customer && others.length === 0 && customer.code !== this.#card.code) await this.#card.open(customer);
  }

  /** Until the call that has just ended is in the history. */
  async lookFor(call: CallInfo): Promise<void> {
    await lookForCall(async () => {
      const isHere = this.#card.isOf(knownCustomers(call), call.number);
      return isHere && (await this.#card.refresh());
    });
  }

  #noteStranger(): void {
    this.#isStranger = this.#call?.customers.length === 0;
    this.#changed();
  }

  #changed(): void {
    this.dispatchEvent(new Event('change'));
  }
}

function knownCustomers({ customer, customers }: CallInfo): readonly Customer[] {
  return customers ?? (customer ? [customer] : []);
}
