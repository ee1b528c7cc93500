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
    try {
      this.#last = await this.#vendor.adminBalance();
    } catch (error) {
      if (!(error instanceof VendorError && error.code === 'refused')) throw error;
      this.#askAgainAt = performance.now() + REFUSED_MS;
      this.#last = undefined;
    }
    return this.#last;
  }
}
