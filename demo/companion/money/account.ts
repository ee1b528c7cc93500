/** The partner account, which pays for all top-ups. In names, it is `admin`. */
import { VendorError } from '../vbot/errors.ts';
import type { MoneyApi } from './result.ts';

/** If the key has no permission to read the account, it is not tried again sooner. */
const REFUSED_MS = 3_600_000;

export class PartnerAccount {
  readonly #vendor: Pick<MoneyApi, 'adminBalance'>;
  /** By `performance.now`. */
  #askAgainAt = -Infinity;
  #last: number | undefined;
  /** Reads are numbered: how many were asked, and which one `#last` comes from. A slow answer must not undo a later one. */
  #asked = 0;
  #applied = 0;

  constructor(vendor: Pick<MoneyApi, 'adminBalance'>) {
    this.#vendor = vendor;
  }

  /** VND, as last read; undefined: not read yet, or refused. */
  get last(): number | undefined {
    return this.#last;
  }

  /** VND; undefined: the vendor refuses to tell it, and is asked again in an hour. @throws {VendorError} */
  async read(): Promise<number | undefined> {
    if (performance.now() < this.#askAgainAt) return undefined;
    const number = (this.#asked += 1);
    try {
      this.#apply(number, await this.#vendor.adminBalance());
    } catch (error) {
      if (!(error instanceof VendorError && error.code === 'refused')) throw error;
      if (this.#apply(number, undefined)) this.#askAgainAt = performance.now() + REFUSED_MS;
    }
    return this.#last;
  }

  /** @returns false if a later read was answered before */
  #apply(number: number, balance: number | undefined): boolean {
    if (number < this.#applied) return false;
    this.#applied = number;
    this.#last = balance;
    return true;
  }
}
