/** The member's caller numbers: broker and SDK each name them, and what the broker names may change while the SDK runs. */
import type { Hotline } from '../../broker/contract.ts';
import { mergeHotlines, numbersKey } from '../state/hotlines.ts';

export class CallerNumbers {
  #ofBroker: readonly Hotline[] = [];
  #ofSdk: readonly Hotline[] = [];
  /** What the broker named first on this connection. */
  #first: string | undefined;
  /** What the broker has named of late that the connection does not fit, and that for which it was last replaced. */
  #outdatedBy = '';
  #replacedFor = '';
  /** Whether there was one when the SDK said its own last; `undefined` until then. */
  #hasAny: boolean | undefined;

  /** As far as broker and SDK have said, is there one on this connection? */
  get mayCall(): boolean {
    return this.#hasAny !== false;
  }

  namedBySdk(hotlines: readonly Hotline[]): readonly Hotline[] {
    this.#ofSdk = hotlines;
    const all = mergeHotlines(this.#ofBroker, hotlines);
    this.#hasAny = all.length > 0;
    return all;
  }

  namedByBroker(hotlines: readonly Hotline[] | undefined): readonly Hotline[] | undefined {
    this.#ofBroker = hotlines ?? this.#ofBroker;
    const all = mergeHotlines(this.#ofBroker, this.#ofSdk);
    return all.length > 0 ? all : hotlines;
  }

  /**
   * The SDK has the member of its token, and reads the caller numbers at its start: when the broker names others, the connection
   * has to be replaced. Once for the same ones: a broker may answer the sign-in with one list and later questions with another.
   * If it names none, the agent reads so, and can ask for one: a new sign-in would assign one unasked.
   *
   * @param member whom the broker names in the place of the one before; empty: nobody
   */
  areOutdatedBy(member: string, hotlines: readonly Hotline[] | undefined): boolean {
    const numbers = hotlines && numbersKey(hotlines);
    this.#first ??= numbers;
    if (member === '' && (!numbers || numbers === this.#first)) return false;
    this.#outdatedBy = `${member} ${numbers}`;
    return this.#outdatedBy !== this.#replacedFor;
  }

  /** The broker speaks of another member from now on. */
  forget(): void {
    this.#ofBroker = [];
    this.#outdatedBy = '';
  }

  /** A new connection takes the place of the present one. */
  replace(): void {
    this.#ofSdk = [];
    this.#first = undefined;
    this.#hasAny = undefined;
    this.#replacedFor = this.#outdatedBy;
  }
}
