/** The signed-in member and their caller numbers: broker and SDK each name them, and the state gets what both say together. */
import type { Readiness } from '../../broker/answers.ts';
import type { Hotline } from '../../broker/contract.ts';
import type { BrokerSession } from '../../broker/session.ts';
import { mergeHotlines, numbersKey } from '../state/hotlines.ts';
import { isOtherOwner } from '../state/state.ts';
import type { DialerStore } from '../store.ts';

export class SignedInMember {
  readonly #store: DialerStore;
  /** Absent: the broker has named none, not even an empty list. */
  #hotlinesOfBroker: readonly Hotline[] | undefined;
  #hotlinesOfSdk: readonly Hotline[] = [];
  /** The SDK registered while neither it nor the broker had named a caller number. */
  #lacksHotline = false;
  /** The member and the caller numbers for which the SDK was last started again. */
  #startedAgainFor = '';

  constructor(store: DialerStore) {
    this.#store = store;
  }

  /** As far as broker and SDK have said, does the present connection have a caller number? */
  get hasHotline(): boolean {
    return !this.#lacksHotline;
  }

  /** Notes who has signed in. @returns whether somebody else was signed in until now */
  replacedBy(brokerUrl: string, memberNo = ''): boolean {
    const before = this.#store.state;
    this.#store.apply({ type: 'signed-in', owner: memberNo && `${new URL(brokerUrl).origin} ${memberNo}` });
    if (!isOtherOwner(this.#store.state.owner, before.owner)) return false;
    this.forget();
    return before.member !== undefined;
  }

  registered(hotlines: readonly Hotline[]): void {
    this.#hotlinesOfSdk = hotlines;
    const all = this.#hotlines;
    this.#lacksHotline = all.length === 0;
    this.#store.apply({ type: 'registered', hotlines: all });
  }

  /** Does the broker name another member than the one that it has signed in? */
  isAnotherNamed({ member }: Readiness, session: BrokerSession | undefined): boolean {
    const signedIn = session?.memberNo ?? this.#store.state.member?.memberNo;
    return member !== undefined && signedIn !== undefined && member.memberNo !== signedIn;
  }

  /**
   * The SDK reads the member and the caller numbers when it starts. If the broker names others later, the SDK has to start again,
   * but only once for the same list: a broker may name others at each sign-in. An empty list does not restart the SDK: the
   * agent reads a guide and asks for a number. A new sign-in would assign a number without being asked.
   */
  needsNewSdk(readiness: Readiness, session: BrokerSession): boolean {
    const atStart = session.readiness.hotlines ?? this.#hotlinesOfBroker;
    const numbers = numbersKey(readiness.hotlines ?? []);
    const hasOthers = numbers !== '' && atStart !== undefined && numbers !== numbersKey(atStart);
    const isAnother = this.isAnotherNamed(readiness, session);
    if (!hasOthers && !isAnother) return false;
    const named = `${isAnother ? readiness.member?.memberNo : ''} ${numbers}`;
    if (named === this.#startedAgainFor) return false;
    this.#startedAgainFor = named;
    return true;
  }

  inform(readiness: Readiness, memberNo: string | undefined, needsNewSdk: boolean): void {
    this.#hotlinesOfBroker = readiness.hotlines ?? this.#hotlinesOfBroker;
    const all = this.#hotlines;
    const hotlines = all.length > 0 ? all : readiness.hotlines;
    const member = readiness.member && {
      ...readiness.member,
      memberNo: memberNo ?? readiness.member.memberNo,
    };
    const isUsable = this.hasHotline && !needsNewSdk;
    this.#store.apply({ type: 'readiness', readiness: { ...readiness, member, hotlines }, isUsable });
  }

  /** The SDK is closed; the next one names its own caller numbers. */
  sdkClosed(): void {
    this.#hotlinesOfSdk = [];
    this.#lacksHotline = false;
  }

  /** What the broker said is no longer about this member. */
  forget(): void {
    this.#hotlinesOfBroker = undefined;
    this.#startedAgainFor = '';
  }

  get #hotlines(): readonly Hotline[] {
    return mergeHotlines(this.#hotlinesOfBroker ?? [], this.#hotlinesOfSdk);
  }
}
